import { isDeepStrictEqual } from 'node:util'
import { type Gate, listEnds, type Phase, type RolloutPhase } from '@lectern/contract/publications/phases.ts'
import { plannedStart } from '@lectern/contract/publications/time-zone-history.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { LRUCache } from 'lru-cache'
import type { Database } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { fillEnds } from './fill-ends.ts'
import {
  addPhaseFigures,
  countOlderHosts,
  countPhases,
  holdCount,
  insertPhases,
  isHaltedByHand,
  lockPhases,
  type PhaseRow,
  type RolloutId,
  type ScopedRollout,
  selectPhasedRollouts,
  selectPhases,
  selectPhasesByRollout,
  selectPhasesWithZones,
  selectPositions,
  selectRunsOfSilent,
  selectUncounted,
  selectZoneNames,
  updateCounts,
  updateDone,
  updateEnds,
  updateHalted,
  updateOverridden,
  updatePhases,
  updateStarted,
} from './sql.ts'

/** Stores the phases of a new rollout; none for an empty list. */
export const openPhases = (db: Database, rollout: RolloutId, phases: readonly Phase[]): Promise<void> =>
  phases.length === 0 ? Promise.resolve() : insertPhases(db, rollout, phases, listEnds(phases))

/** Compares phases with those that the rollout was opened with. Throws a Problem 409 where they differ. */
export async function requirePhases(db: Database, rollout: RolloutId, phases: readonly Phase[]): Promise<void> {
  const rows = await selectPhasesWithZones(db, rollout)
  const stored = rows.slice(0, -1).map((row) => ({ ...toChoice(row), ...(row.zone_ids !== null && { zones: row.zone_ids }) }))
  const asked = phases.map(({ share, zones, soakMinutes, gate }) => ({
    soakMinutes,
    gate,
    ...(share !== undefined && { share }),
    ...(zones !== undefined && { zones }),
  }))
  if (!isDeepStrictEqual(stored, asked)) throw new Problem(409, 'This rollout was published with other phases. Publish again.')
}

/** Puts new publications into the phases that their rollout has. */
export async function enterPhases(db: Database, rollout: RolloutId, publications: readonly string[]): Promise<void> {
  if (!(await updatePhases(db, rollout))) return
  await addPhaseFigures(db, rollout, publications)
  await fillShares(db, rollout, { startsAgain: true })
}

// Whether no reader has an outcome but that it is not possible, and no phase after the first has started.
const isUntried = (phases: readonly PhaseRow[]): boolean =>
  phases.every(
    ({ number, applied, failed, impossible, started_at }) => applied + failed - impossible === 0 && (number === 1 || started_at === null),
  )

/** How many readers a gate can measure: all but those that no published command gives the content (decision 97). */
const countMeasured = ({ readers, impossible }: Figures): number => readers - impossible

const isOpenShare = ({ share, ended_at }: PhaseRow): boolean => share !== null && ended_at === null

/**
 * Moves the ends of open shares, so that each has at least one reader that may take the content, the next by position. Returns whether an end moved. `startsAgain`:
 * before the first outcome, ends are computed again from the chosen shares, as a publish may have added readers. The caller holds the
 * publications.
 */
async function fillShares(db: Database, rollout: RolloutId, { startsAgain = false } = {}): Promise<boolean> {
  const phases = await lockPhases(db, rollout)
  const ends = phases.map(({ position_end }) => position_end)
  const least = startsAgain && isUntried(phases) ? listEnds(phases.slice(0, -1).map(({ share }) => ({ share: share ?? 0 }))) : ends
  if (isDeepStrictEqual(least, ends) && !phases.some((phase) => isOpenShare(phase) && countMeasured(phase) <= 0)) return false
  const filled = fillEnds(least, phases.map(isOpenShare), await selectPositions(db, rollout))
  if (isDeepStrictEqual(filled, ends)) return false
  await updateEnds(db, rollout, filled)
  await updateCounts(db, rollout)
  return true
}

