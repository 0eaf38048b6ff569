import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { RolloutPhase } from '@lectern/contract/publications/phases.ts'
import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { Caller } from '../fleet-check/calls.ts'
import { openStand } from '../fleet-check/stand.ts'
import { type FleetSize, listBegun, makePhaseFleet, type PhaseReader } from './fleet.ts'

export interface PhasesOptions extends FleetSize {
  /** Per cent of the readers in the first phase. */
  share: number
  /** Of the server, at the gate that passes. */
  kills: number
  /** Milliseconds after a gate in which nothing more may begin. */
  watch: number
  print(line: string): void
}

export interface PhasesResult {
  readers: number
  /** Of the rollout whose gate fails: its first phase, how many readers of it began, and of the others. */
  halted: { phase: RolloutPhase; began: number; beganLater: number; beganAfterReturn: number; milliseconds: number }
  /** Of the one whose gate passes while the server is killed: readers of each phase that began. */
  passed: { phases: RolloutPhase[]; began: number[]; kills: number }
}

const contentHash = (text: string) => createHash('sha256').update(text).digest('hex')

/** The first host PCs are away until the first rollout has halted. Each rollout is one call over all zones. */
export async function checkPhases(options: PhasesOptions): Promise<PhasesResult> {
  const { print } = options
  const stand = await openStand()
  const client = await stand.connect()
  const caller = new Caller(stand.url)
  const fleet = await makePhaseFleet(stand, client, options)
  const { organization, readers } = fleet
  const of = (id: string) => ({ params: { organizationId: organization.id, id } })
  const readPhases = async (id: string) => (await caller.call(organization.token, 'getRollout', of(id))).phases
  const untilPhases = async (id: string, isReached: (phases: RolloutPhase[]) => boolean) => {
    for (;;) {
      const phases = await readPhases(id)
      if (isReached(phases)) return phases
      await pause(100)
    }
  }
  const publish = async (key: string, text: string, gates: readonly object[]) => {
    const body = {
      ...{ key, zones: { filter: {} }, when: { now: true as const } },
      parts: [{ model: 'CR2700' as const, content: { kind: 'cfg' as const, text } }],
      phases: gates.map((gate) => ({ share: options.share, soakMinutes: 0, gate })),
    }
    await caller.call(organization.token, 'publishToZones', { params: { organizationId: organization.id }, body: body as never }, key)
  }
  const positionsOf = (id: string) => new Map(readers.map((reader) => [reader, readerPosition(id, reader.serialNumber)]))
  const countBegun = (text: string, some: readonly PhaseReader[]) =>
    some.filter((reader) => listBegun(reader).includes(contentHash(text))).length
  try {
    for (let process = 0; process < options.processes; process++) await fleet.start(process)
    for (;;) {
      const { rows } = await client.query<{ readers: string }>(
        'select count(*) as readers from device where last_seen_at is not null or host_id is not null',
      )
      if (Number(rows[0]!.readers) === readers.length) break
      await pause(500)
    }
    print(`${readers.length} readers of ${options.hosts} host PCs have checked in`)
    await fleet.end(0)

    const isHere = ({ process }: PhaseReader) => process !== 0
    const failing = (id: string) =>
      readers.filter((reader) => isHere(reader) && reader.refuses && readerPosition(id, reader.serialNumber) < options.share * 100).length
    // A gate that these failures must fill: at most as many as half of them.
    const [first, halting] = [randomUUID(), '<cfg>1</cfg>']
    const inFirst = readers.filter(({ serialNumber }) => readerPosition(first, serialNumber) < options.share * 100)
    const maxFailedPercent = Math.floor((failing(first) * 50) / inFirst.length)
    await publish(first, halting, [{ maxFailedPercent, maxOfflinePercent: 100 }])
    print(`Published; the gate halts above ${maxFailedPercent}% of ${inFirst.length} readers, of which ${failing(first)} fail`)
    const [phase] = await untilPhases(first, ([one]) => one!.state === 'halted')
    const haltedAt = performance.now()
    // What is being written to is finished.
    let began = countBegun(halting, inFirst)
    let lastAt = haltedAt
    while (performance.now() - haltedAt < options.watch) {
      await pause(500)
      const now = countBegun(halting, inFirst)
      if (now > began) lastAt = performance.now()
      began = now
    }
    await fleet.start(0)
    await pause(options.watch)
    const away = readers.filter((reader) => !isHere(reader))
    const later = readers.filter((reader) => !inFirst.includes(reader))
    const halted = {
      ...{ phase: phase!, began, beganLater: countBegun(halting, later), beganAfterReturn: countBegun(halting, away) },
      milliseconds: Math.round(lastAt - haltedAt),
    }
    print(`Halted: ${JSON.stringify(halted)}`)

    const [second, passing] = [randomUUID(), '<cfg>2</cfg>']
    await publish(second, passing, [{ maxFailedPercent: 30, maxOfflinePercent: 100 }, 'by hand' as never])
    let kills = 0
    // At the gate: shortly before the last readers of the phase are reported, and again until it has passed.
    const near = ([one]: RolloutPhase[]) => one!.state === 'passed' || one!.applied + one!.failed >= 0.9 * one!.readers
    await untilPhases(second, near)
    while (kills < options.kills) {
      stand.kill('server')
      kills += 1
      await stand.ready()
      await pause(300)
    }
    const phases = await untilPhases(second, ([, two]) => two!.state === 'byHand')
    await pause(options.watch)
    const positions = positionsOf(second)
    const ends = [0, options.share * 100, options.share * 200, 10_000]
    const beganIn = phases.map((_, index) =>
      countBegun(
        passing,
        readers.filter((reader) => positions.get(reader)! >= ends[index]! && positions.get(reader)! < ends[index + 1]!),
      ),
    )
    print(`Passed: ${JSON.stringify({ began: beganIn, kills })}`)
    return { readers: readers.length, halted, passed: { phases, began: beganIn, kills } }
  } finally {
    await fleet.close()
    await client.end().catch(() => undefined)
    await stand.stop()
  }
}
