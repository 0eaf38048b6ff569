export interface Reading {
  kind: 'ok' | 'warn' | 'bad' | 'unknown'
  text: string
}

const unknown: Reading = { kind: 'unknown', text: '?' }
const dayMs = 86_400_000

/** By whole days: under 2 good, under 4 caution, else critical (spec §9). A clock that is ahead counts as 0. */
export function readLastSeen(lastSeen: string, now: Date): Reading {
  const days = Math.max(0, Math.floor((now.getTime() - Date.parse(lastSeen)) / dayMs))
  if (Number.isNaN(days)) return unknown
  return { kind: days < 2 ? 'ok' : days < 4 ? 'warn' : 'bad', text: String(days) }
}

/** 75 percent or more good, 25 or more caution, else critical (spec §9). */
export function rateBattery(percent: number): 'ok' | 'warn' | 'bad' {
  return percent >= 75 ? 'ok' : percent >= 25 ? 'warn' : 'bad'
}

/**
 * Whole months between two days, both `YYYY-MM-DD`; negative where `to` is earlier. Ends of short months count as in PostgreSQL, by which
 * the server's "within 3 months" goes.
 */
export function countWholeMonths(from: string, to: string): number {
  const [year = Number.NaN, month = Number.NaN, day = Number.NaN] = from.split('-').map(Number)
  const [toYear = Number.NaN, toMonth = Number.NaN, toDay = Number.NaN] = to.split('-').map(Number)
  const months = (toYear - year) * 12 + (toMonth - month)
  const lastDay = new Date(Date.UTC(toYear, toMonth, 0)).getUTCDate()
  return Math.min(day, lastDay) > toDay ? months - 1 : months
}

/** By whole months left: 24 or more good, 5 or more caution, else critical (spec §9). Days are UTC, as on the server. */
export function readWarranty(until: string | undefined, now: Date): Reading {
  if (until === undefined) return unknown
  const today = now.toISOString().slice(0, 10)
  const months = countWholeMonths(today, until)
  if (Number.isNaN(months)) return unknown
  if (until <= today) return { kind: 'bad', text: 'Expired' }
  return { kind: months >= 24 ? 'ok' : months >= 5 ? 'warn' : 'bad', text: months < 1 ? '<1' : String(months) }
}