/** Throws a Problem 400 where a phase has no reader, as its gate would measure nothing. */
export async function requireReaders(db: Database, rollout: RolloutId): Promise<void> {
  const empty = (await selectPhases(db, rollout)).find(({ readers }) => readers === 0)
  if (!empty) return
  const older = await countOlderHosts(db, rollout)
  const message =
    older > 0 && empty.number === 1
      ? `${counted(older, 'host PC')} of these zones ${older === 1 ? 'has' : 'have'} an app that is too old for phases, so all their readers wait for the last phase and phase 1 has none. Update the app, or publish without phases.`
      : empty.share !== null
        ? `No reader is left for phase ${empty.number}, so its gate would show nothing. Remove a phase.`
        : empty.zones !== null
          ? `The zones of phase ${empty.number} get no reader of this rollout. Choose others.`
          : 'No reader is left for the last phase. Remove a phase.'
  throw new Problem(400, message, { errors: [{ field: 'phases', message }] })
}

const toGate = ({ max_failed_percent, max_silent_percent }: PhaseRow): Gate =>
  max_failed_percent === null || max_silent_percent === null
    ? 'by hand'
    : { maxFailedPercent: max_failed_percent, maxSilentPercent: max_silent_percent }

const toChoice = (row: PhaseRow) => ({
  soakMinutes: row.soak_minutes ?? 0,
  gate: toGate(row),
  ...(row.share !== null && { share: row.share }),
})

/** Whether the phase is the last one, the rest, which has neither soak time nor gate. */
const isLast = ({ soak_minutes }: PhaseRow): boolean => soak_minutes === null

type Figures = Pick<PhaseRow, 'readers' | 'applied' | 'failed' | 'silent' | 'impossible'>

/** Whether all readers have an outcome, or are silent. A phase without readers is never done, as it has shown nothing. */
const isDone = ({ readers, applied, failed, silent }: Figures): boolean => readers > 0 && applied + failed + silent >= readers

function getState(row: PhaseRow, isReplaced: boolean): RolloutPhase['state'] {
  if (row.ended_at !== null) return 'passed'
  if (isReplaced) return isLast(row) && isDone(row) ? 'done' : 'ended'
  if (row.started_at === null) return 'waiting'
  if (row.halted_at !== null) return 'halted'
  if (isLast(row)) return isDone(row) ? 'done' : row.readers === 0 ? 'empty' : 'running'
  if (row.readers === 0) return 'empty'
  if (row.done_at === null) return 'running'
  if (!row.has_soaked) return 'soaking'
  return isByHand(row) ? 'byHand' : 'soaking'
}

/** Whether a user begins the next phase, and not the gate, also as the gate has nothing to measure. */
const isByHand = (row: PhaseRow): boolean => row.is_overridden || toGate(row) === 'by hand' || (row.readers > 0 && countMeasured(row) <= 0)

/** `isReplaced`: nothing of the rollout is desired any more. */
type PhasesQuery = ScopedRollout & { isReplaced: boolean }

// `figures`: of the scope's zones; those of `row` are of all zones.
const toPhase = (row: PhaseRow, figures: Figures, { zones, isReplaced }: PhasesQuery): RolloutPhase => {
  const { readers, applied, failed, silent, impossible } = figures
  return {
    number: row.number,
    ...(row.share !== null && { share: row.share }),
    ...(row.zones !== null && { zones: row.zones }),
    soakMinutes: row.soak_minutes ?? 0,
    ...(!isLast(row) && { gate: isByHand(row) ? ('by hand' as const) : toGate(row) }),
    state: getState(row, isReplaced),
    readers,
    applied,
    failed,
    silent,
    ...(impossible > 0 && { notPossible: impossible }),
    end: row.position_end,
    ...(row.started_at && { startedAt: row.started_at.toISOString() }),
    ...(row.soaked_at && row.ended_at === null && { soakedAt: row.soaked_at.toISOString() }),
    ...(row.halted_by && { haltedBy: row.halted_by }),
    // The figures of the halt are of all zones, so a role limited to zones does not read them.
    ...(row.halted_count !== null &&
      row.halted_readers !== null &&
      zones === null && { haltedWith: { count: row.halted_count, readers: row.halted_readers } }),
  }
}

const none: Figures = { readers: 0, applied: 0, failed: 0, silent: 0, impossible: 0 }

