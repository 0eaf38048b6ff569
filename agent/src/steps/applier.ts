import { currentTimeZone } from '@lectern/contract/publications/time-zone-history.ts'
import { canTake, type Reader } from '../drivers/driver.ts'
import { sentence } from '../sentence.ts'
import { type Assignment, findStart, isForReader } from '../state/assignment.ts'
import { makeKey } from '../state/journal.ts'
import { isActive } from './states.ts'
import { isInPhase, isInProgress, isTime, type Update, type UpdateContext } from './update.ts'
import { updateReader } from './update-reader.ts'

const parallel = 4
/** Milliseconds between looks, short enough that a changed clock is noticed. */
const longestPause = 60_000

export interface Applier {
  /** Whether a reader is still being updated with something that is no longer desired. */
  finishesReplaced(): boolean
  /** Returns the milliseconds until the next look. */
  look(signal: AbortSignal): Promise<number>
  idle(): Promise<void>
}

export function createApplier(context: UpdateContext): Applier {
  const { driver, desired, journal, log, now, timeZone } = context
  const queue = new UpdateQueue()
  const workers = new Set<Promise<void>>()
  const announced = new Set<string>()

  async function work(signal: AbortSignal): Promise<void> {
    for (let update = queue.take(); update; update = queue.take()) {
      try {
        if (signal.aborted || !isDue(update, context)) continue
        const { state, reason } = await updateReader(update, context, signal)
        if (state === 'failed') log.warn(`${update.serialNumber}: ${update.assignment.label} failed. ${reason}`)
      } catch (error) {
        log.warn(sentence(error))
      } finally {
        queue.release(update)
      }
    }
  }

  /** An update in progress is due after the stop time too, and one that is not possible at once. */
  const listDue = (assignment: Assignment, readers: readonly Reader[], at: Date, isAfterStart: boolean): Update[] =>
    readers
      .filter((reader) => isFor(reader, assignment) && !journal.hasOutcome(assignment.publication, reader.serialNumber))
      .map((reader) => queue.updateFor(assignment, reader))
      .filter(
        (update) =>
          update.notBefore <= at.getTime() && ((isAfterStart && isInPhase(update)) || isInProgress(update, context) || update.isImpossible),
      )

  return {
    finishesReplaced: () => queue.taken().some(({ assignment }) => !desired.has(assignment.publication)),
    async look(signal) {
      const readers = await driver.list(signal)
      // One instant for the whole look: what becomes due during it counts as still to come.
      const at = now()
      const due: Update[] = []
      let next = at.getTime() + longestPause
      for (const assignment of desired.assignments) {
        const start = findStart(assignment, timeZone, at)
        if (start > at) next = Math.min(next, start.getTime())
        if (!assignment.halted) due.push(...listDue(assignment, readers, at, start <= at))
        if (!announced.has(assignment.publication)) log.info(announce(assignment, start, context))
        announced.add(assignment.publication)
      }
      queue.keepOnly(desired.assignments)
      queue.fill(due)
      for (let free = Math.min(parallel - workers.size, due.length); free > 0; free -= 1) {
        const worker = work(signal).finally(() => workers.delete(worker))
        workers.add(worker)
      }
      return Math.min(next, queue.nextTry(at.getTime())) - now().getTime()
    },
    async idle() {
      await Promise.allSettled(workers)
    },
  }
}

const isFor = ({ deviceType, serialNumber }: Reader, assignment: Assignment): boolean =>
  deviceType === assignment.deviceType && isForReader(assignment, serialNumber)

/** Since it was queued, it may have been halted or replaced, or its outcome or its stop time may have come. */
const isDue = (update: Update, context: UpdateContext): boolean =>
  context.desired.isOpen(update.assignment, update.serialNumber) &&
  !context.journal.hasOutcome(update.assignment.publication, update.serialNumber) &&
  ((isTime(update, context) && isInPhase(update)) || isInProgress(update, context) || update.isImpossible)

function announce(assignment: Assignment, start: Date, { now, timeZone }: UpdateContext): string {
  const { label, deviceType, serialNumber, revision, updateTime, stopTime, halted, timeZoneHistory } = assignment
  const isNow = start <= now()
  const when = halted
    ? 'once it is resumed'
    : isNow
      ? 'now'
      : `at ${updateTime} (${start.toISOString()}, ${currentTimeZone(timeZoneHistory ?? timeZone())})`
  if (serialNumber !== undefined) return `${serialNumber}: ${label}, revision ${revision}, is applied again ${when}.`
  return `Published for ${deviceType}: ${label}, revision ${revision}. Readers update ${when}${stopTime === null ? '' : `, until ${stopTime}`}.`
}

/** Updates without an outcome. One per reader is taken at a time. */
class UpdateQueue {
  readonly #updates = new Map<string, Update>()
  readonly #taken = new Map<string, Update>()
  #waiting: Update[] = []

  updateFor(assignment: Assignment, reader: Reader): Update {
    const { serialNumber } = reader
    const isImpossible = !canTake(reader, assignment.kind)
    const key = makeKey({ publication: assignment.publication, serialNumber })
    const update = this.#updates.get(key) ?? {
      assignment,
      serialNumber,
      state: 'queued',
      isImpossible,
      content: null,
      tries: 0,
      notBefore: 0,
    }
    // It may have been halted since the last look.
    update.assignment = assignment
    update.isImpossible = isImpossible
    this.#updates.set(key, update)
    return update
  }

  fill(updates: readonly Update[]): void {
    this.#waiting = updates.filter((update) => this.#taken.get(update.serialNumber) !== update)
  }

  /** Takes the first update whose reader is free. The caller releases the reader. */
  take(): Update | undefined {
    const index = this.#waiting.findIndex(({ serialNumber }) => !this.#taken.has(serialNumber))
    const [update] = index < 0 ? [] : this.#waiting.splice(index, 1)
    if (update) this.#taken.set(update.serialNumber, update)
    return update
  }

  taken(): Update[] {
    return [...this.#taken.values()]
  }

  release(update: Update): void {
    this.#taken.delete(update.serialNumber)
    if (!isActive(update.state))
      this.#updates.delete(makeKey({ publication: update.assignment.publication, serialNumber: update.serialNumber }))
  }

  keepOnly(assignments: readonly Assignment[]): void {
    const publications = new Set(assignments.map(({ publication }) => publication))
    for (const [key, { assignment }] of this.#updates) if (!publications.has(assignment.publication)) this.#updates.delete(key)
  }

  nextTry(now: number): number {
    return Math.min(...[...this.#updates.values()].map(({ notBefore }) => notBefore).filter((at) => at > now))
  }
}
