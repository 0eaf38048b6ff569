import * as z from 'zod/mini'

export const defaultUpdateTime = '02:00'

const timeOfDay = /^([01]\d|2[0-3]):[0-5]\d$/

/** `HH:mm` in the host's time zone. */
export const UpdateTime = z.string().check(z.regex(timeOfDay, 'The update time must be a time of day, such as 02:00.'))

/**
 * Of a publish: at an update time (02:00 where neither is given) or, with `when`, now: as soon as the host PC has the content (decision 31). Both is
 * refused by `oneStart`.
 */
export const startFields = {
  updateTime: z.optional(UpdateTime),
  when: z.optional(z.literal('now', 'If "when" is given, it must be "now".')),
}
export interface StartFields {
  updateTime?: string | undefined
  when?: 'now' | undefined
}

export const oneStart = z.refine<StartFields>(({ updateTime, when }) => updateTime === undefined || when === undefined, {
  message: 'Give either an update time or "when": "now", not both.',
  path: ['when'],
})

/** `HH:mm` in the host's time zone: no further reader begins until the next update time. Null: readers may begin at any time. */
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

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    const date = { year: 'numeric', month: 'numeric', day: 'numeric' } as const
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      ...date,
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
    })
    formats.set(timeZone, format)
  }
  return format
}

/** Milliseconds, as if the wall clock showed UTC. */
export function wallClock(instant: number, timeZone: string): number {
  // Taken apart from the text, "11/22/2026, 04:47:25": the parts take twice as long.
  const [month, date, year, hours, minutes, seconds] = formatFor(timeZone).format(instant).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, date, hours, minutes, seconds)
}

/** Where the clock skips `wall`, the first instant after the gap; where it shows it twice, the first. */
function toInstant(wall: number, timeZone: string): number {
  const offsets = new Set([-26, -1, 0, 1, 26].map((hours) => wallClock(wall + hours * hour, timeZone) - (wall + hours * hour)))
  const exact = [...offsets].map((offset) => wall - offset).filter((instant) => wallClock(instant, timeZone) === wall)
  if (exact.length > 0) return Math.min(...exact)
  // Skipped: find the jump between these two instants, to the minute.
  let before = wall - Math.max(...offsets)
  let after = wall - Math.min(...offsets)
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / 2 / minute) * minute
    if (wallClock(middle, timeZone) < wall) before = middle
    else after = middle
  }
  return after
}

const toMilliseconds = (timeOfDay: string): number => {
  const [hours, minutes] = timeOfDay.split(':').map(Number) as [number, number]
  return hours * hour + minutes * minute
}

/** Milliseconds as if in UTC, for each of `days` after that of `instant`. */
function onDays(timeOfDay: string, instant: number, timeZone: string, days: readonly number[]): number[] {
  const today = Math.floor(wallClock(instant, timeZone) / day) * day
  return days.map((after) => today + after * day + toMilliseconds(timeOfDay))
}

/**
 * The next time the host's clock shows `updateTime`, that minute included.
 * @param updateTime `HH:mm`
 * @param timeZone IANA name
 */
export function updateInstant(published: Date, updateTime: string, timeZone: string): Date {
  const from = Math.floor(published.getTime() / minute) * minute
  for (const wall of onDays(updateTime, from, timeZone, [-1, 0, 1, 2])) {
    const instant = toInstant(wall, timeZone)
    if (instant >= from) return new Date(instant)
  }
  throw new RangeError(`no ${updateTime} within three days in ${timeZone}`)
}

/**
 * The update instant or, from the stop time on, the next one. A stop time of null, or equal to the update time, stops nothing. Where a change of the
 * offset skips all the time between the two, no reader begins on that day.
 * @param times `HH:mm`
 * @param timeZone IANA name
 */
export function startInstant(published: Date, times: { updateTime: string; stopTime: string | null }, timeZone: string, now: Date): Date {
  const { updateTime, stopTime } = times
  const due = updateInstant(published, updateTime, timeZone)
  if (stopTime === null || due > now) return due
  const last = onDays(updateTime, now.getTime(), timeZone, [1, 0, -1, -2]).find((wall) => toInstant(wall, timeZone) <= now.getTime())
  const open = (toMilliseconds(stopTime) - toMilliseconds(updateTime) + day) % day || day
  if (last === undefined || now.getTime() < toInstant(last + open, timeZone)) return due
  return updateInstant(new Date(now.getTime() + minute), updateTime, timeZone)
}