// A role limited to zones has no kept figures: they are counted at each call. The figures of more readers than this are remembered for a
// minute, as long as the sweep lets kept figures be old.
const mostCountedEachTime = 200
const remembered = new LRUCache<string, Awaited<ReturnType<typeof countPhases>>>({ max: 1_000, ttl: 60_000 })

async function countForZones(db: Database, rollout: ScopedRollout) {
  const name = JSON.stringify([rollout.organizationId, rollout.zones, rollout.id])
  const known = remembered.get(name)
  if (known) return known
  const phases = await countPhases(db, rollout)
  if (phases.reduce((sum, { readers }) => sum + readers, 0) > mostCountedEachTime) remembered.set(name, phases)
  return phases
}

/** Lists the phases of a rollout, in order; none where it has none. A role limited to zones has the figures of these zones alone. */
export async function listPhases(db: Database, rollout: PhasesQuery): Promise<RolloutPhase[]> {
  const rows = await selectPhases(db, rollout)
  const named = rows.some(({ zones }) => zones !== null) ? await selectZoneNames(db, rollout) : []
  const own = rollout.zones === null || rows.length === 0 ? rows : await countForZones(db, rollout)
  return rows.map((row) => {
    const chosen = named.find(({ number }) => number === row.number)
    const phase = toPhase(row, own.find(({ number }) => number === row.number) ?? none, rollout)
    if (!chosen) return phase
    return { ...phase, zoneNames: chosen.names, ...(rollout.zones !== null && { zones: chosen.zones }) }
  })
}

/** Returns whether a phase has not started yet. */
export const hasLaterPhases = async (db: Database, rollout: RolloutId): Promise<boolean> =>
  (await selectPhases(db, rollout)).some(({ started_at }) => started_at === null)

/** Returns a function that says whether a user begins a phase of one of these rollouts, and not the gate before it. */
export async function findByHand(
  db: Database,
  organizationId: number,
  rollouts: readonly string[],
): Promise<(rollout: string, phase: number) => boolean> {
  if (rollouts.length === 0) return () => false
  const rows = await selectPhasesByRollout(db, organizationId, rollouts)
  const byHand = new Set(rows.filter(isByHand).map(({ rollout_id, number }) => `${rollout_id} ${number + 1}`))
  return (rollout, phase) => byHand.has(`${rollout} ${phase}`)
}

const formatPhase = ({ number, share, zones }: Pick<PhaseRow, 'number' | 'share' | 'zones'>): string =>
  `phase ${number} (${share !== null ? `${share}% of the readers` : zones !== null ? counted(zones, 'zone') : 'the rest'})`

const findCurrent = (phases: readonly PhaseRow[]): PhaseRow | undefined =>
  phases.find(({ started_at, ended_at }) => started_at !== null && ended_at === null)

// Whether `some` are more than so many per cent of the readers that a gate can measure. Exactly so many per cent are not more.
const isBeyond = (some: number, phase: PhaseRow, percent: number | null): boolean =>
  percent !== null && some * 100 > percent * countMeasured(phase)

const hasTooManyFailed = (phase: PhaseRow): boolean =>
  !isByHand(phase) && isBeyond(phase.failed - phase.impossible, phase, phase.max_failed_percent)

// Whether its gate may decide something now, judged by kept figures.
const mayDecide = (phase: PhaseRow): boolean =>
  phase.halted_at === null && !isLast(phase) && (hasTooManyFailed(phase) || isDone(phase) !== (phase.done_at !== null))

/**
 * A change of a rollout's phases that hosts must read. `entry`: what a gate did, for the audit log; absent where only an empty phase got a
 * reader.
 */
export interface PhaseChange extends RolloutId {
  entry?: { change_type: 'gateHalt' | 'beginPhase'; new_value: string }
}

/**
 * Lets the gates of the publications' rollouts decide, after outcomes were stored. Returns what they changed. All readers are counted only
 * where kept figures show that a gate may decide. The caller holds the phases of these readers, so their kept figures are exact.
 */
export async function decideAfterReports(db: Database, organizationId: number, publications: readonly string[]): Promise<PhaseChange[]> {
  const changes: PhaseChange[] = []
  for (const id of await selectPhasedRollouts(db, organizationId, publications)) {
    const rollout = { organizationId, id }
    const current = findCurrent(await selectPhases(db, rollout))
    const change = current && mayDecide(current) ? await countAndDecide(db, rollout) : null
    if (change) changes.push(change)
  }
  return changes
}

