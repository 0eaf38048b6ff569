import './table.css'
import type { ReactTable, RowData } from '@tanstack/react-table'
import { ArrowDown, ArrowUp, ChevronsUpDown } from 'lucide-react'
import type { ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import { Skeleton } from '../feedback/skeleton.tsx'
import type { ColumnLook, features, Sort } from './table-columns.ts'

interface Parts<Row extends RowData> {
  table: ReactTable<typeof features, Row>
}
export interface Sorting {
  sort: Sort | undefined
  onSort: (sort: Sort) => void
}

/** The first press sorts as the column says; the next one reverses the order. */
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
                className={columnClass(meta) || undefined}
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

/** The class of a column's head and cells. */
export const columnClass = (meta: ColumnLook | undefined) => classNames(meta?.numeric && 'numeric', meta?.from && `table-from-${meta.from}`)

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
