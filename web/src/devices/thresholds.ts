/** What a reading means to somebody who looks after readers: good, caution, critical; `unknown` where there is none. */
export type Reading = { kind: 'ok' | 'warn' | 'bad' | 'unknown'; text: string }

const unknown: Reading = { kind: 'unknown', text: '?' }
const dayMs = 86_400_000

/** Whole days since a reader was last seen: under 2 good, under 4 caution, else critical (spec §9). A clock that is ahead counts as 0. */
export function lastSeenReading(lastSeen: string, now: Date): Reading {
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(lastSeen)) / dayMs))
  if (Number.isNaN(days)) return unknown
  return { kind: days < 2 ? 'ok' : days < 4 ? 'warn' : 'bad', text: String(days) }
}

/** Battery health in per cent: 75 or more good, 25 or more caution, else critical (spec §9). */
export function batteryKind(percent: number): 'ok' | 'warn' | 'bad' {
  return percent >= 75 ? 'ok' : percent >= 25 ? 'warn' : 'bad'
}

/**
 * Whole calendar months from a day to another, both `YYYY-MM-DD`: the most months that can be added to `from` without passing `to`.
 * A month added to a day that the next month does not have ends on that month's last day, as PostgreSQL adds months, so
 * that the server's "within 3 months" and the number on screen are the same arithmetic. Negative when `to` is earlier.
 */
export function wholeMonths(from: string, to: string): number {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = from.split('-').map(Number)
  const [toYear = Number.NaN, toMonth = Number.NaN, toDay = Number.NaN] = to.split('-').map(Number)
  const months = (toYear - year) * 12 + (toMonth - month)
  const lastDay = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate()
  return Math.min(day, lastDay) > toDay ? months - 1 : months
}

/**
 * Months of warranty left, whole ones: 24 or more good, 5 or more caution, else critical; nothing left says "Expired", not known says "?"
 * (spec §9). Less than a month that is left says "<1", since it has not expired. Days are UTC, as on the server.
 */
export function warrantyReading(until: string | undefined, now: Date): Reading {
  if (until === undefined) return unknown
  const today = now.toISOString().slice(0, 10)
  const months = wholeMonths(today, until)
  if (Number.isNaN(months)) return unknown
  if (until <= today) return { kind: 'bad', text: 'Expired' }
  return { kind: months >= 24 ? 'ok' : months >= 5 ? 'warn' : 'bad', text: months < 1 ? '<1' : String(months) }
}
