import './device-history.css'
import type { DeviceEvent, DeviceHistory as History } from '@lectern/contract/devices/history.ts'
import { type InfiniteData, useInfiniteQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { DeviceLogLink } from '../audit/device-log-link.tsx'
import { useApi } from '../lib/api/api.ts'
import { formatCalendarDay, formatMinute } from '../lib/format.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { useFocusOnArrival } from '../ui/focus-on-arrival.ts'
import { Panel } from '../ui/layout/panel.tsx'
import { describeEvent, nameEvent } from './event-words.ts'
import { refreshEvery } from './refresh.ts'

interface DeviceHistoryProps {
  serialNumber: string
  query: ReturnType<typeof useDeviceEvents>
}

export function DeviceHistory({ serialNumber, query }: DeviceHistoryProps) {
  const canReadLog = usePermission('access:audit_log')
  const { data, hasNextPage, isFetchingNextPage, fetchNextPage } = query
  const { list, focusOnArrival } = useFocusOnArrival<HTMLUListElement>(data?.pages.length ?? 0, '.device-event')
  return (
    <Panel title="History" flush actions={canReadLog && <DeviceLogLink serialNumber={serialNumber} />}>
      <QueryStates query={query} failed="Error loading the history">
        {({ pages }) => {
          const events = pages.flatMap(({ eventList }) => eventList)
          return (
            <>
              {events.length === 0 && <EmptyState>Nothing has happened yet</EmptyState>}
              <ul ref={list} aria-label="Events">
                {events.map((event) => (
                  <Event key={event.id} event={event} />
                ))}
              </ul>
              <div className="device-history-foot">
                {hasNextPage && (
                  <Button
                    small
                    busy={isFetchingNextPage}
                    busyLabel="Loading"
                    onClick={() => {
                      focusOnArrival(events.length)
                      void fetchNextPage()
                    }}
                  >
                    Load older events
                  </Button>
                )}
                <Seen {...pages[0]!} />
              </div>
            </>
          )
        }}
      </QueryStates>
    </Panel>
  )
}

function Event({ event }: { event: DeviceEvent }) {
  const [kind, word] = nameEvent(event)
  const { text, detail } = describeEvent(event)
  return (
    <li className="device-event" tabIndex={-1}>
      <Status kind={kind} spoken="">
        {word}
      </Status>
      <div className="device-event-text">
        <p>
          {event.rollout ? (
            <Link className="link" to={paths.rollout({ id: event.rollout })}>
              {text}
            </Link>
          ) : (
            text
          )}
        </p>
        {detail && <p className="device-event-detail">{detail}</p>}
      </div>
      <time dateTime={event.at}>{formatMinute(event.at)}</time>
    </li>
  )
}

const Seen = ({ firstSeen, lastSeen }: History) => (
  <p>
    {firstSeen && (
      <>
        First seen <time dateTime={firstSeen}>{formatCalendarDay(firstSeen)}</time>.{' '}
      </>
    )}
    Last seen <time dateTime={lastSeen}>{formatMinute(lastSeen)}</time>.
  </p>
)

const size = 25

export function useDeviceEvents({ organizationId, serialNumber }: { organizationId: string; serialNumber: string }) {
  const { call } = useApi()
  return useInfiniteQuery<History, Error, InfiniteData<History>, string[], string | null>({
    queryKey: ['listDeviceEvents', organizationId, serialNumber],
    queryFn: ({ pageParam, signal }) => {
      const query = { PageSize: size, ...(pageParam !== null && { before: pageParam }) }
      return call('listDeviceEvents', { params: { organizationId, serialNumber }, query }, { signal })
    },
    initialPageParam: null,
    getNextPageParam: ({ next }) => next ?? null,
    // A user who reads further pages is not interrupted.
    refetchInterval: ({ state }) => (state.data && state.data.pages.length > 1 ? false : refreshEvery),
  })
}
