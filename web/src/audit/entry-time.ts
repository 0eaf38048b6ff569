import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatDay } from '../lib/format.ts'

const weekday = new Intl.DateTimeFormat('en-US', { weekday: 'short' })

/** An instant in UTC, to the second: "2025-11-20 17:51:04 UTC". */
export const formatUtc = (instant: string): string => `${instant.slice(0, 19).replace('T', ' ')} UTC`

/** In the viewer's time zone: "Today, 20 Nov 2025", "Wed 19 Nov 2025". */
function formatHeading(instant: string, now: Date): string {
  const day = formatDay(instant)
  return day === formatDay(now.toISOString()) ? `Today, ${day}` : `${weekday.format(new Date(instant))} ${day}`
}

/** Groups entries by their day in the viewer's time zone and keeps their order. */
export const groupByDay = (entries: readonly AuditEntry[], now = new Date()): [day: string, entries: AuditEntry[]][] => [
  ...Map.groupBy(entries, ({ inEffectSince }) => formatHeading(inEffectSince, now)),
]

/** The viewer's time zone, e.g. "Europe/Berlin". */
export const formatZone = (): string => Intl.DateTimeFormat().resolvedOptions().timeZone
