import './table.css'
import { type ReactTable, type RowData, useTable } from '@tanstack/react-table'
import { type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { SkeletonRows } from '../feedback/skeleton.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { useNarrow } from '../media-query.ts'
import { type Columns, features, type Sort } from './table-columns.ts'
import { columnClass, Records, TableHead } from './table-parts.tsx'
import { TableRow } from './table-row.tsx'

const SortSelect = lazyPart(async () => (await import('./sort-select.tsx')).SortSelect, <span className="min-h-11 w-full" />)

export interface TableProps<Row extends RowData> {
  label: string
  columns: Columns<Row>
  /** Must be stable between renders, as columns must. */
  rows: Row[]
  rowId: (row: Row) => string
  /** The order of the rows. Without `onSort` the table sorts by itself, and begins with this order. */
  sort?: Sort
  onSort?: (sort: Sort) => void
  search?: ReactNode
  tools?: ReactNode
  /** Whether the rows are those of the previous page. */
  dimmed?: boolean
  /** Above the rows. */
  note?: ReactNode
  loading?: number
  empty?: ReactNode
  /** What is below an open row; false for a closed one. A button in the row toggles it. */
  detail?: (row: Row) => ReactNode
  /** What draws the rows; `LazyRows` for a long list. */
  Rows?: (props: RowsProps<Row>) => ReactNode
}

export interface RowsProps<Row extends RowData> {
  table: ReactTable<typeof features, Row>
  body: RefObject<HTMLTableSectionElement | null>
  detail: ((row: Row) => ReactNode) | undefined
}

export function Table<Row extends RowData>(props: TableProps<Row>) {
  const { label, columns, rows, rowId, sort, onSort, search, tools, dimmed, note, loading = 0, empty, detail } = props
  const narrow = useNarrow()
  const [ownSort, setOwnSort] = useState(sort)
  const shownSort = onSort ? sort : ownSort
  const sorting = useMemo(() => (shownSort ? [{ id: shownSort.id, desc: shownSort.descending }] : []), [shownSort])
  const table = useTable({
    features,
    columns: columns as Columns<Row> & unknown[],
    data: rows,
    getRowId: rowId,
    state: { sorting },
    manualSorting: Boolean(onSort),
    enableSortingRemoval: false,
  })
  const sortBy = onSort ?? setOwnSort
  const isEmpty = rows.length === 0 && loading === 0
  const sortable = table.getAllLeafColumns().filter((column) => column.getCanSort())
  const offersSort = narrow && sortable.length > 0

  return (
    <>
      {(search || tools || offersSort) && (
        <div className="toolbar">
          {search}
          <span className="toolbar-space" />
          {offersSort && (
            <SortSelect
              columns={sortable.map(({ id, columnDef: { header, sortDescFirst = false } }) => ({
                id,
                head: String(header ?? id),
                descendingFirst: sortDescFirst,
              }))}
              sort={shownSort}
              onSort={sortBy}
            />
          )}
          {tools}
        </div>
      )}
      {note}
      {isEmpty ? (
        empty
      ) : narrow ? (
        <Records label={label} table={table} dimmed={dimmed} loading={loading} detail={detail} />
      ) : (
        <Grid {...props} table={table} sort={shownSort} onSort={sortBy} />
      )}
    </>
  )
}

interface GridProps<Row extends RowData> extends TableProps<Row> {
  table: ReactTable<typeof features, Row>
  onSort: (sort: Sort) => void
}

function Grid<Row extends RowData>({ label, table, sort, onSort, dimmed, loading = 0, detail, Rows = PlainRows }: GridProps<Row>) {
  const body = useRef<HTMLTableSectionElement>(null)
  const columns = table.getAllLeafColumns().map(({ columnDef: { meta } }) => ({
    width: meta?.width ?? 80,
    className: classNames(columnClass(meta), meta?.className),
  }))
  return (
    <section
      className={classNames('table-scroll', dimmed && 'table-dimmed')}
      aria-label={label}
      aria-busy={dimmed || loading > 0 || undefined}
    >
      <table className="table">
        <TableHead table={table} sort={sort} onSort={onSort} />
        <tbody ref={body}>
          {loading > 0 ? <SkeletonRows rows={loading} columns={columns} /> : <Rows table={table} body={body} detail={detail} />}
        </tbody>
      </table>
    </section>
  )
}

function PlainRows<Row extends RowData>({ table, detail }: RowsProps<Row>) {
  return table.getRowModel().rows.map((row) => <TableRow key={row.id} cells={row.getAllCells()} open={detail?.(row.original)} />)
}
