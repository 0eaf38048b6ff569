import type { Licence, LicenceColumn, LicenceSort, LicenceType } from '@lectern/contract/licences/licences.ts'
import { Link, useLocation } from 'react-router'
import { formatCalendarDay } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { Badge } from '../ui/feedback/badge.tsx'
import { columnHelper, type Sort } from '../ui/table/table-columns.ts'
import type { CameFrom } from './licence-address.ts'
import { typeName } from './use-licences.ts'

/** Each sortable column's id is the sort field the server knows. */
const sortable = (field: LicenceColumn) => ({ id: field, enableSorting: true })

const column = columnHelper<Licence>()

/** The list's columns; a licence says its type by number only. */
export const licenceColumns = (types: readonly LicenceType[] | undefined) =>
  column.columns([
    column.accessor('licenseNumber', {
      ...sortable('LicenseNumber'),
      header: 'Licence number',
      meta: { className: 'whitespace-normal wrap-anywhere max-sm:col-span-full', record: 'title', width: 180 },
      cell: ({ row: { original } }) => <LicenceNumber licence={original} />,
    }),
    column.accessor('licenseId', {
      header: 'Type',
      enableSorting: false,
      meta: { width: 80 },
      cell: ({ getValue }) => typeName(types, getValue()),
    }),
    column.accessor('serialNumbers', {
      header: 'Serial numbers',
      enableSorting: false,
      meta: { className: 'whitespace-normal wrap-anywhere', width: 120 },
      cell: ({ getValue }) => <Serials of={getValue()} />,
    }),
    column.accessor('purchaseOrderNumber', {
      ...sortable('PurchaseOrderNumber'),
      header: 'Purchase order',
      meta: { className: 'whitespace-normal wrap-anywhere', width: 90 },
      cell: ({ getValue }) => getValue() ?? <span className="text-ink-3">Not set</span>,
    }),
    column.accessor('date', {
      ...sortable('Date'),
      header: 'Date',
      sortDescFirst: true,
      meta: { width: 70 },
      cell: ({ getValue }) => formatCalendarDay(getValue().slice(0, 10)),
    }),
    column.accessor('hasFile', {
      header: 'Licence file',
      enableSorting: false,
      meta: { width: 60 },
      cell: ({ getValue }) => (getValue() ? <Badge>Signed</Badge> : <span className="text-ink-3">None</span>),
    }),
  ])

function LicenceNumber({ licence }: { licence: Licence }) {
  const { search } = useLocation()
  return (
    <Link className="link mono" to={paths.licence({ id: licence.id })} state={{ list: search } satisfies CameFrom}>
      {licence.licenseNumber}
    </Link>
  )
}

/** The first serial number, and how many more there are. */
function Serials({ of: [first, ...more] }: { of: readonly string[] }) {
  if (first === undefined) return <span className="text-ink-3">None</span>
  return (
    <>
      <bdi className="mono">{first}</bdi>
      {more.length > 0 && <span className="text-ink-3"> and {more.length} more</span>}
    </>
  )
}

/** The table's sort and the server's: columns are named alike, only directions are said differently. */
export const tableSort = ({ ColumnName, Direction }: LicenceSort): Sort => ({ id: ColumnName, descending: Direction === 'Descending' })

export const licenceSort = ({ id, descending }: Sort): LicenceSort => ({
  ColumnName: id as LicenceColumn,
  Direction: descending ? 'Descending' : 'Ascending',
})
