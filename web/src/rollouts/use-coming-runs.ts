import type { Rollout, RolloutRuns } from '@lectern/contract/rollouts/rollouts.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'

/** Milliseconds between reads of the runs, as others may halt or move them. */
const refreshEvery = 30_000

/** For a rollout whose zones are too many for its head, the server sums the runs; undefined until they are known. */
export function useComingRuns({ id, state, runs }: Pick<Rollout, 'id' | 'state' | 'runs'>, isShown = true): RolloutRuns | undefined {
  const params = { organizationId: useOrganization(), id }
  const isSummed = state === 'underWay' && runs.length === 0
  const { data } = useQuery({ ...q('listRolloutRuns', { params }), enabled: isSummed && isShown, refetchInterval: refreshEvery })
  return isSummed ? data : { runs, runCount: runs.length }
}
