import type { Reader } from '../drivers/driver.ts'
import { sentence } from '../sentence.ts'
import { type Assignment, findStart } from '../state/assignment.ts'
import { isStarted, isTime, type Update, type UpdateContext } from './update.ts'
import { UpdateQueue } from './update-queue.ts'
import { updateReader } from './update-reader.ts'

const parallel = 4
/** Milliseconds between two looks at most, so that a clock that was set is noticed. */
const longestPause = 60_000

export interface Applier {
  /** Hands the updates that are due to workers, and returns milliseconds until the next look. */
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

  /** Those that were started before the stop time are due after it too. */
  const listDue = (assignment: Assignment, readers: readonly Reader[], hasStarted: boolean): Update[] =>
    readers
      .filter((reader) => isFor(reader, assignment) && !journal.isSettled(assignment.publication, reader.serialNumber))
      .map((reader) => queue.updateFor(assignment, reader.serialNumber))
      .filter((update) => update.notBefore <= now().getTime() && (hasStarted || isStarted(update, context)))

  return {
    async look(signal) {
      const readers = await driver.list(signal)
      const due: Update[] = []
      let next = now().getTime() + longestPause
      for (const assignment of desired.assignments) {
        const start = findStart(assignment, timeZone(), now())
        if (start > now()) next = Math.min(next, start.getTime())
        if (!assignment.halted) due.push(...listDue(assignment, readers, start <= now()))
        if (!announced.has(assignment.publication)) log.info(announce(assignment, start, context))
        announced.add(assignment.publication)
      }
      queue.keepOnly(desired.assignments)
      queue.fill(due)
      for (let free = Math.min(parallel - workers.size, due.length); free > 0; free -= 1) {
        const worker = work(signal).finally(() => workers.delete(worker))
        workers.add(worker)
      }
      return Math.min(next, queue.nextTry(now().getTime())) - now().getTime()
    },
    async idle() {
      await Promise.allSettled(workers)
    },
  }
}

const isFor = (reader: Reader, { deviceType, serialNumber }: Assignment): boolean =>
  reader.deviceType === deviceType && (serialNumber ?? reader.serialNumber) === reader.serialNumber

/** Since an update was queued, it may have been replaced, halted or settled, or its stop time may have passed. */
const isDue = (update: Update, context: UpdateContext): boolean =>
  context.desired.isOpen(update.assignment) &&
  !context.journal.isSettled(update.assignment.publication, update.serialNumber) &&
  (isTime(update, context) || isStarted(update, context))

function announce(assignment: Assignment, start: Date, { now, timeZone }: UpdateContext): string {
  const { label, deviceType, serialNumber, revision, updateTime, stopTime, halted } = assignment
  const isNow = start <= now()
  const when = halted ? 'once it is resumed' : isNow ? 'now' : `at ${updateTime} (${start.toISOString()}, ${timeZone()})`
  if (serialNumber !== undefined) return `${serialNumber}: ${label}, revision ${revision}, is applied again ${when}.`
  return `Published for ${deviceType}: ${label}, revision ${revision}. Readers update ${when}${stopTime === null ? '' : `, until ${stopTime}`}.`
}
