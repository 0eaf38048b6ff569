import { groupRuns, type Run } from '@lectern/contract/publications/runs.ts'
import { startInstant, updateInstant } from '@lectern/contract/publications/update-time.ts'
import { exactInstant, formatDate, wallClock } from '@lectern/contract/publications/zone-clock.ts'
import { always, findOpening, isBlocked, isRestricted, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'

/** The next runs of hosts in these time zones (IANA names). `updateTime`: `HH:mm`. */
export const nextRuns = (timeZones: readonly string[], updateTime: string, now: Date, openTimes: OpenTimes = always): Run[] =>
  groupRuns(timeZones.map((timeZone) => ({ at: startInstant(now, { updateTime, stopTime: null, openTimes }, timeZone, now), timeZone })))

/** The next openings of hosts that may not begin now; empty where all may. */
export const nextOpenings = (timeZones: readonly string[], openTimes: OpenTimes, now: Date): Run[] =>
  isRestricted(openTimes)
    ? groupRuns(
        timeZones
          .map((timeZone) => ({ at: new Date(findOpening(now.getTime(), openTimes, timeZone)), timeZone }))
          .filter(({ at }) => at > now),
      )
    : []

/** Whether runs of the same hosts, as listed at two moments, are at other instants. */
export const haveMoved = (from: readonly Run[], to: readonly Run[]): boolean => to.some(({ at }, index) => at !== from[index]?.at)

const formatParts = (instant: Date, timeZone: string, options: Intl.DateTimeFormatOptions) =>
  Object.fromEntries(
    new Intl.DateTimeFormat('en-GB', { ...options, timeZone }).formatToParts(instant).map(({ type, value }) => [type, value]),
  )

/** "Fri 21 Nov 2025" in a time zone. */
export function formatDay(instant: Date, timeZone: string): string {
  const part = formatParts(instant, timeZone, { weekday: 'short', day: 'numeric', month: 'short', year: 'numeric' })
  return `${part.weekday} ${part.day} ${part.month?.slice(0, 3)} ${part.year}`
}

/** `HH:mm` in a time zone. */
export function formatClock(instant: Date, timeZone: string): string {
  const part = formatParts(instant, timeZone, { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
  return `${part.hour}:${part.minute}`
}

/** "in 16 h 18 min", "in 10 days". */
export function formatWait(instant: Date, now: Date): string {
  const minutes = Math.ceil((instant.getTime() - now.getTime()) / 60_000)
  if (minutes < 1) return 'at once'
  const hours = Math.floor(minutes / 60)
  if (hours >= 48) return `in ${Math.round(hours / 24)} days`
  return `in ${[hours > 0 && `${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(' ')}`
}

/** Calendar days from `now` to the instant in a time zone, however long these days are. */
function countDays(instant: Date, now: Date, timeZone: string): number {
  const toDay = (date: Date) => {
    const { year, month, day } = formatParts(date, timeZone, { year: 'numeric', month: 'numeric', day: 'numeric' })
    return Date.UTC(Number(year), Number(month) - 1, Number(day)) / 86_400_000
  }
  return toDay(instant) - toDay(now)
}

export interface RunWords {
  now: Date
  /** IANA name. The viewer's time is added where the zone's clock shows another. */
  viewer?: string
  /** `HH:mm`. A run at another time is explained. */
  updateTime?: string
  /** The zone's open times. Where they moved the run, that is explained too. */
  openTimes?: OpenTimes
}

/**
 * Formats a run to come, on the clock of its zone: "tomorrow 08:49, in 23 h 58 min (Mon 23 Nov 2026, Europe/Berlin)". With several time
 * zones, their clocks show the same time then. A past run has no distance.
 */
export function formatRun({ at, timeZones }: Run, { now, viewer = viewerTimeZone(), updateTime, openTimes = always }: RunWords): string {
  const instant = new Date(at)
  const [timeZone = viewer] = timeZones
  const [date, clock] = [formatDay(instant, timeZone), formatClock(instant, timeZone)]
  const days = countDays(instant, now, timeZone)
  const near = days === 0 ? 'today' : days === 1 ? 'tomorrow' : undefined
  const [ownDate, ownClock] = [formatDay(instant, viewer), formatClock(instant, viewer)]
  const own = ownDate === date ? ownClock : `${ownDate} ${ownClock}`
  const isPast = now.getTime() - instant.getTime() >= 60_000
  const wait = isPast ? '' : `, ${formatWait(instant, now)}`
  const reason = updateTime === undefined ? '' : explainTime(instant, { updateTime, timeZone, openTimes, now })
  const when = `${near ?? date} ${clock}${reason}${wait}`
  const details = [...(near ? [date] : []), timeZones.join(', ')].filter(Boolean).join(', ')
  return `${when} (${details}${own === clock ? '' : `; ${own} on your clock`})`
}

/**
 * Formats runs to come in one phrase of at most 60 characters, earliest first (SEE-04): "tomorrow 02:00 local, 2 time zones, first in 11 h
 * 52 min". "Local" is the zones' clock, where the viewer's shows another time. `formatRun` has what this leaves out.
 */
export function formatPhrase(runs: readonly Run[], { now, viewer = viewerTimeZone() }: Pick<RunWords, 'now' | 'viewer'>): string {
  const times = runs.map(({ at, timeZones: [timeZone = viewer] }) => formatLocal(new Date(at), timeZone))
  const [run] = runs
  const [when] = times
  if (!run || when === undefined) return ''
  const instant = new Date(run.at)
  const timeZone = run.timeZones[0] ?? viewer
  const days = countDays(instant, now, timeZone)
  const isThisYear = when.slice(-10, -6) === formatDay(now, timeZone).slice(-4)
  const near = days === 0 ? `today${when.slice(-6)}` : days === 1 ? `tomorrow${when.slice(-6)}` : undefined
  const short = near ?? (isThisYear ? `${when.slice(0, -11)}${when.slice(-6)}` : when)
  const isPast = now.getTime() - instant.getTime() >= 60_000
  const hasWait = !isPast && (runs.length === 1 || short !== when)
  const wait = hasWait ? formatWait(instant, now) : ''
  if (runs.length === 1) return [`${short}${when === formatLocal(instant, viewer) ? '' : ' local'}`, wait].filter(Boolean).join(', ')
  return new Set(times).size === 1
    ? [`${short} local`, `${runs.length} time zones`, wait && `first ${wait}`].filter(Boolean).join(', ')
    : [`first ${short} local`, wait, 'others later'].filter(Boolean).join(', ')
}

// "Fri 21 Nov 2025 02:00".
const formatLocal = (instant: Date, timeZone: string): string => `${formatDay(instant, timeZone)} ${formatClock(instant, timeZone)}`

interface ChosenTime extends Required<Pick<RunWords, 'now' | 'updateTime' | 'openTimes'>> {
  timeZone: string
}

function explainTime(instant: Date, { updateTime, timeZone, openTimes, now }: ChosenTime): string {
  const date = formatDate(wallClock(instant.getTime(), timeZone))
  const isSkipped = exactInstant(date, updateTime, timeZone) === null
  if (isSkipped && updateTime !== formatClock(instant, timeZone)) return `, because ${updateTime} is skipped that day`
  const plain = updateInstant(now, updateTime, timeZone)
  if (!isRestricted(openTimes) || plain >= instant) return ''
  if (isBlocked(openTimes, formatDate(wallClock(plain.getTime(), timeZone)))) return `, because ${formatDay(plain, timeZone)} is blocked`
  return formatClock(instant, timeZone) === updateTime
    ? `, the first ${updateTime} within the maintenance windows`
    : `, because ${updateTime} is outside the maintenance windows`
}

export const viewerTimeZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
