import type { RowData } from '@tanstack/react-table'
import { memo } from 'react'
import { useDrawnRows } from './drawn-rows.ts'
import { useSlots } from './slots.ts'
import type { RowsProps } from './table.tsx'
import { TableRow } from './table-row.tsx'

/**
 * Draws rows only as they come near the window; until then they have the values of their columns as text. Rows that come reuse the elements
 * of rows that go. Only for cells without state, and without `detail`.
 */
export function LazyRows<Row extends RowData>({ table, body }: RowsProps<Row>) {
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
