import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync } from 'node:fs'
import { mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { SimulatedHosts, SimulatedReaderSpec } from '@lectern/contract/hosts.ts'
import type pg from 'pg'
import type { Stand } from '../fleet-check/stand.ts'
import { endProgram, startProgram } from '../programs.ts'

export interface FleetSize {
  hosts: number
  readersPerHost: number
  processes: number
  /** Seconds between looks of a host PC. */
  poll: number
  /** What a reader is at the start; absent: a CR2700. */
  toReader?: (host: number, index: number) => Pick<SimulatedReaderSpec, 'deviceType' | 'firmware'>
}

/** By process, by how many hours its host PCs' clocks are wrong. */
const wrongBy = [0, 1, -1]

export interface PhaseReader {
  serialNumber: string
  zone: string
  process: number
  refuses: boolean
  deviceType: SimulatedReaderSpec['deviceType']
  /** At the start. */
  firmware: string
  logFile: string
}

export type PhaseFleet = Awaited<ReturnType<typeof makePhaseFleet>>

/** Host PCs in a few processes, one zone each. One reader in twenty refuses everything. */
export async function makePhaseFleet(stand: Stand, client: pg.Client, size: FleetSize) {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-phases-'))
  const organization = await insertOrganization(stand, client)
  const readers: PhaseReader[] = []
  const files: SimulatedHosts[] = Array.from({ length: size.processes }, () => ({ server: stand.url, hosts: [] }))
  for (let number = 0; number < size.hosts; number++) {
    const process = number % size.processes
    const zoneId = randomUUID()
    await client.query('insert into zone (public_id, organization_id, name) select $1, id, $3 from organization where public_id = $2', [
      ...[zoneId, organization.id, `Ward ${number}`],
    ])
    // Calls with one licence wait for each other.
    const licence = await insertLicence(client, organization.id)
    const state = join(folder, `host-${number}`)
    const specs = Array.from({ length: size.readersPerHost }, (_, index) => {
      const serialNumber = `P${number}-${index}`
      const refuses = (number * size.readersPerHost + index) % 20 === 0
      const { deviceType, firmware } = size.toReader?.(number, index) ?? { deviceType: 'CR2700' as const, firmware: '4.12.0' }
      const logFile = join(state, 'readers', 'readers', `${serialNumber}.jsonl`)
      readers.push({ serialNumber, zone: zoneId, process, refuses, deviceType, firmware, logFile })
      return { serialNumber, refuses, deviceType, firmware, configuration: null, warrantyUntil: null, battery: null }
    })
    const times = { poll: size.poll, interval: 60 }
    files[process]!.hosts.push({ state, zoneId, name: `PC-${number}`, licence, ...times, readers: specs })
  }
  await writeFile(join(folder, 'clock.mjs'), wrongClock)
  const running = new Map<number, Awaited<ReturnType<typeof startProgram>>['child']>()
  return {
    organization,
    readers,
    folder,
    async start(process: number) {
      const file = join(folder, `hosts-${process}.json`)
      await writeFile(file, JSON.stringify(files[process]))
      const options = `--import=${join(folder, 'clock.mjs')}`
      const env = { NODE_OPTIONS: options, HOURS_WRONG: String(wrongBy[process % wrongBy.length]) }
      const { child } = await startProgram('agent/src/main.ts', ['simulate', file], env, 'PC-')
      child.stdout?.resume()
      running.set(process, child)
    },
    async end(process: number) {
      const child = running.get(process)
      running.delete(process)
      if (child) await endProgram(child, 'signal')
    },
    async close() {
      await Promise.all([...running.values()].map((child) => endProgram(child, 'signal')))
      await rm(folder, { recursive: true, force: true })
    },
  }
}

// A preload that sets a program's clock wrong by some hours.
const wrongClock = `
const off = Number(process.env.HOURS_WRONG) * 3600000
const Real = Date
globalThis.Date = class extends Real {
  constructor(...parts) { parts.length === 0 ? super(Real.now() + off) : super(...parts) }
  static now() { return Real.now() + off }
}
`

async function insertOrganization({ issuer }: Stand, client: pg.Client) {
  const [id, userId, subject] = [randomUUID(), randomUUID(), randomUUID()]
  await client.query(
    `insert into "user" (id, issuer, subject, email, email_verified) values ($1, $2, $3, 'manager@phases.example', true)`,
    [...[userId, `${issuer.domain}/`, subject]],
  )
  await client.query(
    `with o as (insert into organization (public_id, name) values ($1, 'Phases') returning id),
       g as (insert into "group" (organization_id, name) select id, 'Managers' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g`,
    [id, userId],
  )
  return { id, token: await issuer.token(subject, ['manage:cfg', 'manage:firmware']) }
}

async function insertLicence(client: pg.Client, organization: string): Promise<string> {
  const number = `LEC-${randomUUID()}`
  await client.query(
    `with l as (insert into licence (id, organization_id, licence_number) select $2, id, $3 from organization where public_id = $1 returning id, organization_id)
     insert into licence_owner (organization_id, licence_id, licence_number) select organization_id, id, $3 from l`,
    [organization, randomUUID(), number],
  )
  return number
}

/** The hashes of contents that a reader started to take or took over, by its own log. */
export function listLogged({ logFile }: PhaseReader, event: 'begin' | 'complete'): string[] {
  if (!existsSync(logFile)) return []
  const lines = readFileSync(logFile, 'utf8').split('\n')
  return lines
    .filter((line) => line.includes(`"event":"${event}"`))
    .map((line) => (JSON.parse(line) as { contentHash: string }).contentHash)
}
