import { randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import { updateModels } from '@lectern/contract/devices/device-models.ts'
import type pg from 'pg'
import { Caller, Refusal } from '../fleet-check/calls.ts'
import { type Release, uploadReleases } from '../fleet-check/releases.ts'
import { openStand } from '../fleet-check/stand.ts'
import { listLogged, makePhaseFleet, type PhaseFleet, type PhaseReader } from '../phases-check/fleet.ts'

interface RollBackOptions {
  hosts: number
  processes: number
  /** Seconds between looks of a host PC. */
  poll: number
  print(line: string): void
  signal?: AbortSignal
}

interface RollBackResult {
  readers: number
  /** From the call to its response. */
  milliseconds: number
  /** Readers that run something else than before the rollout. */
  wrong: string[]
  /** Readers that began an update although the rollout had not reached them. */
  written: string[]
}

const before = ['3.7.9', '3.8.2'] as const
const published = '5.0.0'

/**
 * Each host PC has a reader of each model. Those of the first process are away from the moment at which half of the readers are done until
 * the roll back is accepted.
 */
export async function checkRollBack(options: RollBackOptions): Promise<RollBackResult> {
  const stand = await openStand()
  const client = await stand.connect()
  const caller = new Caller(stand.url)
  const releases = await uploadReleases(stand, client, caller, { models: updateModels, versions: [...before, published] })
  const fleet = await makePhaseFleet(stand, client, {
    hosts: options.hosts,
    processes: options.processes,
    poll: options.poll,
    readersPerHost: updateModels.length,
    toReader: (host, index) => ({ deviceType: updateModels[index]!, firmware: before[(host + index) % before.length]! }),
  })
  try {
    for (let process = 0; process < options.processes; process++) await fleet.start(process)
    await until(options, async () => (await count(client, 'device where host_id is not null')) === fleet.readers.length)
    options.print(`${fleet.readers.length} readers of ${options.hosts} host PCs have checked in`)
    const id = await publish(caller, fleet)
    await until(options, async () => (await count(client, 'outcome')) >= fleet.readers.length / 2)
    await fleet.end(0)
    const { back, milliseconds } = await rollBack(caller, fleet, id, options)
    await fleet.start(0)
    await until(options, async () => isSettled(client, back))
    return { readers: fleet.readers.length, milliseconds, ...judge(fleet.readers, releases) }
  } finally {
    await fleet.close()
    await client.end().catch(() => undefined)
    await stand.stop()
  }
}

async function count(client: pg.Client, from: string, values: unknown[] = []): Promise<number> {
  const { rows } = await client.query<{ rows: string }>(`select count(*) as rows from ${from}`, values)
  return Number(rows[0]!.rows)
}

async function until({ signal }: Pick<RollBackOptions, 'signal'>, isReached: () => Promise<boolean>): Promise<void> {
  while (!(await isReached())) await pause(200, undefined, { signal })
}

async function publish(caller: Caller, { organization: { id, token } }: PhaseFleet): Promise<string> {
  const key = randomUUID()
  const parts = updateModels.map((model) => ({ model, content: { kind: 'firmware' as const, version: published } }))
  const body = { key, zones: { filter: {} }, when: { now: true as const }, parts, phases: [] }
  await caller.call(token, 'publishToZones', { params: { organizationId: id }, body }, key)
  return key
}

/** Asks again as long as the shown counts are outdated when the call arrives. */
async function rollBack(
  caller: Caller,
  { organization: { id: organizationId, token } }: PhaseFleet,
  id: string,
  { print }: RollBackOptions,
) {
  const params = { organizationId, id }
  for (;;) {
    const plan = await caller.call(token, 'previewRollBack', { params })
    const begin = performance.now()
    try {
      const body = { updateTime: null, expected: plan.parts, instead: [] }
      const answer = await caller.call(token, 'rollBackRollout', { params, body })
      const sum = (name: 'givenBack' | 'released' | 'notKnown') => plan.parts.reduce((all, part) => all + part[name], 0)
      print(`Rolled back: ${sum('givenBack')} given back, ${sum('released')} released, ${sum('notKnown')} not known; "${answer.message}"`)
      return { back: answer.id, milliseconds: Math.round(performance.now() - begin) }
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 409)) throw error
    }
  }
}

/** Whether every reader that gets something back is done with it, and every host PC knows what was taken back. */
async function isSettled(client: pg.Client, back: string): Promise<boolean> {
  const open = await count(
    client,
    `publication p join publication_reader r on r.publication_id = p.id left join outcome o on o.publication_id = p.id and o.device_id = r.device_id
     where p.rollout_id = $1 and r.is_here and o.outcome is null`,
    [back],
  )
  return (
    open === 0 && (await count(client, 'host h join zone z on z.id = h.zone_id where h.withdrawals is distinct from z.withdrawals')) === 0
  )
}

function judge(readers: readonly PhaseReader[], releases: readonly Release[]): Pick<RollBackResult, 'wrong' | 'written'> {
  const wrong: string[] = []
  const written: string[] = []
  for (const reader of readers) {
    const find = (hash: string) =>
      releases.find(({ device, contentHash }) => device === reader.deviceType && contentHash === hash)?.version ?? hash
    const [began, completed] = [listLogged(reader, 'begin').map(find), listLogged(reader, 'complete').map(find)]
    const runs = completed.at(-1) ?? reader.firmware
    const line = `${reader.serialNumber}, ${reader.deviceType}, ran ${reader.firmware}: began ${began.join(', ')}, took over ${completed.join(', ')}`
    if (runs !== reader.firmware) wrong.push(line)
    if (began.length > 0 && began[0] !== published) written.push(line)
  }
  return { wrong, written }
}
