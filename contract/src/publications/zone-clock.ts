export const minute = 60_000
const hour = 60 * minute
export const day = 24 * hour
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

/** Returns what the clock shows at an instant, in milliseconds as if it showed UTC. */
export function wallClock(instant: number, timeZone: string): number {
  // The text "11/22/2026, 04:47:25" is parsed, as `formatToParts` takes twice as long.
  const [month, date, year, hours, minutes, seconds] = formatFor(timeZone).format(instant).match(/\d+/g)!.map(Number)
  return Date.UTC(year!, month! - 1, date, hours, minutes, seconds)
}

/** Returns the first instant at which the clock shows `wall`; where the clock skips it, the first instant after the gap. */
function findInstant(wall: number, timeZone: string): number {
  const offsets = new Set([-26, -1, 0, 1, 26].map((hours) => wallClock(wall + hours * hour, timeZone) - (wall + hours * hour)))
  const exact = [...offsets].map((offset) => wall - offset).filter((instant) => wallClock(instant, timeZone) === wall)
  if (exact.length > 0) return Math.min(...exact)
  // The clock skips it, so the jump between these two instants is looked for, to the minute.
  let before = wall - Math.max(...offsets)
  let after = wall - Math.min(...offsets)
  while (after - before > minute) {
    const middle = before + Math.floor((after - before) / 2 / minute) * minute
    if (wallClock(middle, timeZone) < wall) before = middle
    else after = middle
  }
  return after
}

const instants = new Map<string, number>()
const mostInstants = 20_000

/**
 * Returns the first instant at which the clock shows `wall`, in milliseconds.
 * @param wall milliseconds, as if the clock showed UTC
 */
export function toInstant(wall: number, timeZone: string): number {
  const key = `${wall} ${timeZone}`
  const known = instants.get(key)
  if (known !== undefined) return known
  if (instants.size >= mostInstants) instants.clear()
  const instant = findInstant(wall, timeZone)
  instants.set(key, instant)
  return instant
}

/**
 * Returns the milliseconds since midnight.
 * @param timeOfDay `HH:mm`
 */
export const toMilliseconds = (timeOfDay: string): number => {
  const [hours, minutes] = timeOfDay.split(':').map(Number) as [number, number]
  return hours * hour + minutes * minute
}

export const toDay = (wall: number): number => Math.floor(wall / day) * day

/** Returns `YYYY-MM-DD`. */
export const formatDate = (wall: number): string => new Date(wall).toISOString().slice(0, 10)

/** Returns `HH:mm`. */
export const formatTime = (wall: number): string => new Date(wall).toISOString().slice(11, 16)

/** Returns the instant at which the clock shows date and time, in milliseconds; null for a time that the clock skips. */
export function exactInstant(date: string, timeOfDay: string, timeZone: string): number | null {
  const wall = Date.parse(date) + toMilliseconds(timeOfDay)
  const instant = toInstant(wall, timeZone)
  return wallClock(instant, timeZone) === wall ? instant : null
}
