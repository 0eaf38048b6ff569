import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { useQuery } from '@tanstack/react-query'
import { useOrganization } from '../../lib/active-organization.ts'
import { q } from '../../lib/api/query.ts'
import { useNow } from '../../lib/now.ts'
import { formatPhrase } from '../../lib/run-words.ts'
import { useComingRuns } from '../use-coming-runs.ts'

/** Milliseconds between two counts of the zones. */
const countAgainEvery = 10_000

/**
 * What readers wait for whose turn it is; undefined where some may begin. For a large rollout, zones are counted for that until the first
 * outcome.
 */
export function useWaitingWords(rollout: RolloutDetail): string | undefined {
  const { id, state, runs, isSummed, phases } = rollout
  const now = useNow()
  const params = { organizationId: useOrganization(), id }
  const running = phases.find((phase) => phase.state === 'running')
  const isUnknown = isSummed && state === 'underWay' && running?.applied === 0 && running.failed === 0
  const count = (only: 'scheduled' | 'updating') => ({
    ...q('listRolloutParts', { params, query: { state: only, PageSize: 1 } }),
    enabled: isUnknown,
    refetchInterval: countAgainEvery,
  })
  const scheduled = useQuery(count('scheduled')).data?.totalCount ?? 0
  const updating = useQuery(count('updating')).data?.totalCount
  const coming = useComingRuns(rollout, isUnknown)?.runs ?? []
  if (state === 'scheduled') return runs.length > 0 ? `until ${formatPhrase(runs, { now })}` : 'for their time'
  if (!isUnknown || scheduled === 0 || updating !== 0) return undefined
  return coming.length > 0 ? `until ${formatPhrase(coming, { now })}` : 'for the time of their zone'
}
