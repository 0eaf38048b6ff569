import { type ReactNode, useSyncExternalStore } from 'react'
import { Button } from '../button/button.tsx'
import { ErrorPanel } from './empty-state.tsx'
import { Notice } from './notice.tsx'

export interface Query<Data> {
  data: Data | undefined
  /** Milliseconds since 1970. */
  dataUpdatedAt: number
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
  const { data } = query
  const problem = useQueryProblem(query, failed)
  return (
    <>
      {problem}
      {data !== undefined ? children(data) : !problem && loading}
    </>
  )
}

/** A notice above older data, or a panel without data; null without an error. */
export function QueryError({ query, failed }: { query: Query<unknown>; failed: Failed }) {
  const { data, dataUpdatedAt, error, refetch, isFetching } = query
  if (!error) return null
  const [message, detail] = typeof failed === 'string' ? [failed, error.message] : [failed(error), undefined]
  const retry = { onRetry: refetch, retrying: isFetching }
  if (data === undefined) return <ErrorPanel message={message} detail={detail} {...retry} />
  return <StaleNotice kind="bad" message={message.replace(/\.?$/, '.')} detail={detail} at={dataUpdatedAt} {...retry} />
}

/** The error of a list, or that there is no connection to read it again by; null where all is well. */
export function useQueryProblem(query: Query<unknown>, failed: Failed): ReactNode {
  const isOnline = useOnline()
  const { data, dataUpdatedAt, error, refetch, isFetching } = query
  if (error) return <QueryError query={query} failed={failed} />
  if (isOnline) return null
  const retry = { onRetry: refetch, retrying: isFetching }
  if (data === undefined) return <ErrorPanel message="No connection" detail="It loads when the connection is back." {...retry} />
  return <StaleNotice kind="warn" message="No connection." at={dataUpdatedAt} {...retry} />
}

export const useOnline = (): boolean => useSyncExternalStore(onConnection, () => navigator.onLine)

function onConnection(notify: () => void): () => void {
  addEventListener('online', notify)
  addEventListener('offline', notify)
  return () => {
    removeEventListener('online', notify)
    removeEventListener('offline', notify)
  }
}

function Loading() {
  return (
    <p className="p-4" role="status">
      Loading...
    </p>
  )
}

interface StaleNoticeProps {
  kind: 'bad' | 'warn'
  message: string
  detail?: string | undefined
  /** Milliseconds since 1970; 0 where it is not known. */
  at: number
  onRetry: () => unknown
  retrying: boolean
}

function StaleNotice({ kind, message, detail, at, onRetry, retrying }: StaleNoticeProps) {
  return (
    <Notice kind={kind} className="m-4">
      <b>{message}</b> Shown is what was loaded {at === 0 ? 'last' : formatLoaded(new Date(at))}. {detail}{' '}
      <Button variant="link" busy={retrying} onClick={() => onRetry()}>
        Try Again
      </Button>
    </Notice>
  )
}

const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** "at 09:44" of today, or "on 20 Nov 2025 at 09:44". */
const formatLoaded = (at: Date): string =>
  day.format(at) === day.format(new Date()) ? `at ${time.format(at)}` : `on ${day.format(at)} at ${time.format(at)}`
