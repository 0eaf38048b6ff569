import { Select } from '../input/select.tsx'
import type { Sort } from './table-columns.ts'
import type { Sorting } from './table-parts.tsx'

interface SortSelectProps extends Sorting {
  columns: readonly { id: string; head: string; descendingFirst: boolean }[]
}

/** Replaces the heads on narrow screens. Choosing the sorted column again reverses the order. */
export function SortSelect({ columns, sort, onSort }: SortSelectProps) {
  const options = columns.flatMap(({ id, head, descendingFirst }) =>
    [descendingFirst, !descendingFirst].map((descending) => ({
      value: toValue({ id, descending }),
      label: `${head}, ${descending ? 'descending' : 'ascending'}`,
    })),
  )
  return (
    <Select
      label="Sort by"
      placeholder="Sort by"
      shown={withoutUnit(columns.find(({ id }) => id === sort?.id)?.head)}
      options={options}
      value={sort && toValue(sort)}
      onChange={(value) => onSort({ id: value.slice(1), descending: value.startsWith('-') })}
    />
  )
}

const toValue = ({ id, descending }: Sort) => `${descending ? '-' : '+'}${id}`
const withoutUnit = (head: string | undefined) => head?.replace(/ \([^)]*\)$/, '')
