import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useNow } from '../lib/now.ts'
import { formatPhrase } from '../lib/run-words.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { RunLines } from './run-lines.tsx'

/** The runs of a rollout to any number of zones: one phrase, which opens to lines. Without a run, only the update time. */
export function ComingRuns({ id, updateTime }: { id: string; updateTime: string }) {
  const query = useQuery(q('listRolloutRuns', { params: { organizationId: useOrganization(), id } }))
  const now = useNow()
  return (
    <QueryStates query={query} failed="Error loading when readers begin" loading="Loading...">
      {({ runs, runCount }) => (
        <>
          {runs.length !== 1 && (
            <span className="block">{runs.length === 0 ? `${updateTime}, on the clock of each host PC` : formatPhrase(runs, { now })}</span>
          )}
          <ul className={runs.length > 1 ? 'text-13 text-ink-2' : undefined}>
            <RunLines runs={runs} runCount={runCount} updateTime={updateTime} />
          </ul>
        </>
      )}
    </QueryStates>
  )
}
