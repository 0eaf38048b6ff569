import '../ui/table/table.css'
import './audit-entries.css'
import type { AuditPage } from '@lectern/contract/audit/audit.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { LimitNote } from '../people/limit-note.tsx'
import { Button } from '../ui/button/button.tsx'
import { classNames } from '../ui/class-names.ts'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useFocusOnArrival } from '../ui/focus-on-arrival.ts'
import { Disclosures } from '../ui/layout/disclosure.tsx'
import { AuditItem, type Narrow } from './audit-item.tsx'
import { formatZone, groupByDay } from './entry-time.ts'
import type { Log, useAuditEntries } from './use-audit-entries.ts'

interface AuditEntriesProps {
  query: ReturnType<typeof useAuditEntries>
  log: Log
  isOwn: boolean
  onNarrow: Narrow
  /** Undefined where nothing is filtered. */
  onShowAll?: (() => void) | undefined
}

/** Newest day first. The texts are the specification's (spec §2, §8). */
export function AuditEntries({ query, onShowAll, ...item }: AuditEntriesProps) {
  const { data, isPlaceholderData, isFetchingNextPage, hasNextPage, fetchNextPage } = query
  const entries = data?.pages.flatMap(({ entryList }) => entryList) ?? []
  const { list, focusOnArrival } = useFocusOnArrival<HTMLDivElement>(data?.pages.length ?? 0, '.disclosure-summary')

  function loadOlder() {
    focusOnArrival(entries.length)
    void fetchNextPage()
  }

  const loading = (
    <p role="status" className="p-4 text-ink-2">
      loading...
    </p>
  )
  return (
    <QueryStates query={query} failed={() => 'could not load audit logs'} loading={loading}>
      {({ pages: [newest] }) => (
        <>
          {entries.length === 0 && !isPlaceholderData ? (
            <EmptyState action={onShowAll ? <Button variant="link" onClick={onShowAll} children="Show all changes" /> : <LimitNote />}>
              no audit logs found
            </EmptyState>
          ) : (
            <div ref={list} className={classNames(isPlaceholderData && 'table-dimmed')} aria-busy={isPlaceholderData || undefined}>
              <Days entries={entries} {...item} />
            </div>
          )}
          <div className="audit-foot" hidden={entries.length === 0}>
            {hasNextPage && (
              <Button small busy={isFetchingNextPage} busyLabel="Loading" onClick={loadOlder}>
                Load older entries
              </Button>
            )}
            <p role="status">{isPlaceholderData ? 'Loading…' : entries.length > 0 && newest && formatShown(entries.length, newest)}</p>
            <p className="audit-zone">Times in {formatZone()}</p>
          </div>
        </>
      )}
    </QueryStates>
  )
}

const formatShown = (count: number, { totalCount, hasMore }: AuditPage): string =>
  `Showing ${formatNumber(count)} of ${hasMore ? 'more than ' : ''}${formatNumber(totalCount)}`

type DaysProps = Pick<AuditEntriesProps, 'log' | 'isOwn' | 'onNarrow'> & { entries: AuditPage['entryList'] }

const Days = ({ entries, ...item }: DaysProps) => (
  <Disclosures>
    {groupByDay(entries).map(([day, ofDay]) => (
      <section key={day} aria-label={day}>
        <h2 className="audit-day">{day}</h2>
        <ul>
          {ofDay.map((entry) => (
            <AuditItem key={entry.id} entry={entry} {...item} />
          ))}
        </ul>
      </section>
    ))}
  </Disclosures>
)
