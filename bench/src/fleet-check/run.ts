import { setTimeout as pause } from 'node:timers/promises'
import type pg from 'pg'
import { type Acknowledged, compareAcknowledged } from './acknowledged.ts'
import { Caller, type CallFigures } from './calls.ts'
import { makeFleet } from './fleet.ts'
import { type Comparison, compareKept, isFolded } from './kept.ts'
import { type Kills, killAt, killPoints, killPointsByWrites } from './kills.ts'
import { openStand } from './stand.ts'
import { checkInAll, work } from './workers.ts'

/** Each damage makes one difference, to see that the comparison finds it. */
export const damages = {
  figure: 'update device_total set total = total + 1 where ctid = (select ctid from device_total limit 1)',
  rollout: 'update rollout_count set failed = failed + 1 where ctid = (select ctid from rollout_count limit 1)',
  lost: `update host set reported_digest = null
    where id = (select min(h.id) from host h join device d on d.host_id = h.id where h.reported_digest is not null)`,
  twice: `insert into audit_entry (id, organization_id, change_type, target)
    select gen_random_uuid(), organization_id, change_type, target from audit_entry order by in_effect_since limit 1`,
}
export type Damage = keyof typeof damages

/**
 * What keeps writes through kills: keys of repeated calls, and commits that wait for the disk. Each may be taken away to see that its lack
 * is found.
 */
export const safeguards = ['keys', 'commit'] as const
export type Safeguard = (typeof safeguards)[number]

export interface RunOptions {
  seed: number
  /** Null: until all kills have happened, each after up to `writesPerKill` acknowledged writes. */
  minutes: number | null
  organizations: number
  workers: number
  kills: Kills
  /** When kills and minutes begin to count, provided the fleet is made by then. */
  begin: Date
  /** Given to host PCs. */
  timeZones: readonly string[]
  /** What is broken on purpose before the comparison. */
  broken: readonly Damage[]
  without: readonly Safeguard[]
  /** Whether the comparison waits until the sweep has folded the counts, once a minute. */
  isFolding: boolean
  print(line: string): void
}

export interface RunResult {
  began: Date
  ended: Date
  calls: CallFigures
  kills: Kills
  restarts: number
  kept: Comparison[]
  acknowledged: Acknowledged[]
  /** Responses that no client should get. */
  faults: string[]
  logFile: string
}

const writesPerKill = 30

/** Disturbs a fleet at work, lets it come to rest and compares. */
export async function runCheck(options: RunOptions): Promise<RunResult> {
  const { print, seed, minutes, workers } = options
  const stand = await openStand()
  let client = await stand.connect()
  try {
    const caller = new Caller(stand.url, !options.without.includes('keys'))
    const fleet = await makeFleet(stand, client, caller, options)
    if (options.without.includes('commit')) await doNotWaitForDisk(client)
    await checkInAll(fleet, workers)
    await client.end()
    print(`${options.organizations} organizations have checked in at ${new Date().toISOString()}`)
    const over = new AbortController()
    const working = work(fleet, workers, over.signal)
    await pause(Math.max(0, options.begin.getTime() - Date.now()))
    const began = new Date()
    print(`The run begins at ${began.toISOString()}`)
    const points = minutes === null ? killPointsByWrites(seed, writesPerKill, options.kills) : killPoints(seed, minutes, options.kills)
    const [kills] = await Promise.all([killAt(points, stand, () => caller.figures.acknowledged), pause((minutes ?? 0) * 60_000)])
    over.abort()
    await stand.ready()
    await working
    const ended = new Date()
    print(`It ends at ${ended.toISOString()}; what is under way is finished`)
    client = await stand.connect()
    if (options.isFolding) await waitForFold(client, print)
    for (const damage of options.broken) await client.query(damages[damage])
    return {
      began,
      ended,
      calls: caller.figures,
      kills,
      restarts: stand.restarts(),
      logFile: stand.logFile,
      kept: await compareKept(client),
      acknowledged: await compareAcknowledged(client, fleet.ledger),
      faults: [...fleet.ledger.faults, ...caller.errors],
    }
  } finally {
    await client.end().catch(() => undefined)
    await stand.stop()
  }
}

/** Concerns connections opened from now on: after the first kill, all. */
const doNotWaitForDisk = async (client: pg.Client) => {
  const { rows } = await client.query<{ name: string }>('select quote_ident(current_database()) as name')
  await client.query(`alter database ${rows[0]!.name} set synchronous_commit = off`)
}

async function waitForFold(client: pg.Client, print: (line: string) => void): Promise<void> {
  print('Waiting for the sweep, which folds the counts once a minute')
  const patience = performance.now() + 150_000
  while (!(await isFolded(client))) {
    if (performance.now() > patience) throw new Error('The sweep has not folded the counts within 150 seconds.')
    await pause(500)
  }
}
