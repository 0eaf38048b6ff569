import * as z from 'zod/mini'
import { findClosing, findOpenDay, findOpening, isBlocked, isRestricted, type OpenTimes } from '../schedule/open-times.ts'
import { day, formatDate, minute, toDay, toInstant, toMilliseconds, wallClock } from './zone-clock.ts'

export const defaultUpdateTime = '02:00'

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/

/** `HH:mm` in the host's time zone. */
export const UpdateTime = z.string().check(z.regex(timeOfDay, 'The update time must be a time of day, such as 02:00.'))

/** Allows "now" outside the maintenance windows, which is refused otherwise (decision 58). */
export const outsideWindow = z.optional(z.literal('allowed', 'If "outsideWindow" is given, it must be "allowed".'))

/**
 * When a publish begins: at an update time (02:00 where nothing is given), or with `when` now, as soon as the host PC has the content
 * (decision 31). `oneStart` refuses both together.
 */
export const startFields = {
  updateTime: z.optional(UpdateTime),
  when: z.optional(z.literal('now', 'If "when" is given, it must be "now".')),
  outsideWindow,
}
export interface StartFields {
  updateTime?: string | undefined
  when?: 'now' | undefined
  outsideWindow?: 'allowed' | undefined
}

export const oneStart = z.refine<StartFields>(({ updateTime, when }) => updateTime === undefined || when === undefined, {
  message: 'Give either an update time or "when": "now", not both.',
  path: ['when'],
})

/**
 * `HH:mm` in the host's time zone. From then on no further reader begins until the next update time. Null: readers may begin at any time.
 */
export const StopTime = z.nullable(z.string().check(z.regex(timeOfDay, 'The stop time must be a time of day, such as 05:00.')))

/** The instant from which a reader may begin. Past the stop time it is that of the next run. Absent without a host PC. */
export const DueAt = z.optional(z.iso.datetime())

export const TimeZone = z.string().check(z.refine(isTimeZone, 'must be an IANA time zone, such as Europe/Berlin'))

function isTimeZone(name: string): boolean {
  try {
    new Intl.DateTimeFormat('en', { timeZone: name })
    return true
  } catch {
    return false
  }
}

/** Returns the time of day on some days, in milliseconds on the clock. `days`: counted from the day of `instant`. */
function onDays(timeOfDay: string, instant: number, timeZone: string, days: readonly number[]): number[] {
  const today = toDay(wallClock(instant, timeZone))
  return days.map((after) => today + after * day + toMilliseconds(timeOfDay))
}

/** Returns when the host's clock shows `updateTime` next after a publish, in milliseconds on the clock. */
function updateWall(published: Date, updateTime: string, timeZone: string): number {
  const from = Math.floor(published.getTime() / minute) * minute
  const wall = onDays(updateTime, from, timeZone, [-1, 0, 1, 2]).find((each) => toInstant(each, timeZone) >= from)
  if (wall === undefined) throw new RangeError(`no ${updateTime} within three days in ${timeZone}`)
  return wall
}

/**
 * Returns the next instant at which the host's clock shows `updateTime`. The minute of the publish is included.
 * @param updateTime `HH:mm`
 * @param timeZone IANA name
 */
export const updateInstant = (published: Date, updateTime: string, timeZone: string): Date =>
  new Date(toInstant(updateWall(published, updateTime, timeZone), timeZone))

/** When a publication's readers may begin. Times are `HH:mm`. `startDate`: `YYYY-MM-DD`, to which the first run was moved. */
export interface RunTimes {
  updateTime: string
  stopTime: string | null
  startDate?: string | null
  openTimes?: OpenTimes
}

/** Returns when the first run is planned, in milliseconds on the clock. */
const firstWall = (published: Date, { updateTime, startDate }: RunTimes, timeZone: string): number =>
  startDate ? Date.parse(startDate) + toMilliseconds(updateTime) : updateWall(published, updateTime, timeZone)

/**
 * Returns the instant from which readers may begin (decisions 58, 82).
 * - Readers begin at the update time. If the stop time has passed, they begin at the next update time.
 * - A stop time of null, or equal to the update time, stops nothing.
 * - With windows or blocked days, an update time within a window counts on the first day on which that window is open. One outside all windows
 *   becomes the opening of the next window. When the window closes, the run of that day ends.
 * - Where a change of the clock skips all the time from the update time to the stop time, no reader begins on that day.
 * @param timeZone IANA name
 */
