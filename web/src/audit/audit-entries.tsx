import type { AuditFilter } from '@lectern/contract/audit/audit.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useEffect, useRef } from 'react'
import { Button } from '../ui/button/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { StaleNotice } from '../ui/feedback/stale-notice.tsx'
import { Disclosures } from '../ui/layout/disclosure.tsx'
import { AuditItem, type Narrow } from './audit-item.tsx'
import { byDay, viewersZone } from './entry-time.ts'
import { type Log, useAuditLog } from './use-audit-log.ts'

type AuditEntriesProps = {
  log: Log
  filter: AuditFilter
  /** Only what the log says of this reader. */
  serialNumber?: string
  onNarrow: Narrow
  /** Shows everything again; undefined where everything is shown. */
  onWhole?: (() => void) | undefined
}

const failed = 'could not load audit logs'

/** The entries of a log by day, newest first, with the messages of the specification (spec §2, §8). */
export function AuditEntries({ log, filter, serialNumber, onNarrow, onWhole }: AuditEntriesProps) {
  const { data, isError, isFetching, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage, refetch } = useAuditLog(
    log,
    filter,
    serialNumber,
  )
  const list = useRef<HTMLDivElement>(null)
  const entries = data?.pages.flatMap(({ entryList }) => entryList) ?? []

  // The button that fetched them stays or goes: the reading goes on at the first of them.
  const pages = data?.pages.length ?? 0
  const pagesBefore = useRef(pages)
  const focused = useRef<number | null>(null)
  useEffect(() => {
    if (pages > pagesBefore.current && focused.current !== null)
      list.current?.querySelectorAll<HTMLElement>('.disclosure-summary')[focused.current]?.focus()
    focused.current = null
    pagesBefore.current = pages
  }, [pages])

  if (!data) {
    if (isError) return <ErrorPanel message={failed} onRetry={refetch} retrying={isFetching} />
    return (
      <p role="status" className="p-4 text-ink-2">
        loading...
      </p>
    )
  }

  const [{ totalCount, hasMore }] = data.pages as [(typeof data.pages)[number]]
  const total = `${hasMore ? 'more than ' : ''}${formatNumber(totalCount)}`
  return (
    <>
      {isError && <StaleNotice message={failed} onRetry={refetch} retrying={isFetching} />}
      {entries.length === 0 && !isPlaceholderData ? (
        <EmptyState
          action={
            onWhole && (
              <Button variant="link" onClick={onWhole}>
                Show all changes
              </Button>
            )
          }
        >
          no audit logs found
        </EmptyState>
      ) : (
        <div ref={list} className={classNames(isPlaceholderData && 'table-dimmed')} aria-busy={isPlaceholderData || undefined}>
          <Disclosures>
            {byDay(entries).map(([day, ofDay]) => (
              <section key={day} aria-label={day}>
                <h2 className="audit-day">{day}</h2>
                <ul>
                  {ofDay.map((entry) => (
                    <AuditItem key={entry.id} entry={entry} onNarrow={onNarrow} />
                  ))}
                </ul>
              </section>
            ))}
          </Disclosures>
        </div>
      )}
      <div className="audit-foot" hidden={entries.length === 0}>
        {hasNextPage && (
          <Button
            small
            busy={isFetchingNextPage}
            busyLabel="Loading"
            onClick={() => {
              focused.current = entries.length
              void fetchNextPage()
            }}
          >
            Load older entries
          </Button>
        )}
        <p role="status">{entries.length > 0 && `Showing ${formatNumber(entries.length)} of ${total}`}</p>
        <p className="audit-zone">Times in {viewersZone()}</p>
      </div>
    </>
  )
}
