import { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { ContentKind } from '@lectern/contract/publications/content-kind.ts'
import { type RolloutListFilter, rolloutFilters } from '@lectern/contract/rollouts/rollout-filters.ts'
import { CalendarDate, Uuid } from '@lectern/contract/text/text.ts'
import { type List, listAddress, oneOf, optional, text } from '../../lib/list-address.ts'

const filters = {
  search: text(),
  state: oneOf(['', ...rolloutFilters]),
  kind: optional(ContentKind),
  model: optional(DeviceModel),
  zone: optional(Uuid),
  person: optional(Uuid),
  from: optional(CalendarDate),
  to: optional(CalendarDate),
}

export const rolloutsAddress = listAddress({ filters })

export type RolloutsList = List<typeof filters, never>

/** Midnight in the viewer's time zone, `days` after the day. */
function midnight(day: string, days: number): string {
  const [year, month, date] = day.split('-').map(Number) as [number, number, number]
  return new Date(year, month - 1, date + days).toISOString()
}

/** `from`, `to`: days in the viewer's time zone, both included. */
export const toRolloutFilter = ({ search, state, kind, model, zone, person, from, to }: RolloutsList['state']): RolloutListFilter => ({
  textFilter: search.trim(),
  state: state || undefined,
  kind: kind || undefined,
  model: model || undefined,
  zone: zone || undefined,
  person: person || undefined,
  from: from === '' ? undefined : midnight(from, 0),
  to: to === '' ? undefined : midnight(to, 1),
})
