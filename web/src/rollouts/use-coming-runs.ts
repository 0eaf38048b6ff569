import type { Rollout, RolloutRuns } from '@lectern/contract/rollouts.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'

/** Milliseconds until the runs are read again: what others halt or move. */
const refreshEvery = 30_000

/** The server sums the runs of a rollout whose zones are too many for its head to have them; undefined until they are known. */
export function useComingRuns({ id, state, runs }: Pick<Rollout, 'id' | 'state' | 'runs'>, isShown = true): RolloutRuns | undefined {
  const params = { organizationId: useOrganization(), id }
  const isSummed = state === 'underWay' && runs.length === 0
  const { data } = useQuery({ ...q('listRolloutRuns', { params }), enabled: isSummed && isShown, refetchInterval: refreshEvery })
  return isSummed ? data : { runs, runCount: runs.length }
}
