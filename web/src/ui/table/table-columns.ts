import {
  type ColumnDef,
  createColumnHelper,
  createSortedRowModel,
  metaHelper,
  type RowData,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  tableFeatures,
} from '@tanstack/react-table'

export interface ColumnLook {
  numeric?: boolean
  className?: string
  /** Of the skeleton, in px. */
  width?: number
  /** The place in a record on narrow screens; a captioned fact by default. */
  record?: 'title' | 'subtitle' | 'aside' | 'note' | 'fact' | 'action' | 'hidden'
  recordLabel?: string
  /** How wide the table must be for the column: 44, 54, 64 or 69 rem. Without it the column is always there. */
  from?: 'medium' | 'large' | 'wide' | 'widest'
}

export const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic },
  columnMeta: metaHelper<ColumnLook>(),
})

// biome-ignore lint/suspicious/noExplicitAny: columns of one table have different values; the library's own type says any
export type Columns<Row extends RowData> = ReadonlyArray<ColumnDef<typeof features, Row, any>>

export interface Sort {
  id: string
  descending: boolean
}

/**
 * Typed columns: `accessor(key or function, { header, cell, meta, enableSorting })`, `display({ … })`, `columns([…])`. The result must be
 * stable between renders.
 */
export function columnHelper<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>()
}
