import { createHash, randomUUID } from 'node:crypto'
import { setTimeout as pause } from 'node:timers/promises'
import type { Gate, RolloutPhase } from '@lectern/contract/publications/phases.ts'
import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import type pg from 'pg'
import { Caller } from '../fleet-check/calls.ts'
import { openStand, type Stand } from '../fleet-check/stand.ts'
import { type FleetSize, listLogged, makePhaseFleet, type PhaseFleet, type PhaseReader } from './fleet.ts'

export interface PhasesOptions extends FleetSize {
  /** Per cent of the readers in the first phase. */
  share: number
  /** How often the server is killed at the gate that passes. */
  kills: number
  /** Milliseconds after a gate in which no more readers may begin. */
  watch: number
  /** Ends the check. */
  signal?: AbortSignal
  print(line: string): void
}

export interface PhasesResult {
  readers: number
  /**
   * The rollout whose gate fails: its first phase, and how many readers began, in it, in later phases, and at hosts that were away.
   * `milliseconds`: from the halt until the last one began.
   */
  halted: { phase: RolloutPhase; started: number; startedLater: number; startedOnReturn: number; milliseconds: number }
  /** The rollout whose gate passes while the server is killed: how many readers of each phase began. */
  passed: { phases: RolloutPhase[]; started: number[]; kills: number }
}

const contentHash = (text: string) => createHash('sha256').update(text).digest('hex')

/** The first host PCs are away until the first rollout has halted. Each rollout is one call for all zones. */
export async function checkPhases(options: PhasesOptions): Promise<PhasesResult> {
  const stand = await openStand()
  const client = await stand.connect()
  const fleet = await makePhaseFleet(stand, client, options)
  try {
    for (let process = 0; process < options.processes; process++) await fleet.start(process)
    while ((await countReaders(client)) < fleet.readers.length) await pause(500, undefined, { signal: options.signal })
    options.print(`${fleet.readers.length} readers of ${options.hosts} host PCs have checked in`)
    const check = new Check(stand, fleet, options)
    return { readers: fleet.readers.length, halted: await check.halt(), passed: await check.pass() }
  } finally {
    await fleet.close()
    await client.end().catch(() => undefined)
    await stand.stop()
  }
}

async function countReaders(client: pg.Client): Promise<number> {
  const { rows } = await client.query<{ readers: string }>('select count(*) as readers from device where host_id is not null')
  return Number(rows[0]!.readers)
}

// Readers of the first process are away.
const isFailing = ({ process, refuses }: PhaseReader): boolean => process !== 0 && refuses

class Check {
  readonly #stand: Stand
  readonly #fleet: PhaseFleet
  readonly #options: PhasesOptions
  readonly #caller: Caller

  constructor(stand: Stand, fleet: PhaseFleet, options: PhasesOptions) {
    this.#stand = stand
    this.#fleet = fleet
    this.#options = options
    this.#caller = new Caller(stand.url)
  }

  /** More readers fail than the gate allows. */
  async halt(): Promise<PhasesResult['halted']> {
    const { share, watch, print } = this.#options
    const { readers } = this.#fleet
    await this.#fleet.end(0)
    const text = '<cfg>1</cfg>'
    const [id, failing] = this.#drawFailing()
    const inFirst = this.#listBetween(id, 0, share)
    // Half of these exceed it.
    const maxFailedPercent = Math.floor((failing * 50) / inFirst.length)
    await this.#publish(id, text, [{ maxFailedPercent, maxSilentPercent: 100 }])
    print(`Published; the gate halts above ${maxFailedPercent}% of ${inFirst.length} readers, of which ${failing} fail`)
    const [phase] = await this.#untilPhases(id, ([one]) => one!.state === 'halted')
    const haltedAt = performance.now()
    let [last, started] = [haltedAt, countStarted(text, inFirst)]
    while (performance.now() - haltedAt < watch) {
      await this.#pause(500)
      const now = countStarted(text, inFirst)
      if (now > started) last = performance.now()
      started = now
    }
    await this.#fleet.start(0)
    await this.#pause(watch)
    const later = readers.filter((reader) => !inFirst.includes(reader))
    const away = readers.filter(({ process }) => process === 0)
    const figures = { started, startedLater: countStarted(text, later), startedOnReturn: countStarted(text, away) }
    const halted = { phase: phase!, ...figures, milliseconds: Math.round(last - haltedAt) }
    print(`Halted: ${JSON.stringify(halted)}`)
    return halted
  }

  /** The server is killed while the last readers of the first phase report. */
  async pass(): Promise<PhasesResult['passed']> {
    const { share, watch, print } = this.#options
    const [id, text] = [randomUUID(), '<cfg>2</cfg>']
    await this.#publish(id, text, [{ maxFailedPercent: 30, maxSilentPercent: 100 }, 'by hand'])
    await this.#untilPhases(id, ([one]) => one!.state === 'passed' || one!.applied + one!.failed >= 0.9 * one!.readers)
    let kills = 0
    while (kills < this.#options.kills) {
      if (this.#stand.kill('server')) kills += 1
      await this.#stand.ready()
      await this.#pause(300)
    }
    const phases = await this.#untilPhases(id, ([, two]) => two!.state === 'byHand')
    await this.#pause(watch)
    const ends = [0, share, 2 * share, 100]
    const started = phases.map((_, index) => countStarted(text, this.#listBetween(id, ends[index]!, ends[index + 1]!)))
    print(`Passed: ${JSON.stringify({ phases, started, kills })}`)
    return { phases, started, kills }
  }

  /**
   * Draws the id of a rollout in whose first phase readers fail that are not away; returns how many, too. The id decides which readers are
   * in the phase.
   */
  #drawFailing(): [id: string, failing: number] {
    if (!this.#fleet.readers.some(isFailing)) throw new Error('No reader fails that is not away: choose more processes, or more readers.')
    for (;;) {
      const id = randomUUID()
      const failing = this.#listBetween(id, 0, this.#options.share).filter(isFailing)
      if (failing.length > 0) return [id, failing.length]
    }
  }

  #listBetween(id: string, from: number, to: number): PhaseReader[] {
    return this.#fleet.readers.filter(({ serialNumber }) => {
      const percent = readerPosition(id, serialNumber) / 100
      return percent >= from && percent < to
    })
  }

  #pause = (milliseconds: number) => pause(milliseconds, undefined, { signal: this.#options.signal })

  async #publish(key: string, text: string, gates: readonly Gate[]): Promise<void> {
    const { id, token } = this.#fleet.organization
    const body = {
      key,
      zones: { filter: {} },
      when: { now: true as const },
      parts: [{ model: 'CR2700' as const, content: { kind: 'cfg' as const, text } }],
      phases: gates.map((gate) => ({ share: this.#options.share, soakMinutes: 0, gate })),
    }
    await this.#caller.call(token, 'publishToZones', { params: { organizationId: id }, body }, key)
  }

  async #untilPhases(id: string, isReached: (phases: RolloutPhase[]) => boolean): Promise<RolloutPhase[]> {
    const { id: organizationId, token } = this.#fleet.organization
    for (;;) {
      const { phases } = await this.#caller.call(token, 'getRollout', { params: { organizationId, id } })
      if (isReached(phases)) return phases
      await this.#pause(100)
    }
  }
}

function countStarted(text: string, readers: readonly PhaseReader[]): number {
  const hash = contentHash(text)
  return readers.filter((reader) => listLogged(reader, 'begin').includes(hash)).length
}
