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
  /** The skeleton's width in px. */
  width?: number
  /** Where it is in a record on narrow screens; default: a captioned fact. */
  record?: 'title' | 'subtitle' | 'aside' | 'note' | 'fact' | 'action' | 'hidden'
  recordLabel?: string
  /** From which width of the table the column is shown: 44, 54, 64 or 69 rem; absent: always. */
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
