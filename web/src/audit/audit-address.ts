import type { AuditFilter } from '@lectern/contract/audit/audit.ts'
import { CalendarDate, Uuid } from '@lectern/contract/text/text.ts'
import { type List, listAddress, oneOf, optional, scope, searchQuery, text } from '../lib/list-address.ts'

/** Numbers are days, counted back from today. */
export const periods = ['all', '1', '7', '30', '365', 'days'] as const

/** The most characters that the server takes. */
export const longestReader = 200

const filters = {
  search: text(),
  type: text(100),
  person: text(400),
  zone: text(400),
  reader: text(longestReader),
  period: oneOf(periods),
  from: optional(CalendarDate),
  to: optional(CalendarDate),
  rollout: optional(Uuid),
  /** One entry per rollout, or each by itself. */
  entries: scope(oneOf(['folded', 'single'])),
}

export const auditAddress = listAddress({
  filters,
  normalize: (state) => (state.period === 'days' ? state : { ...state, from: '', to: '' }),
})

export type AuditList = List<typeof filters, never>
export type AuditState = AuditList['state']

/** Midnight in the viewer's time zone, `days` after the day of `date`. */
const midnight = (date: Date, days: number): string => new Date(date.getFullYear(), date.getMonth(), date.getDate() + days).toISOString()

/** Whether the filter looks for single entries; then entries are not folded. */
export const findsSingle = ({ search, reader, rollout }: AuditState): boolean =>
  [search, reader, rollout].some((part) => part.trim() !== '')

/** Days are in the viewer's time zone. */
export function toFilter({ search, type, person, zone, reader, period, from, to, rollout }: AuditState, now = new Date()): AuditFilter {
  const first = period === 'days' ? from && midnight(new Date(`${from}T00:00`), 0) : period !== 'all' && midnight(now, 1 - Number(period))
  const end = period === 'days' && to && midnight(new Date(`${to}T00:00`), 1)
  return {
    ...searchQuery(search),
    ...(type !== '' && { changeType: type }),
    ...(person !== '' && { person }),
    ...(zone !== '' && { zone }),
    ...(reader.trim() !== '' && { device: reader.trim() }),
    ...(first && { from: first }),
    ...(end && { to: end }),
    ...(rollout !== '' && { rollout }),
  }
}
