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

interface QueryStatesProps<Data> {
  query: Query<Data>
  /** What failed, without a full stop: "Error loading zones". */
  failed: string
  /** In place of the data until it is there. */
  loading?: ReactNode
  children: (data: Data) => ReactNode
}

/** What was read, or that it is loading or has failed; a notice above it when reading it again failed. */
export function QueryStates<Data>({ query, failed, loading = <Loading />, children }: QueryStatesProps<Data>) {
  const { data, error, refetch, isFetching } = query
  if (data !== undefined)
    return (
      <>
        {error && <StaleNotice message={`${failed}.`} detail={error.message} onRetry={refetch} retrying={isFetching} />}
        {children(data)}
      </>
    )
  return error ? <ErrorPanel message={failed} detail={error.message} onRetry={refetch} retrying={isFetching} /> : loading
}

function Loading() {
  return (
    <p className="p-4" role="status">
      Loading...
    </p>
  )
}
