import { type Cell, flexRender, type RowData } from '@tanstack/react-table'
import { memo, type ReactNode } from 'react'
import { classNames } from '../class-names.ts'
import type { features } from './table-columns.ts'
import { columnClass } from './table-parts.tsx'

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
export const TableRow = memo(PlainRow) as typeof PlainRow
