import type { Run } from '@lectern/contract/publications/runs.ts'
import type { Rollout } from '@lectern/contract/rollouts.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useNow } from '../lib/now.ts'
import { formatPhrase, formatRun } from '../lib/run-words.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'

/** Milliseconds until the runs are read again: what others halt or move. */
const refreshEvery = 30_000
const shown = 4

export interface Coming {
  runs: readonly Run[]
  runCount: number
}

/** The server sums the runs of a rollout whose zones are too many for its head to have them; undefined until they are known. */
export function useComingRuns({ id, state, runs }: Pick<Rollout, 'id' | 'state' | 'runs'>, isShown = true): Coming | undefined {
  const params = { organizationId: useOrganization(), id }
  const isSummed = state === 'underWay' && runs.length === 0
  const { data } = useQuery({ ...q('listRolloutRuns', { params }), enabled: isSummed && isShown, refetchInterval: refreshEvery })
  return isSummed ? data : { runs, runCount: runs.length }
}

interface RunLinesProps extends Coming {
  updateTime?: string
  /** Before each line. */
  lead?: string
}

export function RunLines({ runs, runCount, updateTime, lead = '' }: RunLinesProps) {
  const now = useNow()
  return (
    <>
      {runs.slice(0, shown).map((run) => (
        <li key={`${run.at} ${run.timeZones[0]}`}>
          {lead}
          {formatRun(run, { now, ...(updateTime !== undefined && { updateTime }) })}
        </li>
      ))}
      {runCount > shown && <li>And at {counted(runCount - shown, 'more time')}.</li>}
    </>
  )
}

/** Of a rollout to any number of zones: one phrase, and the runs in lines. Where none comes, the update time alone. */
export function ComingRuns({ id, updateTime }: { id: string; updateTime: string }) {
  const query = useQuery(q('listRolloutRuns', { params: { organizationId: useOrganization(), id } }))
  const now = useNow()
  return (
    <QueryStates query={query} failed="Error loading when readers begin" loading="Loading...">
      {({ runs, runCount }) => (
        <>
          {runs.length !== 1 && (runs.length === 0 ? `${updateTime}, on the clock of each host PC` : formatPhrase(runs, { now }))}
          <ul className={runs.length > 1 ? 'text-13 text-ink-2' : undefined}>
            <RunLines {...{ runs, runCount, updateTime }} />
          </ul>
        </>
      )}
    </QueryStates>
  )
}
