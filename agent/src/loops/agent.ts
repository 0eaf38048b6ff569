import type { Driver } from '../drivers/driver.ts'
import type { Log } from '../log.ts'
import type { Server } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { watchReachability } from '../server/reachability.ts'
import type { Contents } from '../state/contents.ts'
import type { DesiredState } from '../state/desired-state.ts'
import { Downloads } from '../state/downloads.ts'
import type { InProgress } from '../state/in-progress.ts'
import type { Journal } from '../state/journal.ts'
import { type Applier, createApplier } from '../steps/applier.ts'
import type { Update } from '../steps/update.ts'
import { pause, Wakeup } from '../wakeup.ts'
import { CheckIns, type LastCheckIn, longestSettling } from './check-ins.ts'
import { Events } from './events.ts'
import { loop } from './loop.ts'
import { OutcomeReports } from './outcomes.ts'
import { ProgressReports } from './progress.ts'

export interface AgentParts {
  server: Server
  driver: Driver
  desired: DesiredState
  contents: (server: Server) => Contents
  journal: Journal
  inProgress: InProgress
  log: Log
  agentVersion: string
  timeZone: () => string
  /** Milliseconds between two looks at the readers; without an event stream also between two requests for the desired state. */
  poll: number
  /** Milliseconds between check-ins, and between requests for the desired state, while nothing changes. */
  interval: number
  /** That of the last check-in's answer; 0 where there was none. */
  sequence: number
  /** The command by which this PC becomes a new host PC. */
  enrollAnew: string
  now: () => Date
  onCheckedIn: (last: LastCheckIn) => Promise<void>
}

/** Milliseconds for which changes are gathered. */
const gathering = 300
/** Milliseconds that running updates get when the agent ends. */
const drainTimeout = 15_000

export async function runAgent(parts: AgentParts, signal: AbortSignal): Promise<void> {
  const ending = new AbortController()
  const over = AbortSignal.any([signal, ending.signal])
  const agent = new Agent(parts, over)
  const loops = agent.loops().map(([name, wakeup, work]) => loop(name, wakeup, work, { log: parts.log, signal: over }))
  try {
    await Promise.all(loops)
  } finally {
    ending.abort()
    await Promise.allSettled(loops)
    await agent.drain()
  }
}

