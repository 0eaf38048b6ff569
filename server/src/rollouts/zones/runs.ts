import { groupRuns } from '@lectern/contract/publications/runs.ts'
import { currentTimeZone } from '@lectern/contract/publications/time-zone-history.ts'
import { mostRuns, type RolloutRuns } from '@lectern/contract/rollouts/rollouts.ts'
import type { Database } from '../../lib/database/database.ts'
import { notFound } from '../../lib/http/problem.ts'
import { computeStart } from '../../publications/publications.ts'
import { hasRollout, type ScopedRollout } from '../sql.ts'
import { selectTimes } from './waiting-sql.ts'

/** Returns the runs of all zones together, the first ones, and how many there are. Throws a Problem 404. */
export async function listRolloutRuns(db: Database, rollout: ScopedRollout): Promise<RolloutRuns> {
  if (!(await hasRollout(db, rollout))) throw notFound('rollout')
  const now = new Date()
  const times = await selectTimes(db, rollout)
  const starts = times.map((row) => ({
    at: computeStart({ ...row, at_once: false }, now),
    timeZone: currentTimeZone(row.time_zone_history),
  }))
  const runs = groupRuns(starts.filter(({ at }) => at > now))
  return { runs: runs.slice(0, mostRuns), runCount: runs.length }
}
