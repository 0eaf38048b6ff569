import type { ReactNode } from 'react'
import { Button } from '../button/button.tsx'
import { ErrorPanel } from './empty-state.tsx'
import { Notice } from './notice.tsx'

export interface Query<Data> {
  data: Data | undefined
  error: Error | null
  isFetching: boolean
  /** The data is of the previous page. */
  isPlaceholderData: boolean
  refetch(): unknown
}

/** "Error loading zones", shown with the reason; or a function of the reason that returns all of the text. */
export type Failed = string | ((error: Error) => string)

interface QueryStatesProps<Data> {
  query: Query<Data>
  failed: Failed
  loading?: ReactNode
  children: (data: Data) => ReactNode
}

export function QueryStates<Data>({ query, failed, loading = <Loading />, children }: QueryStatesProps<Data>) {
  const { data, error } = query
  return (
    <>
      <QueryError query={query} failed={failed} />
      {data !== undefined ? children(data) : !error && loading}
    </>
  )
}

/** A notice above older data, or a panel without data; null without an error. */
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

interface StaleNoticeProps {
  message: string
  detail?: string | undefined
  onRetry: () => unknown
  retrying: boolean
}

function StaleNotice({ message, detail, onRetry, retrying }: StaleNoticeProps) {
  return (
    <Notice kind="bad" className="m-4">
      <b>{message}</b> Shown is what was loaded last. {detail}{' '}
      <Button variant="link" busy={retrying} onClick={() => onRetry()}>
        Try Again
      </Button>
    </Notice>
  )
}
