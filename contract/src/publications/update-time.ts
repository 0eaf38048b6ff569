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

/** `HH:mm` in the host's time zone: from then no further reader begins until the next update time. Null: readers may begin at any time. */
export const StopTime = z.nullable(z.string().check(z.regex(timeOfDay, 'The stop time must be a time of day, such as 05:00.')))

/** When a reader may begin: the update instant or, past the stop time, the next one; absent without a host PC. */
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

/** Milliseconds on the clock, for each of `days` counted from the day of `instant`. */
function onDays(timeOfDay: string, instant: number, timeZone: string, days: readonly number[]): number[] {
  const today = toDay(wallClock(instant, timeZone))
  return days.map((after) => today + after * day + toMilliseconds(timeOfDay))
}

/** The next time that the host's clock shows `updateTime`, in milliseconds on it. */
function updateWall(published: Date, updateTime: string, timeZone: string): number {
  const from = Math.floor(published.getTime() / minute) * minute
  const wall = onDays(updateTime, from, timeZone, [-1, 0, 1, 2]).find((each) => toInstant(each, timeZone) >= from)
  if (wall === undefined) throw new RangeError(`no ${updateTime} within three days in ${timeZone}`)
  return wall
}

/**
 * The next instant at which the host's clock shows `updateTime`, that minute included.
 * @param updateTime `HH:mm`
 * @param timeZone IANA name
 */
export const updateInstant = (published: Date, updateTime: string, timeZone: string): Date =>
  new Date(toInstant(updateWall(published, updateTime, timeZone), timeZone))

/** Times are `HH:mm`. `startDate`: `YYYY-MM-DD` of the first update, where it was moved to a day. */
export interface RunTimes {
  updateTime: string
  stopTime: string | null
  startDate?: string | null
  openTimes?: OpenTimes
}

/** When the first run is planned, in milliseconds on the clock. */
const firstWall = (published: Date, { updateTime, startDate }: RunTimes, timeZone: string): number =>
  startDate ? Date.parse(startDate) + toMilliseconds(updateTime) : updateWall(published, updateTime, timeZone)

/**
 * When readers may begin: the update instant or, from the stop time on, the next one. A stop time of null, or equal to the update time,
 * stops nothing. Where a change of the offset skips all the time between the two, no reader begins on that day. A time within a window is
 * kept, on the first day on which it is open; a time outside all windows becomes the start of the next. The end of the open time ends the
 * day's run (decisions 58, 82).
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

/** When the last run stops, of those that begin by `now`. */
function findStop(updateTime: string, stopTime: string, timeZone: string, now: number): number {
  const last = onDays(updateTime, now, timeZone, [1, 0, -1, -2]).find((wall) => toInstant(wall, timeZone) <= now)
  // Yesterday's update time has always passed.
  return toInstant(last! + openFor(updateTime, stopTime), timeZone)
}

/**
 * When the run in progress at `at` ends, in milliseconds; Infinity where nothing ends it, null where none is in progress. Its parameters
 * are those of `startInstant`.
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

// In milliseconds on the clock.
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

/** The last run that begins by `now`, and the one after it, in milliseconds on the clock. */
function findRun(first: number, times: OpenRun, timeZone: string, now: number): { wall: number; next: number } {
  let wall = toDay(wallClock(now, timeZone)) + day + toMilliseconds(times.updateTime)
  let next = wall + day
  while (wall > first && moveToOpen(wall, times.openTimes, timeZone).at > now) {
    next = wall
    wall -= day
  }
  return { wall, next }
}

// A time outside every window becomes the start of the next one, from the first day that is not blocked.
function moveToOpen(wall: number, openTimes: OpenTimes, timeZone: string): { update: number; at: number } {
  const kept = findOpenDay(wall, openTimes, timeZone)
  if (kept !== undefined) return { update: kept, at: toInstant(kept, timeZone) }
  let update = wall
  while (isBlocked(openTimes, formatDate(update))) update += day
  return { update, at: findOpening(toInstant(update, timeZone), openTimes, timeZone) }
}

/** A run ends with the open time, or at the stop time before that. */
function findClosingOfRun(wall: number, { updateTime, stopTime, openTimes }: OpenRun, timeZone: string, now: number): number {
  const { update, at } = moveToOpen(wall, openTimes, timeZone)
  const closing = findClosing(at, openTimes, timeZone, now)
  if (stopTime === null || stopTime === updateTime) return closing
  const stop = toInstant(update + openFor(updateTime, stopTime), timeZone)
  // A start that was moved past the stop time has the next stop time.
  const isMoved = at > toInstant(update, timeZone)
  const stops = onDays(stopTime, at, timeZone, [-1, 0, 1, 2]).map((each) => toInstant(each, timeZone))
  return Math.min(closing, isMoved && stop <= at ? stops.find((each) => each > at)! : stop)
}