/** Lists rollouts of all organizations whose gates wait for time alone, or whose figures are an hour old. */
export const listUncounted = (db: Database): Promise<RolloutId[]> => selectUncounted(db)

/** Lets a rollout's gate decide, as time has passed. Returns null where it changes nothing, or another server counts the phases. */
export const decideAfterTime = async (db: Database, rollout: RolloutId): Promise<PhaseChange | null> =>
  (await holdCount(db, rollout)) ? countAndDecide(db, rollout) : null

async function countAndDecide(db: Database, rollout: RolloutId): Promise<PhaseChange | null> {
  await updateCounts(db, rollout)
  const hasFilled = await fillShares(db, rollout)
  return (await beginNextOrHalt(db, rollout)) ?? (hasFilled ? rollout : null)
}

async function beginNextOrHalt(db: Database, rollout: RolloutId): Promise<PhaseChange | null> {
  const phase = findCurrent(await lockPhases(db, rollout))
  if (!phase || phase.halted_at !== null || isLast(phase)) return null
  if (hasTooManyFailed(phase)) return halt(db, rollout, phase, 'failed')
  const isOver = isDone(phase) && !(phase.silent > 0 && (await waitsForTime(db, rollout, phase.number)))
  if (isOver !== (phase.done_at !== null)) await updateDone(db, rollout, phase.number, isOver)
  // Read again, as `done_at` decides whether it has soaked.
  const phases = await lockPhases(db, rollout)
  const current = findCurrent(phases)
  if (!current?.has_soaked || isByHand(current)) return null
  if (await isHaltedByHand(db, rollout)) return null
  if (isBeyond(current.silent, current, current.max_silent_percent)) return halt(db, rollout, current, 'silent')
  const next = phases.find(({ number }) => number === current.number + 1)
  if (!next) return null
  await updateStarted(db, rollout, next.number)
  return { ...rollout, entry: { change_type: 'beginPhase', new_value: formatPhase(next) } }
}

// Whether silent readers of the phase wait for a run that is still to come, as they may be back by then.
async function waitsForTime(db: Database, rollout: RolloutId, number: number): Promise<boolean> {
  const now = new Date()
  const runs = await selectRunsOfSilent(db, rollout, number)
  return runs.some(({ published_at, update_time, start_date, open_times, time_zone_history }) => {
    const times = { updateTime: update_time, stopTime: null, startDate: start_date, ...(open_times && { openTimes: open_times }) }
    return plannedStart(published_at, times, time_zone_history, published_at) > now
  })
}

async function halt(db: Database, rollout: RolloutId, phase: PhaseRow, by: 'failed' | 'silent'): Promise<PhaseChange> {
  const count = by === 'failed' ? phase.failed - phase.impossible : phase.silent
  const readers = countMeasured(phase)
  await updateHalted(db, rollout, phase.number, { by, count, readers })
  const what = by === 'failed' ? 'failed' : 'were silent'
  const about = `${count} of ${readers} readers of ${formatPhase(phase)} ${what}`
  return { ...rollout, entry: { change_type: 'gateHalt', new_value: about } }
}

/**
 * Starts a phase, also past a gate that has halted the rollout. Returns its description for the audit log; null where it has started
 * already. Throws a Problem 404 without the phase, 409 before its turn.
 */
export async function beginByHand(db: Database, rollout: RolloutId, number: number): Promise<string | null> {
  const phases = await lockPhases(db, rollout)
  const phase = phases.find((one) => one.number === number)
  if (!phase) throw notFound('phase')
  if (phase.started_at !== null) return null
  if (findCurrent(phases)?.number !== number - 1) throw new Problem(409, `Phase ${number - 1} comes first.`)
  await updateStarted(db, rollout, number)
  return formatPhase(phase)
}

/**
 * Lets the other readers of a halted phase begin. A user then begins the next phase. Returns false where no gate has halted the rollout.
 */
export async function overrideGate(db: Database, rollout: RolloutId): Promise<boolean> {
  const current = findCurrent(await lockPhases(db, rollout))
  if (!current?.halted_at) return false
  await updateOverridden(db, rollout, current.number)
  return true
}
