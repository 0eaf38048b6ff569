import { updateInstant } from '@lectern/contract/publications/update-time.ts'

/** The next update instant, with the time zones that share it and its wall time. */
export interface Run {
  instant: Date
  timeZones: string[]
}

/** The earliest first. */
export function nextRuns(timeZones: readonly string[], updateTime: string, now: Date): Run[] {
  const runs = new Map<string, Run>()
  for (const timeZone of [...new Set(timeZones)].sort()) {
    const instant = updateInstant(now, updateTime, timeZone)
    const key = `${instant.getTime()} ${formatDay(instant, timeZone)} ${formatClock(instant, timeZone)}`
    const run = runs.get(key) ?? { instant, timeZones: [] }
    run.timeZones.push(timeZone)
    runs.set(key, run)
  }
  return [...runs.values()].sort((one, other) => one.instant.getTime() - other.instant.getTime())
}

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

/** "in 16 h 18 min". */
export function formatWait(instant: Date, now: Date): string {
  const minutes = Math.ceil((instant.getTime() - now.getTime()) / 60_000)
  if (minutes < 1) return 'at once'
  const hours = Math.floor(minutes / 60)
  return `in ${[hours > 0 && `${hours} h`, minutes % 60 > 0 && `${minutes % 60} min`].filter(Boolean).join(' ')}`
}

/** Names the host's time zone and the viewer's own time where the two differ, and an update time that is skipped on that day. */
export function formatRun({ instant, timeZones }: Run, updateTime: string, now: Date, viewerZone: string): string {
  const [timeZone = viewerZone] = timeZones
  const shown = formatClock(instant, timeZone)
  const skipped = shown === updateTime ? '' : ` at ${shown}, because ${updateTime} is skipped that day`
  const date = `Next run ${formatDay(instant, timeZone)}${skipped}`
  const own = `${formatDay(instant, viewerZone)} ${formatClock(instant, viewerZone)}`
  if (own === `${formatDay(instant, timeZone)} ${shown}`) return `${date}, ${formatWait(instant, now)}`
  return `${date} in ${timeZones.join(', ')}, ${formatWait(instant, now)}. That is ${own} on your clock.`
}
