import './folded-entries.css'
import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { Link } from 'react-router'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { Sentence } from './audit-sentence.tsx'
import { formatUtc } from './entry-time.ts'
import { type Log, useAuditEntries } from './use-audit-entries.ts'

interface FoldedEntriesProps {
  log: Log
  rollout: string
  // Whether it is the log of the organization whose pages these are.
  isOwn: boolean
  onShowAlone: () => void
}

/** The entries of a rollout, newest first. */
export function FoldedEntries({ log, rollout, isOwn, onShowAlone }: FoldedEntriesProps) {
  const query = useAuditEntries(log, { rollout }, { size: 10 })
  const { hasNextPage, isFetchingNextPage, fetchNextPage } = query
  return (
    <section className="audit-folded" aria-label="Entries of this rollout">
      <QueryStates query={query} failed={() => 'could not load audit logs'}>
        {({ pages }) => (
          <>
            <ul>
              {pages
                .flatMap(({ entryList }) => entryList)
                .map((entry) => (
                  <FoldedEntry key={entry.id} entry={entry} />
                ))}
            </ul>
            <div className="audit-folded-foot">
              {hasNextPage && (
                <Button small busy={isFetchingNextPage} busyLabel="Loading" onClick={() => void fetchNextPage()}>
                  Load older entries of this rollout
                </Button>
              )}
              <Button variant="link" onClick={onShowAlone}>
                Show all {formatNumber(pages[0]!.totalCount)} as single entries
              </Button>
              {isOwn && (
                <Link className="link" to={paths.rollout({ id: rollout })}>
                  Open the rollout
                </Link>
              )}
            </div>
          </>
        )}
      </QueryStates>
    </section>
  )
}

const FoldedEntry = ({ entry }: { entry: AuditEntry }) => (
  <li>
    <span>
      <Sentence entry={entry} />
    </span>
    <time dateTime={entry.inEffectSince} title={formatUtc(entry.inEffectSince)}>
      {formatMinute(entry.inEffectSince)}
    </time>
  </li>
)