/** The loops share the state on disk and wake each other. None depends on the others' order. */
class Agent {
  readonly #parts: AgentParts
  readonly #signal: AbortSignal
  readonly #server: ReturnType<typeof watchReachability>
  readonly #downloads: Downloads
  readonly #checkIns: CheckIns
  readonly #outcomes: OutcomeReports
  readonly #progress: ProgressReports
  readonly #events: Events
  readonly #applier: Applier
  // Resolves once the server has answered: what was desired before this PC was switched off may have been taken back.
  readonly #asked = Promise.withResolvers<void>()
  // The same of a check-in: another PC may have this folder too.
  readonly #hasCheckedIn = Promise.withResolvers<void>()
  readonly #wakeups = {
    checkIn: new Wakeup(),
    desired: new Wakeup(),
    downloads: new Wakeup(),
    updates: new Wakeup(),
    outcomes: new Wakeup(),
    progress: new Wakeup(),
    events: new Wakeup(),
  }

  constructor(parts: AgentParts, signal: AbortSignal) {
    const { log, now, journal } = parts
    this.#parts = parts
    this.#signal = signal
    this.#server = watchReachability(parts.server, log, now)
    this.#progress = new ProgressReports(this.#server)
    this.#downloads = new Downloads(parts.contents(this.#server), log, ({ publications }, percent) => {
      for (const publication of publications) this.#addProgress(publication, null, percent)
    })
    this.#checkIns = new CheckIns({
      ...parts,
      server: this.#server,
      withdrawals: () => this.#findSettledWithdrawals(),
      onCheckedIn: (last) => this.#onCheckedIn(last),
    })
    this.#outcomes = new OutcomeReports(this.#server, journal, log, now, (serialNumber) => this.#checkIns.isKnown(serialNumber))
    this.#events = new Events({ server: this.#server, log, now, poll: parts.poll, onHint: () => this.#wakeups.desired.wake() })
    this.#applier = createApplier({
      ...parts,
      downloads: this.#downloads,
      onProgress: ({ assignment, serialNumber }, percent) => this.#addProgress(assignment.publication, serialNumber, percent),
      onTransition: (update) => this.#onTransition(update),
    })
  }

  loops(): [name: string, wakeup: Wakeup, work: () => Promise<number>][] {
    const { checkIn, desired, downloads, updates, outcomes, progress, events } = this.#wakeups
    return [
      ['Check-in', checkIn, () => this.#checkIn()],
      ['Desired state', desired, () => this.#learn()],
      ['Downloads', downloads, () => this.#download()],
      ['Updates', updates, () => this.#update()],
      ['Outcomes', outcomes, () => this.#report()],
      ['Progress', progress, () => this.#sendProgress()],
      ['Events', events, () => this.#events.run(this.#signal)],
    ]
  }

  async drain(): Promise<void> {
    const isIdle = new AbortController()
    await Promise.race([this.#applier.idle(), pause(drainTimeout, isIdle.signal)])
    isIdle.abort()
  }

  #addProgress(publication: string, serialNumber: string | null, percent: number): void {
    this.#progress.add(publication, serialNumber, percent)
    this.#wakeups.progress.wake()
  }

  async #onCheckedIn(last: LastCheckIn): Promise<void> {
    // The server accepts outcomes only for readers that it knows.
    this.#wakeups.outcomes.wake()
    await this.#parts.onCheckedIn(last)
  }

  #onTransition({ state, assignment, serialNumber }: Update): void {
    if (state === 'downloading') this.#wakeups.downloads.wake()
    if (state === 'postponed') this.#wakeups.updates.wake()
    if (state !== 'settled' && state !== 'failed') return
    this.#progress.remove(assignment.publication, serialNumber)
    this.#checkIns.setChanged()
    this.#wakeups.outcomes.wake()
    this.#wakeups.checkIn.wake()
  }

  #checkIn(): Promise<number> {
    return this.#checkIns.run(this.#signal).finally(() => this.#hasCheckedIn.resolve())
  }

  async #learn(): Promise<number> {
    const { desired, journal, poll, interval } = this.#parts
    const answer = await this.#server
      .call('getDesired', { query: { knowsPhases: true, knowsReturns: true, keepsTimes: true, knowsTimeZones: true } }, this.#signal)
      .finally(() => this.#asked.resolve())
    if (answer.onTwoPcs) {
      this.#checkIns.setOnTwoPcs()
      return interval
    }
    const publications = new Map(desired.assignments.map(({ publication, desiredPublication }) => [publication, desiredPublication]))
    const applied = new Set(journal.applied().map(({ publication }) => publications.get(publication) ?? publication))
    if (await desired.take(answer, (publication) => applied.has(publication))) {
      await journal.keepOnly(new Set([...desired.assignments, ...desired.previous].map(({ publication }) => publication)))
      this.#wakeups.downloads.wake()
      this.#wakeups.updates.wake()
      // What readers have applied of it is part of their report.
      this.#wakeups.checkIn.wake()
    }
    return this.#events.isListening ? interval : poll
  }

  /** The first look waits until the server has answered once, or is away. */
  async #update(): Promise<number> {
    await Promise.all([this.#asked.promise, this.#hasCheckedIn.promise])
    if (!this.#checkIns.isAlone) return Math.min(this.#parts.poll, longestSettling)
    return this.#applier.look(this.#signal)
  }

  #findSettledWithdrawals(): number | undefined {
    const { desired, journal } = this.#parts
    const isUnderWay = this.#applier.finishesReplaced() || journal.unsent().some(({ publication }) => !desired.has(publication))
    return isUnderWay ? undefined : desired.withdrawals
  }

  async #download(): Promise<number> {
    try {
      await this.#downloads.fetchAll(this.#parts.desired.contents, this.#signal)
    } catch (error) {
      if (!(error instanceof Refusal && error.status === 404)) throw error
      // What is applied is no longer desired.
      this.#wakeups.desired.wake()
      throw new Unavailable(error.message)
    } finally {
      this.#wakeups.updates.wake()
    }
    return this.#parts.poll
  }

  async #report(): Promise<number> {
    if (this.#checkIns.hasReportedAll && this.#parts.journal.unsent().length > 0) {
      await pause(gathering, this.#signal)
      await this.#outcomes.send(this.#signal)
      this.#wakeups.checkIn.wake()
    }
    return this.#parts.poll
  }

  async #sendProgress(): Promise<number> {
    await this.#progress.send(this.#signal)
    return this.#parts.poll
  }
}
