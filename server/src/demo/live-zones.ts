import { type ChildProcess, spawn } from 'node:child_process'
import { existsSync } from 'node:fs'
import { mkdir, writeFile } from 'node:fs/promises'
import { join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { checkInMinutes, type SimulatedHost, type SimulatedHosts, type SimulatedReaderSpec } from '@lectern/contract/hosts.ts'
import type { Logger } from 'pino'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { findOrganization } from '../organizations/organizations.ts'
import { demoLicence, harborline, harborlineLicence, northfield } from './accounts.ts'
import { seedRollouts, seedSites } from './publishing.ts'
import { demoZones, liveZones, makeHostName } from './seed.ts'
import { sites } from './sites.ts'
import { deleteHosts, type SeededReaderRow, selectSeededReaders, selectZonesByName } from './sql.ts'

const program = fileURLToPath(new URL('../../../agent/bin/lectern-agent.mjs', import.meta.url))
const readersPerZone = 40
/** Seconds between two looks at the readers, and between two check-ins. */
const [poll, interval] = [60, 60 * checkInMinutes]

/** Starts one agent process for all zones of the demo. It ends with this process, also when this one is killed. */
export function startLiveZones({ db, contents }: Stores, { publicUrl, dataDir }: Place, log: Logger): { stop(): Promise<void> } {
  let agent: ChildProcess | undefined
  const stopping = new AbortController()
  const started = seedSites(db)
    .catch((error) => log.warn({ err: error }, 'The demo has no sites'))
    .then(() => writeHosts(db, publicUrl, dataDir))
    .then((file) => {
      if (!stopping.signal.aborted) agent = startAgent(file, log)
    })
    .catch((error) => log.warn({ err: error }, 'The demo has no live zones'))
  const published = started
    .then(() => publishOnceReported(db, contents, stopping.signal))
    .catch((error) => log.warn({ err: error }, 'The demo publishes nothing'))
  return {
    async stop() {
      stopping.abort()
      await published
      if (!agent) return
      agent.kill('SIGTERM')
      await waitForExit(agent)
    },
  }
}

interface Stores {
  db: Database
  contents: ContentStore
}
interface Place {
  publicUrl: string
  dataDir: string
}

/** Milliseconds between two looks. */
const betweenLooks = 500

async function publishOnceReported(db: Database, contents: ContentStore, signal: AbortSignal): Promise<void> {
  while (!signal.aborted && !(await seedRollouts(db, contents))) await pause(betweenLooks, undefined, { signal }).catch(() => undefined)
}

async function writeHosts(db: Database, publicUrl: string, dataDir: string): Promise<string> {
  const folder = resolve(dataDir, 'demo')
  const hosts = [
    ...(await listHosts(db, northfield, { prefix: 'NRH', licence: demoLicence, folder, publicUrl })),
    ...(await listHosts(db, harborline, { prefix: 'HBL', licence: harborlineLicence, folder, publicUrl })),
  ]
  await mkdir(folder, { recursive: true })
  const file = join(folder, 'hosts.json')
  await writeFile(file, JSON.stringify({ server: publicUrl, hosts } satisfies SimulatedHosts), { mode: 0o600 })
  return file
}

interface Site {
  prefix: string
  licence: string
  folder: string
  publicUrl: string
}

async function listHosts(db: Database, publicId: string, { prefix, licence, folder, publicUrl }: Site): Promise<SimulatedHost[]> {
  const organizationId = (await findOrganization(db, publicId))!.id
  const hosts: SimulatedHost[] = []
  const own = publicId === northfield ? sites : []
  for (const zone of await selectZonesByName(db, organizationId, [...demoZones, ...own.map(({ name }) => name)])) {
    const site = own.find(({ name }) => name === zone.name)
    const seed = 1 + liveZones.indexOf(zone.name)
    const rows = seed > 0 || site ? [] : await selectSeededReaders(db, { organizationId, zoneId: zone.id })
    // The state of an agent belongs to one server, so its folder is called by the server's address.
    const state = join(folder, `${zone.public_id}-${new URL(publicUrl).port}`)
    const name = site?.hostName ?? makeHostName(prefix, zone.name)
    // A seeded host has a credential that no agent has, so it makes way for one that enrolls.
    if (!existsSync(state)) await deleteHosts(db, { organizationId, zoneId: zone.id }, name)
    const readers = site ? [...site.readers] : seed > 0 ? { count: readersPerZone, seed } : rows.map(toReader)
    hosts.push({ state, zoneId: zone.public_id, name, licence, timeZone: site?.timeZone, poll, interval, readers })
  }
  return hosts
}

const toReader = (row: SeededReaderRow): SimulatedReaderSpec => ({
  serialNumber: row.serial_number,
  deviceType: row.device_type as UpdateModel,
  firmware: row.current_firmware ?? 'unknown',
  configuration: row.config_hash === null || row.current_config === null ? null : toConfiguration(row.config_hash, row.current_config),
  warrantyUntil: row.warranty_until,
  battery: row.battery_health === null ? null : { health: row.battery_health, lossPerYear: 0, phase: 0 },
  refuses: false,
})

const toConfiguration = (contentHash: string, label: string) => ({ contentHash, fileName: label.startsWith('CFG ') ? null : label })

function startAgent(file: string, log: Logger): ChildProcess {
  // When this process ends, the channel closes and the agent ends too.
  const agent = spawn(process.execPath, [program, 'simulate', file], { stdio: ['ignore', 'pipe', 'pipe', 'ipc'] })
  for (const stream of [agent.stdout, agent.stderr]) stream?.on('data', (chunk) => log.debug({ agent: 'demo' }, String(chunk).trimEnd()))
  return agent
}

const waitForExit = (child: ChildProcess): Promise<void> =>
  new Promise((done) => (child.exitCode !== null || child.signalCode !== null ? done() : child.once('exit', () => done())))
