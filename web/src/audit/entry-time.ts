import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatDay } from '../lib/format.ts'

const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short' })

/** The time of day of an instant, where the viewer is: "09:51". */
export const formatTime = (instant: string): string => time.format(new Date(instant))

/** An instant in UTC, to the second: "2025-11-20 17:51:04 UTC". */
export const inUtc = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')} UTC`

/** The heading of a day, where the viewer is: "Today, 20 Nov 2025", "Wed 19 Nov 2025". */
function dayHeading(instant: string, now: Date): string {
  const day = formatDay(instant)
  return day === formatDay(now.toISOString()) ? `Today, ${day}` : `${weekday.format(new Date(instant))} ${day}`
}

/** Entries by the day they are of, where the viewer is, in their order. */
export const byDay = (entries: readonly AuditEntry[], now = new Date()): [day: string, entries: AuditEntry[]][] => [
  ...Map.groupBy(entries, ({ inEffectSince }) => dayHeading(inEffectSince, now)),
]

/** The time zone in which the viewer's times are, e.g. "Europe/Berlin". */
export const viewersZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
