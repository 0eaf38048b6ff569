import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { EmptyState } from '../feedback/empty-state.tsx'
import { type Failed, type Query, useQueryProblem } from '../feedback/query-states.tsx'
import type { SearchControl } from './list-control.ts'
import { StillTrying } from './still-trying.tsx'
import { Table, type TableProps } from './table.tsx'

export interface QueryTableProps<Data, Row extends RowData> extends Omit<TableProps<Row>, 'rows' | 'loading' | 'dimmed'> {
  query: Query<Data>
  /** With it, a list that is empty by its filters shows `noMatch` and offers `showAll`. */
  list?: Pick<SearchControl, 'isFiltered' | 'clear'> | undefined
  /** Must return the same array for the same data. */
  rows: (data: Data) => Row[]
  failed: Failed
  expected?: number
  empty: ReactNode
  noMatch?: ReactNode
  /** The label of the button that clears the filters, such as "Show all readers". */
  showAll?: string
}

export function QueryTable<Data, Row extends RowData>({
  query,
  list,
  rows,
  failed,
  expected = 5,
  empty,
  noMatch,
  showAll,
  ...table
}: QueryTableProps<Data, Row>) {
  const { data, isPlaceholderData } = query
  const problem = useQueryProblem(query, failed)
  const shown = data === undefined ? none : rows(data)
  // An empty result of another filter does not mean that this one is empty.
  const isLoading = data === undefined ? !problem : isPlaceholderData && shown.length === 0
  const clearable = (
    <EmptyState
      action={
        <Button variant="link" onClick={list?.clear}>
          {showAll}
        </Button>
      }
    >
      {noMatch}
    </EmptyState>
  )
  return (
    <>
      {data !== undefined && problem}
      <Table
        {...table}
        rows={shown}
        dimmed={isPlaceholderData}
        note={data !== undefined && <StillTrying query={query} />}
        loading={isLoading ? expected : 0}
        empty={(data === undefined && problem) || (list?.isFiltered ? clearable : empty)}
      />
    </>
  )
}

const none: never[] = []
