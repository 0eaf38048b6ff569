import { zoneFilters } from '@lectern/contract/rollouts/rollout-filters.ts'
import { Select } from '../../ui/input/select.tsx'
import { formatFilter } from '../rollout-words.ts'
import type { useRolloutParts } from '../use-rollout-parts.ts'
import { Filter } from './filter.tsx'

type ZoneList = ReturnType<typeof useRolloutParts>['list']

const orders = [
  ['Name', false, 'By name'],
  ['Name', true, 'By name, Z to A'],
  ['Failed', true, 'Most failed first'],
  ['Failed', false, 'Fewest failed first'],
  ['Left', true, 'Most left first'],
  ['Left', false, 'Fewest left first'],
] as const
const orderChoices = orders.map(([, , label], place) => ({ value: String(place), label }))

export function ZoneFilters({ list }: { list: ZoneList }) {
  const { state, sort } = list.state
  const order = orders.findIndex(([id, descending]) => id === sort.id && descending === sort.descending)
  return (
    <>
      <Filter
        label="State of zones"
        none="All states"
        options={zoneFilters.map((one) => [one, formatFilter(one)])}
        value={state}
        onChange={(next) => list.show({ state: next })}
      />
      <Select
        className="w-48"
        label="Order of zones"
        options={orderChoices}
        value={String(order)}
        onChange={(place) => {
          const [id, descending] = orders[Number(place)]!
          list.show({ sort: { id, descending } })
        }}
      />
    </>
  )
}
