import * as z from 'zod/mini'
import { day, formatDate, formatTime, toDay, toInstant, toMilliseconds, wallClock } from '../publications/zone-clock.ts'

export const weekdays = ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const
export type Weekday = (typeof weekdays)[number]

/** `HH:mm` on a host's clock. `to` is excluded; where it is not after `from`, it is on the next day. */
export interface Window {
  days: Weekday[]
  from: string
  to: string
}

/** `YYYY-MM-DD`, both included. */
export interface BlockedDays {
  from: string
  to: string
}

/** When runs may be: within any of the windows (always, where there are none), and never on a blocked day. */
export interface OpenTimes {
  windows: Window[]
  blockedDays: BlockedDays[]
}

// In the form in which the server sends them to hosts.
export const OpenTimes = z.object({
  windows: z.array(z.object({ days: z.array(z.enum(weekdays)), from: z.string(), to: z.string() })),
  blockedDays: z.array(z.object({ from: z.string(), to: z.string() })),
})

export const always: OpenTimes = { windows: [], blockedDays: [] }

// Days after which the search for an opening ends; blocked days end before.
const horizon = 4_000
const year = 366 * day

export const isRestricted = ({ windows, blockedDays }: OpenTimes): boolean => windows.length > 0 || blockedDays.length > 0

export const isBlocked = ({ blockedDays }: OpenTimes, date: string): boolean =>
  blockedDays.some(({ from, to }) => from <= date && date <= to)

const toWeekday = (wall: number): Weekday => weekdays[(new Date(wall).getUTCDay() + 6) % 7]!

// From an instant to another, that one excluded.
interface Opening {
  from: number
  to: number
}

/** Lists what opens on a day of the clock. A window past midnight is two openings, as each day may be blocked. */
function listOpenings(today: number, openTimes: OpenTimes, timeZone: string): Opening[] {
  const tomorrow = today + day
  const windows = openTimes.windows.filter(({ days }) => days.includes(toWeekday(today)))
  const walls = windows.map(({ from, to }) => {
    const begin = today + toMilliseconds(from)
    const end = today + toMilliseconds(to)
    return { begin, end: end > begin ? end : end + day }
  })
  const open = openTimes.windows.length === 0 ? [{ begin: today, end: tomorrow }] : walls
  const parts = open.flatMap(({ begin, end }) => [
    ...(isBlocked(openTimes, formatDate(today)) ? [] : [{ begin, end: Math.min(end, tomorrow) }]),
    ...(end <= tomorrow || isBlocked(openTimes, formatDate(tomorrow)) ? [] : [{ begin: tomorrow, end }]),
  ])
  return parts
    .map(({ begin, end }) => ({ from: toInstant(begin, timeZone), to: toInstant(end, timeZone) }))
    .filter(({ from, to }) => from < to)
}

// The first instant, from this one on, at which runs may be.
export function findOpening(instant: number, openTimes: OpenTimes, timeZone: string): number {
  const yesterday = toDay(wallClock(instant, timeZone)) - day
  for (let days = 0; days < horizon; days += 1) {
    const open = listOpenings(yesterday + days * day, openTimes, timeZone).filter(({ to }) => to > instant)
    if (open.length > 0) return Math.max(instant, Math.min(...open.map(({ from }) => from)))
  }
  return instant + horizon * day
}

const findNextDay = (each: Weekday): Weekday => weekdays[(weekdays.indexOf(each) + 1) % 7]!

/** Days of the week on which a time of day, `HH:mm`, is within a window. None for a time outside all windows, and without windows. */
export function listDaysWithin(time: string, { windows }: OpenTimes): ReadonlySet<Weekday> {
  const around = windows.filter(({ from, to }) => (from < to ? from <= time && time < to : from <= time || time < to))
  return new Set(around.flatMap(({ days, from }) => (from <= time ? days : days.map(findNextDay))))
}

/**
 * The first day, within a year from `wall`, on which its time is open; both in milliseconds on the clock. Undefined where there is none, as
 * for a time outside every window.
 */
export function findOpenDay(wall: number, openTimes: OpenTimes, timeZone: string): number | undefined {
  const days = listDaysWithin(formatTime(wall), openTimes)
  if (days.size === 0) return undefined
  for (let each = wall; each < wall + year; each += day) {
    if (!days.has(toWeekday(each)) || isBlocked(openTimes, formatDate(each))) continue
    // A change of the clock may skip the window.
    const at = toInstant(each, timeZone)
    if (findOpening(at, openTimes, timeZone) === at) return each
  }
  return undefined
}

/** The end of the open time that contains an instant; or, where that is later than `until`, some instant after `until` within it. */
export function findClosing(instant: number, openTimes: OpenTimes, timeZone: string, until: number): number {
  let end = instant
  for (;;) {
    const today = toDay(wallClock(end, timeZone))
    const around = [today - day, today, today + day].flatMap((each) => listOpenings(each, openTimes, timeZone))
    const further = around.filter(({ from, to }) => from <= end && to > end).map(({ to }) => to)
    if (further.length === 0 || end > until) return end
    end = Math.max(...further)
  }
}

// Whether anything opens within a year of a date, on a clock without changes.
export function everOpens(openTimes: OpenTimes, date: string): boolean {
  const from = Date.parse(date)
  return findOpening(from, openTimes, 'UTC') < from + year
}

interface ZoneOpenTimes {
  windows: Window[] | null
  blockedDays: BlockedDays[]
}

// A zone's open times: its own windows, else the organization's, and the blocked days of both.
export const mergeOpenTimes = (organization: OpenTimes, zone: ZoneOpenTimes | null): OpenTimes =>
  zone === null
    ? organization
    : { windows: zone.windows ?? organization.windows, blockedDays: [...organization.blockedDays, ...zone.blockedDays] }

/** The open times of a zone, by its id; null: of the organization. */
export const findOpenTimes = (
  { zones, ...organization }: OpenTimes & { zones: readonly (ZoneOpenTimes & { zoneId: string })[] },
  zone: string | null,
): OpenTimes => mergeOpenTimes(organization, zones.find(({ zoneId }) => zoneId === zone) ?? null)
