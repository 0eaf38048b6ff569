import './table.css'
import { type Cell, flexRender, type ReactTable, type RowData, useTable } from '@tanstack/react-table'
import { memo, type ReactNode, type RefObject, useMemo, useRef, useState } from 'react'
import { classNames } from '../class-names.ts'
import { SkeletonRows } from '../feedback/skeleton.tsx'
import { lazyPart } from '../lazy-part.tsx'
import { useNarrow } from '../media-query.ts'
import { useDrawnRows } from './drawn-rows.ts'
import { useSlots } from './slots.ts'
import { type Columns, features, type Sort } from './table-columns.ts'
import { columnClass, Records, TableHead } from './table-parts.tsx'

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
  /**
   * Whether rows are drawn only as they come near the window; until then they have the values of their columns as text. Rows that come reuse
   * the elements of rows that go. Only for cells without state, and without `detail`.
   */
  isLazy?: boolean
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

function Grid<Row extends RowData>({ label, table, sort, onSort, dimmed, loading = 0, detail, isLazy }: GridProps<Row>) {
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
          {loading > 0 ? (
            <SkeletonRows rows={loading} columns={columns} />
          ) : isLazy ? (
            <LazyRows table={table} body={body} />
          ) : (
            <Rows table={table} detail={detail} />
          )}
        </tbody>
      </table>
    </section>
  )
}

function Rows<Row extends RowData>({ table, detail }: Pick<GridProps<Row>, 'table' | 'detail'>) {
  return table.getRowModel().rows.map((row) => <TableRow key={row.id} cells={row.getAllCells()} open={detail?.(row.original)} />)
}

interface LazyRowsProps<Row extends RowData> extends Pick<GridProps<Row>, 'table'> {
  body: RefObject<HTMLTableSectionElement | null>
}

function LazyRows<Row extends RowData>({ table, body }: LazyRowsProps<Row>) {
  const { rows } = table.getRowModel()
  const ids = rows.map(({ id }) => id)
  const slots = useSlots(ids)
  const drawn = useDrawnRows(ids, body)
  return rows.map((row, index) =>
    drawn.has(row.id) ? (
      <TableRow key={slots[index]} cells={row.getAllCells()} open={undefined} />
    ) : (
      <LaterRow key={slots[index]} row={row} columns={table.getAllLeafColumns()} />
    ),
  )
}

interface LaterRowProps {
  row: { getValue: (column: string) => unknown }
  columns: readonly { id: string }[]
}

const LaterRow = memo(({ row, columns }: LaterRowProps) => (
  <tr className="table-later">
    <td colSpan={columns.length}>
      <div>{columns.map(({ id }) => row.getValue(id)).join(' ')}</div>
    </td>
  </tr>
))

interface TableRowProps<Row extends RowData> {
  cells: Cell<typeof features, Row>[]
  open: ReactNode
}

function PlainRow<Row extends RowData>({ cells, open }: TableRowProps<Row>) {
  return (
    <>
      <tr className={open ? 'table-row-open' : undefined}>
        {cells.map((cell) => {
          const look = cell.column.columnDef.meta
          return (
            <td key={cell.column.id} className={classNames(columnClass(look), look?.className) || undefined}>
              {flexRender(cell.column.columnDef.cell, cell.getContext())}
            </td>
          )
        })}
      </tr>
      {open && (
        <tr className="table-detail">
          <td colSpan={cells.length}>{open}</td>
        </tr>
      )}
    </>
  )
}

// Its cells change only with rows or columns, so dimming a hundred rows does not draw them again.
const TableRow = memo(PlainRow) as typeof PlainRow
