import { overallState, type RolloutState } from '@lectern/contract/rollouts/rollouts.ts'
import type { Database } from '../../lib/database/database.ts'
import { computeStart } from '../../publications/publications.ts'
import { getState } from '../parts.ts'
import { selectPhaseWaits } from './phase-waits-sql.ts'
import { type StateFactsRow, selectUpdating } from './states-sql.ts'

const minute = 60_000

// Returns a function that finds when a publication's first readers begin. It computes once for publications of one minute with equal times.
function createStarts(now: Date): (row: StateFactsRow) => Date | undefined {
  const starts = new Map<string, Date>()
  const computeOnce = (row: StateFactsRow, openTimes: string, history: string): Date => {
    const { published_at, update_time, start_date, stop_time, at_once } = row
    const key = [Math.floor(published_at.getTime() / minute), update_time, start_date, stop_time, at_once, history, openTimes].join()
    const start = starts.get(key) ?? computeStart({ ...row, time_zone_history: history }, now)
    starts.set(key, start)
    return start
  }
  return (row) => {
    const openTimes = JSON.stringify(row.open_times)
    return row.time_zone_histories
      .map((history) => computeOnce(row, openTimes, history))
      .sort((one, other) => one.getTime() - other.getTime())[0]
  }
}

/** Returns the state of a zone, of its publications together. `states`: by the publications' ids. */
export const combineZone = (rows: readonly StateFactsRow[], states: ReadonlyMap<string, RolloutState>): RolloutState =>
  overallState(rows.map(({ id, readers }) => ({ state: states.get(id) ?? 'empty', readers })))

const beforeBegin: readonly RolloutState[] = ['scheduled', 'waitingForPhase']

// Returns the states of publications, by id. Readers are looked up only for publications in phases, and for those that wait for a time.
export async function computeStates(
  db: Database,
  organizationId: number,
  rows: readonly StateFactsRow[],
  now: Date,
): Promise<Map<string, RolloutState>> {
  const findStart = createStarts(now)
  const compute = (row: StateFactsRow, phase: number | null) =>
    getState({ ...row, downloading: 0, is_retrying: false, phase_waited_for: phase }, findStart(row), now)
  const states = new Map(rows.map((row) => [row.id, compute(row, null)]))
  const inPhases = rows.filter(({ id, has_phases }) => has_phases && ['updating', 'scheduled'].includes(states.get(id)!))
  if (inPhases.length > 0) {
    const ids = inPhases.map(({ id }) => id)
    const waits = await selectPhaseWaits(db, organizationId, ids)
    for (const row of inPhases) states.set(row.id, compute(row, waits.get(row.id) ?? null))
  }
  const waiting = rows.filter(({ id }) => beforeBegin.includes(states.get(id)!))
  if (waiting.length === 0) return states
  const rollouts = [...new Set(waiting.map(({ rollout_id }) => rollout_id))]
  const publications = waiting.map(({ id }) => id)
  for (const id of await selectUpdating(db, organizationId, rollouts, publications)) states.set(id, 'updating')
  return states
}
