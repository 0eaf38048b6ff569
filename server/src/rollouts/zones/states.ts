import type { RolloutState } from '@lectern/contract/rollouts.ts'
import type { Database } from '../../lib/database/database.ts'
import { computeStart } from '../../publications/publications.ts'
import { getState } from '../parts.ts'
import { type StateRow, selectUpdating } from './states-sql.ts'

const minute = 60_000

// Publications of one minute with the same times begin together: their start is computed once.
function createStarts(now: Date): (row: StateRow) => Date | undefined {
  const starts = new Map<string, Date>()
  const computeOnce = (row: StateRow, openTimes: string, timeZone: string): Date => {
    const { published_at, update_time, start_date, stop_time, at_once } = row
    const key = [Math.floor(published_at.getTime() / minute), update_time, start_date, stop_time, at_once, timeZone, openTimes].join()
    const start = starts.get(key) ?? computeStart({ ...row, time_zone: timeZone }, now)
    starts.set(key, start)
    return start
  }
  return (row) => {
    const openTimes = JSON.stringify(row.open_times)
    return row.time_zones.map((timeZone) => computeOnce(row, openTimes, timeZone)).sort((one, other) => one.getTime() - other.getTime())[0]
  }
}

// The states of publications, by their ids. What readers do is looked up where it matters: before the time at which they begin.
export async function computeStates(
  db: Database,
  organizationId: number,
  rows: readonly StateRow[],
  now: Date,
): Promise<Map<string, RolloutState>> {
  const findStart = createStarts(now)
  const states = new Map(rows.map((row) => [row.id, getState({ ...row, downloading: 0, is_retrying: false }, findStart(row), now)]))
  const scheduled = rows.filter(({ id }) => states.get(id) === 'scheduled')
  if (scheduled.length === 0) return states
  const rollouts = [...new Set(scheduled.map(({ rollout_id }) => rollout_id))]
  const publications = scheduled.map(({ id }) => id)
  for (const id of await selectUpdating(db, organizationId, rollouts, publications)) states.set(id, 'updating')
  return states
}
