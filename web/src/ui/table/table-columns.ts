import {
  type ColumnDef,
  createColumnHelper,
  createSortedRowModel,
  metaHelper,
  type RowData,
  rowSortingFeature,
  sortFn_alphanumeric,
  sortFn_basic,
  sortFn_datetime,
  sortFn_text,
  tableFeatures,
} from '@tanstack/react-table'

type ColumnLook = {
  /** Right-aligned numbers. */
  numeric?: boolean
  /** The cell's classes, e.g. `text-ink-2`. */
  className?: string
  /** The width of its stand-in while loading, in px. */
  width?: number
  /** Where the cell goes in a record, on narrow screens; a captioned fact unless said otherwise. */
  record?: 'title' | 'subtitle' | 'aside' | 'note' | 'fact' | 'action' | 'hidden'
  /** The fact's caption, where the head is too long. */
  recordLabel?: string
}

export const features = tableFeatures({
  rowSortingFeature,
  sortedRowModel: createSortedRowModel(),
  sortFns: { alphanumeric: sortFn_alphanumeric, basic: sortFn_basic, datetime: sortFn_datetime, text: sortFn_text },
  columnMeta: metaHelper<ColumnLook>(),
})

// biome-ignore lint/suspicious/noExplicitAny: columns of one table have different values; the library's own type says any
export type Columns<Row extends RowData> = ReadonlyArray<ColumnDef<typeof features, Row, any>>

/** By which column rows are ordered. */
export type Sort = { id: string; descending: boolean }

/**
 * The helper that makes typed columns of a row: `accessor(key or function, { header, cell, meta, enableSorting })`, `display({ … })`,
 * `columns([…])`. Keep the result at module scope or memoized.
 */
export function columnHelper<Row extends RowData>() {
  return createColumnHelper<typeof features, Row>()
}