export function startInstant(published: Date, times: RunTimes, timeZone: string, now: Date): Date {
  const { updateTime, stopTime, openTimes } = times
  const first = firstWall(published, times, timeZone)
  if (openTimes && isRestricted(openTimes))
    return new Date(startWithin(first, { updateTime, stopTime, openTimes }, timeZone, now.getTime()))
  const due = new Date(toInstant(first, timeZone))
  if (stopTime === null || due > now) return due
  if (now.getTime() < findStop(updateTime, stopTime, timeZone, now.getTime())) return due
  return updateInstant(new Date(now.getTime() + minute), updateTime, timeZone)
}

/** Returns when the last run that begins by `now` stops, in milliseconds. */
function findStop(updateTime: string, stopTime: string, timeZone: string, now: number): number {
  const last = onDays(updateTime, now, timeZone, [1, 0, -1, -2]).find((wall) => toInstant(wall, timeZone) <= now)
  // Yesterday's update time has always passed.
  return toInstant(last! + openFor(updateTime, stopTime), timeZone)
}

/**
 * Returns when the run in progress at `at` ends, in milliseconds; Infinity where nothing ends it, null where no run is in progress. The
 * parameters are those of `startInstant`.
 */
export function findRunEnd(published: Date, times: RunTimes, timeZone: string, at: Date): number | null {
  if (startInstant(published, times, timeZone, at) > at) return null
  const { updateTime, stopTime, openTimes } = times
  if (openTimes && isRestricted(openTimes)) {
    const first = firstWall(published, times, timeZone)
    const run = { updateTime, stopTime, openTimes }
    return findClosingOfRun(findRun(first, run, timeZone, at.getTime()).wall, run, timeZone, at.getTime())
  }
  if (stopTime === null || stopTime === updateTime) return Number.POSITIVE_INFINITY
  return findStop(updateTime, stopTime, timeZone, at.getTime())
}

// Returns how long a run goes on, in milliseconds on the clock.
const openFor = (updateTime: string, stopTime: string): number => (toMilliseconds(stopTime) - toMilliseconds(updateTime) + day) % day || day

interface OpenRun extends RunTimes {
  openTimes: OpenTimes
}

function startWithin(first: number, times: OpenRun, timeZone: string, now: number): number {
  const begin = moveToOpen(first, times.openTimes, timeZone).at
  if (begin > now) return begin
  const { wall, next } = findRun(first, times, timeZone, now)
  return now < findClosingOfRun(wall, times, timeZone, now) ? begin : moveToOpen(next, times.openTimes, timeZone).at
}

/** Returns the update times of the last run that begins by `now`, and of the one after it, in milliseconds on the clock. */
function findRun(first: number, times: OpenRun, timeZone: string, now: number): { wall: number; next: number } {
  let wall = toDay(wallClock(now, timeZone)) + day + toMilliseconds(times.updateTime)
  let next = wall + day
  while (wall > first && moveToOpen(wall, times.openTimes, timeZone).at > now) {
    next = wall
    wall -= day
  }
  return { wall, next }
}

/**
 * Moves an update time to the open time. `update`: the update time of the day on which the run is, in milliseconds on the clock. `at`: the
 * instant from which readers begin, which is the opening of the next window where the update time is outside all windows.
 */
function moveToOpen(wall: number, openTimes: OpenTimes, timeZone: string): { update: number; at: number } {
  const kept = findOpenDay(wall, openTimes, timeZone)
  if (kept !== undefined) return { update: kept, at: toInstant(kept, timeZone) }
  let update = wall
  while (isBlocked(openTimes, formatDate(update))) update += day
  return { update, at: findOpening(toInstant(update, timeZone), openTimes, timeZone) }
}

/** Returns when a run ends, in milliseconds: with the open time, or at a stop time before that. */
function findClosingOfRun(wall: number, { updateTime, stopTime, openTimes }: OpenRun, timeZone: string, now: number): number {
  const { update, at } = moveToOpen(wall, openTimes, timeZone)
  const closing = findClosing(at, openTimes, timeZone, now)
  if (stopTime === null || stopTime === updateTime) return closing
  const stop = toInstant(update + openFor(updateTime, stopTime), timeZone)
  // Where the start was moved past the stop time, the next stop time counts.
  const isMoved = at > toInstant(update, timeZone)
  const stops = onDays(stopTime, at, timeZone, [-1, 0, 1, 2]).map((each) => toInstant(each, timeZone))
  return Math.min(closing, isMoved && stop <= at ? stops.find((each) => each > at)! : stop)
}
