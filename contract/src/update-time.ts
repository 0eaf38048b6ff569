import * as z from 'zod/mini'

/** The time of day at which readers take over what was published (spec §9). */
export const defaultUpdateTime = '02:00'

/** `HH:mm`, in the zone host's local time. */
export const UpdateTime = z.string().check(z.regex(/^([01]\d|2[0-3]):[0-5]\d$/, 'The update time must be a time of day, such as 02:00.'))

/** An IANA time zone name that this program knows. */
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
const formats = new Map<string, Intl.DateTimeFormat>()

function formatFor(timeZone: string): Intl.DateTimeFormat {
  let format = formats.get(timeZone)
  if (!format) {
    format = new Intl.DateTimeFormat('en-US', {
      timeZone,
      hourCycle: 'h23',
      year: 'numeric',
      month: 'numeric',
      day: 'numeric',
      hour: 'numeric',
      minute: 'numeric',
      second: 'numeric',
      era: 'short',
    })
    formats.set(timeZone, format)
  }
  return format
}

/** The zone's wall clock at an instant, written as if it were UTC (milliseconds). */
function wallClock(instant: number, timeZone: string): number {
  const part: Record<string, string> = {}
  for (const { type, value } of formatFor(timeZone).formatToParts(instant)) part[type] = value
  return Date.UTC(+part.year!, +part.month! - 1, +part.day!, +part.hour!, +part.minute!, +part.second!)
}

/**
 * The first instant at which the zone's clock shows `wall` or, where that time is skipped, the first valid instant after the gap.
 * Where it happens twice, the first of the two.
 */
function instantOf(wall: number, timeZone: string): number {
  const offsets = new Set([-26, -1, 0, 1, 26].map((hours) => wallClock(wall + hours * hour, timeZone) - (wall + hours * hour)))
  const exact = [...offsets].map((offset) => wall - offset).filter((instant) => wallClock(instant, timeZone) === wall)
  if (exact.length > 0) return Math.min(...exact)
  // Skipped: the clock jumps over `wall` somewhere between these two instants; find the jump to the minute.
  let before = wall - Math.max(...offsets)
  let after = wall - Math.min(...offsets)
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / 2 / minute) * minute
    if (wallClock(middle, timeZone) < wall) before = middle
    else after = middle
  }
  return after
}

/**
 * When readers take over what was published at `published`: the next time the host's clock shows `updateTime`, that very minute included.
 * @param updateTime `HH:mm`; @param timeZone the host's IANA zone.
 */
export function updateInstant(published: Date, updateTime: string, timeZone: string): Date {
  const from = Math.floor(published.getTime() / minute) * minute
  const [hours, minutes] = updateTime.split(':').map(Number) as [number, number]
  const today = Math.floor(wallClock(from, timeZone) / (24 * hour)) * 24 * hour
  for (const day of [-1, 0, 1, 2]) {
    const instant = instantOf(today + day * 24 * hour + hours * hour + minutes * minute, timeZone)
    if (instant >= from) return new Date(instant)
  }
  throw new RangeError(`no ${updateTime} within three days in ${timeZone}`)
}
