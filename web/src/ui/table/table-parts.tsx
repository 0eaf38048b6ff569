import './table.css'
import type { ReactTable, RowData } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import { Select } from '../input/select.tsx'
import type { features, Sort } from './table-columns.ts'

interface Parts<Row extends RowData> {
  table: ReactTable<typeof features, Row>
}
interface Sorting {
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}

/** The first press sorts as the column says, the next one reverses the order. */
export function TableHead<Row extends RowData>({ table, sort, onSort }: Parts<Row> & Sorting) {
  return (
    <thead>
      {table.getHeaderGroups().map((group) => (
        <tr key={group.id}>
          {group.headers.map(({ id, column }) => {
            const { header, meta, sortDescFirst = false } = column.columnDef
            const active = sort?.id === id
            const Icon = active ? (sort.descending ? ArrowDown : ArrowUp) : ChevronsUpDown
            const next = active ? !sort.descending : sortDescFirst
            return (
              <th
                key={id}
                scope="col"
                className={meta?.numeric ? 'numeric' : undefined}
                aria-sort={active ? (sort.descending ? 'descending' : 'ascending') : undefined}
              >
                {column.getCanSort() ? (
                  <button type="button" className="table-sort" onClick={() => onSort({ id, descending: next })}>
                    {String(header ?? '')}
                    <Icon size={13} />
                  </button>
                ) : (
                  String(header ?? '')
                )}
              </th>
            )
          })}
        </tr>
      ))}
    </thead>
  )
}

/** Replaces the heads on narrow screens. Choosing the sorted column reverses the order. */
export function SortSelect<Row extends RowData>({ table, sort, onSort }: Parts<Row> & Sorting) {
  const sortable = table.getAllLeafColumns().filter((column) => column.getCanSort())
  const options = sortable.flatMap((column) => {
    const label = String(column.columnDef.header ?? column.id)
    const first = column.columnDef.sortDescFirst ?? false
    return [first, !first].map((descending) => ({
      value: `${descending ? '-' : '+'}${column.id}`,
      label: `${label}, ${descending ? 'descending' : 'ascending'}`,
    }))
  })
  return (
    <Select
      label="Sort by"
      placeholder="Sort by"
      shown={withoutUnit(sortable.find((column) => column.id === sort?.id)?.columnDef.header?.toString())}
      options={options}
      value={sort ? `${sort.descending ? '-' : '+'}${sort.id}` : undefined}
      onChange={(value) => onSort({ id: value.slice(1), descending: value.startsWith('-') })}
    />
  )
}

const withoutUnit = (head: string | undefined) => head?.replace(/ \([^)]*\)$/, '')

interface RecordsProps<Row extends RowData> extends Parts<Row> {
  label: string
  dimmed: boolean | undefined
  loading: number
  detail: ((row: Row) => ReactNode) | undefined
}

export function Records<Row extends RowData>({ table, label, dimmed, loading, detail }: RecordsProps<Row>) {
  if (loading > 0) {
    return (
      <ul className="records" aria-busy="true" aria-label={label}>
        {Array.from({ length: loading }, (_, index) => (
          <li key={index} className="record">
            <Skeleton width={120} />
          </li>
        ))}
      </ul>
    )
  }
  return (
    <ul className={classNames('records', dimmed && 'table-dimmed')} aria-busy={dimmed || undefined} aria-label={label}>
      {table.getRowModel().rows.map((row) => (
        <li key={row.id} className="record">
          {row.getAllCells().map((cell) => {
            const { header, meta } = cell.column.columnDef
            const place = meta?.record ?? 'fact'
            if (place === 'hidden') return null
            return (
              <div key={cell.id} className={classNames(`record-${place}`, meta?.className)}>
                {place === 'fact' && <span className="record-label">{meta?.recordLabel ?? String(header ?? '')}</span>}
                <table.FlexRender cell={cell} />
              </div>
            )
          })}
          {detail && <div className="record-detail">{detail(row.original)}</div>}
        </li>
      ))}
    </ul>
  )
}
