import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { type Failed, type Query, useQueryProblem } from '../feedback/query-states.tsx'
import { Table, type TableProps } from './table.tsx'

export interface QueryTableProps<Data, Row extends RowData> extends Omit<TableProps<Row>, 'rows' | 'loading' | 'dimmed'> {
  query: Query<Data>
  /** Must return the same array for the same data. */
  rows: (data: Data) => Row[]
  failed: Failed
  expected?: number
  empty: ReactNode
}

export function QueryTable<Data, Row extends RowData>({ query, rows, failed, expected = 5, empty, ...table }: QueryTableProps<Data, Row>) {
  const { data, isPlaceholderData } = query
  const problem = useQueryProblem(query, failed)
  const shown = data === undefined ? none : rows(data)
  // That another filter found nothing says nothing of this one.
  const isLoading = data === undefined ? !problem : isPlaceholderData && shown.length === 0
  return (
    <>
      {data !== undefined && problem}
      <Table
        {...table}
        rows={shown}
        dimmed={isPlaceholderData}
        loading={isLoading ? expected : 0}
        empty={(data === undefined && problem) || empty}
      />
    </>
  )
}

const none: never[] = []
