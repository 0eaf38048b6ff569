import { QueryClientContext } from '@tanstack/react-query'
import { type ReactNode, use } from 'react'
import { Button } from '../button/button.tsx'
import { useLongWait } from '../delay.ts'
import { useOnline } from '../online.ts'
import { ErrorPanel } from './empty-state.tsx'
import { Notice } from './notice.tsx'

export interface Query<Data> {
  data: Data | undefined
  /** Milliseconds since 1970. */
  dataUpdatedAt: number
  error: Error | null
  isFetching: boolean
  /** Whether the data is of the previous page. */
  isPlaceholderData: boolean
  /** How often this read has failed so far. */
  failureCount?: number
  refetch(): unknown
}

/** "Error loading zones", shown with the reason; or a function that makes the whole text from the reason. */
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

interface QueryErrorProps {
  query: Query<unknown>
  failed: Failed
  // Whether what it reads is only a part of the page.
  isPart?: boolean
}

/** A notice above older data or beside other data, or a panel where there is no data; null without an error. */
export function QueryError({ query, failed, isPart = false }: QueryErrorProps) {
  const { data, dataUpdatedAt, error, refetch, isFetching } = query
  if (!error) return null
  const [message, detail] = typeof failed === 'string' ? [failed, error.message] : [failed(error), undefined]
  const retry = { onRetry: refetch, retrying: isFetching }
  if (data === undefined && !isPart) return <ErrorPanel message={message} detail={detail} {...retry} />
  return (
    <StaleNotice
      kind="bad"
      message={message.replace(/\.?$/, '.')}
      detail={detail}
      at={data === undefined ? undefined : dataUpdatedAt}
      {...retry}
    />
  )
}

/** Shows a list's error, that there is no connection to read it again, or that reading takes long; null where all is well. */
export function useQueryProblem(query: Query<unknown>, failed: Failed): ReactNode {
  const isOnline = useOnline()
  const { data, dataUpdatedAt, error, refetch, isFetching } = query
  const longWait = useLongWait(isFetching)
  const readAnew = useReadAnew(query)
  if (error) return <QueryError query={query} failed={failed} />
  if (isOnline && longWait.isLong) {
    const retry = () => {
      longWait.restart()
      readAnew()
    }
    return (
      <StaleNotice
        kind="warn"
        message="This takes longer than usual, and goes on."
        at={data === undefined ? undefined : dataUpdatedAt}
        onRetry={retry}
      />
    )
  }
  if (isOnline) return null
  const retry = { onRetry: refetch, retrying: isFetching }
  if (data === undefined) return <ErrorPanel message="No connection" detail="It loads when the connection is back." {...retry} />
  return <StaleNotice kind="warn" message="No connection." at={dataUpdatedAt} {...retry} />
}

// Ends the read that is under way, as the library would wait for the first one.
function useReadAnew({ data, isPlaceholderData, refetch }: Query<unknown>): () => unknown {
  const client = use(QueryClientContext)
  const isFirst = data === undefined || isPlaceholderData
  return () => (isFirst && client ? client.resetQueries({ type: 'active', predicate: ({ state }) => state.data === undefined }) : refetch())
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
  /** Milliseconds since 1970; 0 where not known, undefined where none of it is shown. */
  at: number | undefined
  onRetry: () => unknown
  retrying?: boolean
}

function StaleNotice({ kind, message, detail, at, onRetry, retrying }: StaleNoticeProps) {
  return (
    <Notice kind={kind} className="m-4">
      <b>{message}</b> {at !== undefined && `Shown is what was loaded ${at === 0 ? 'last' : formatLoaded(new Date(at))}.`} {detail}{' '}
      <Button variant="link" busy={retrying} onClick={() => onRetry()}>
        Try Again
      </Button>
    </Notice>
  )
}

const time = new Intl.DateTimeFormat('en-US', { hour: '2-digit', minute: '2-digit', hourCycle: 'h23' })
const day = new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric' })

/** "at 09:44" today, else "on 20 Nov 2025 at 09:44". */
const formatLoaded = (at: Date): string =>
  day.format(at) === day.format(new Date()) ? `at ${time.format(at)}` : `on ${day.format(at)} at ${time.format(at)}`
