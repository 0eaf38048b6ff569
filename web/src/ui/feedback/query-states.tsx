import type { ReactNode } from 'react'
import { ErrorPanel } from './empty-state.tsx'
import { StaleNotice } from './stale-notice.tsx'

/** A read as the query library gives it. */
export interface Query<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  /** The data is that of the page before, until the new one arrives. */
  isPlaceholderData: boolean
  refetch(): unknown
}

/** What failed, without a full stop, "Error loading zones", with the reason below it; or a function of the reason, where that alone is shown. */
export type Failed = string | ((error: Error) => string)

interface QueryStatesProps<Data> {
  query: Query<Data>
  failed: Failed
  /** In place of the data until it is there. */
  loading?: ReactNode
  children: (data: Data) => ReactNode
}

/** What was read, or that it is loading or has failed; a notice above it when reading it again failed. */
export function QueryStates<Data>({ query, failed, loading = <Loading />, children }: QueryStatesProps<Data>) {
  const { data, error } = query
  return (
    <>
      <QueryError query={query} failed={failed} />
      {data !== undefined ? children(data) : !error && loading}
    </>
  )
}

/** The failure of a read: a notice above older data, or a panel in place of data. Null while there is none. */
export function QueryError({ query, failed }: { query: Query<unknown>; failed: Failed }) {
  const { data, error, refetch, isFetching } = query
  if (!error) return null
  const [message, detail] = typeof failed === 'string' ? [failed, error.message] : [failed(error), undefined]
  if (data === undefined) return <ErrorPanel message={message} detail={detail} onRetry={refetch} retrying={isFetching} />
  return <StaleNotice message={message.replace(/\.?$/, '.')} detail={detail} onRetry={refetch} retrying={isFetching} />
}

function Loading() {
  return (
    <p className="p-4" role="status">
      Loading...
    </p>
  )
}
