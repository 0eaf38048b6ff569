import type { RowData } from '@tanstack/react-table'
import type { ReactNode } from 'react'
import { ErrorPanel } from '../feedback/empty-state.tsx'
import type { Query } from '../feedback/query-states.tsx'
import { StaleNotice } from '../feedback/stale-notice.tsx'
import { Table, type TableProps } from './table.tsx'

export interface QueryTableProps<Data, Row extends RowData> extends Omit<TableProps<Row>, 'rows' | 'loading' | 'dimmed'> {
  query: Query<Data>
  /** Returns the same array for the same data. */
  rows: (data: Data) => Row[]
  /** What failed, without a full stop: "Error loading zones". */
  failed: string
  /** So many rows stand in for those to come. */
  expected?: number
  empty: ReactNode
}

/** A table of what was read: its rows, stand-ins while they load, a notice when they are stale, the reason when there are none. */
export function QueryTable<Data, Row extends RowData>({ query, rows, failed, expected = 5, empty, ...table }: QueryTableProps<Data, Row>) {
  const { data, error, isFetching, isPlaceholderData, refetch } = query
  return (
    <>
      {error && data !== undefined && <StaleNotice message={`${failed}.`} detail={error.message} onRetry={refetch} retrying={isFetching} />}
      <Table
        {...table}
        rows={data === undefined ? none : rows(data)}
        dimmed={isPlaceholderData}
        loading={data === undefined && !error ? expected : 0}
        empty={
          error && data === undefined ? (
            <ErrorPanel message={failed} detail={error.message} onRetry={refetch} retrying={isFetching} />
          ) : (
            empty
          )
        }
      />
    </>
  )
}

const none: never[] = []
