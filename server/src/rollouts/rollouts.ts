import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import type { ContentKind } from '@lectern/contract/publications/content-kind.ts'
import { mergeRuns } from '@lectern/contract/publications/runs.ts'
import type { HaltedZone } from '@lectern/contract/publications/safety-limit.ts'
import {
  combineStates,
  type Rollout,
  type RolloutContent,
  type RolloutDetail,
  type RolloutPart,
  type RolloutReader,
  type RolloutReaderPage,
  type RolloutState,
  rolloutTitle,
  sumOfCounts,
} from '@lectern/contract/rollouts/rollouts.ts'
import { zonesInSentence } from '@lectern/contract/text/names.ts'
import { nounOfUpdates } from '@lectern/contract/text/numbers.ts'
import { recordChanges } from '../audit/audit.ts'
import { emitDesired } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { wholeOrganization, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { Host } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import { decideAfterReports, listPhases, type PhaseChange } from '../phases/phases.ts'
import { countHaltedByLimit, type HaltedZoneRow, insertHalts, lockWithLimit, type NewHaltRow, selectHaltedZones } from './halts-sql.ts'
import { toContent, toPart } from './parts.ts'
import { selectParts, selectTargets } from './parts-sql.ts'
import { type ReaderFilter, selectReaders } from './reader-pages-sql.ts'
import { type ReaderRow, selectEvents, selectFailed } from './readers-sql.ts'
import * as late from './roll-back/late.ts'
import { countTaken } from './roll-back/taken-sql.ts'
import {
  foldPresent,
  hasRollout,
  type ScopedRollout,
  type SummedRow,
  selectContents,
  selectDesiringZones,
  selectNames,
  selectRollout,
  selectSimulatedZones,
  zonesNamed,
} from './sql.ts'
import { selectPhaseWaits } from './zones/phase-waits-sql.ts'
import { selectTimeZoneHistories, selectWaiting } from './zones/waiting-sql.ts'

const shown = { events: 8, failed: 5, haltedZones: 5 }
// A rollout with more publications is shown from the kept sums; else its publications are read.
export const partsRead = 20

const toSharedFields = (row: SummedRow, contents: readonly RolloutContent[]) => ({
  id: row.id,
  title: rolloutTitle(contents),
  ...(row.name !== null && { name: row.name }),
  // Zone words could name hidden zones and tags (decision 85).
  ...(row.zone_words !== null && !row.has_other_zones && { zoneWords: row.zone_words }),
  publishedAt: row.published_at.toISOString(),
  ...(row.published_by !== null && { publishedBy: row.published_by }),
  ...(row.rolls_back !== null && { rollsBack: row.rolls_back }),
  ...(row.rolled_back_by !== null && { rolledBackBy: row.rolled_back_by }),
  ...(row.rolled_back_by !== null && row.current > 0 && { isRolledBackInPart: true as const }),
  kinds: [...new Set(contents.map(({ kind }) => kind))].sort(),
  ...(row.has_other_zones && { isPartial: true as const }),
})

export function toRollout(row: SummedRow, parts: readonly RolloutPart[]): Rollout {
  // A deleted zone has no id, so it is known by its name.
  const zones = [...new Map(parts.map(({ zoneId, zone }) => [zoneId ?? zone, zone])).values()]
  const combined = combineStates(parts)
  return {
    ...toSharedFields(
      row,
      parts.map(({ content }) => content),
    ),
    zones: zones.slice(0, zonesNamed),
    zoneCount: zones.length,
    ...combined,
    ...(combined.state === 'complete' && { state: getEndState(row) }),
    runs: mergeRuns(parts.filter(({ state }) => state === 'scheduled').flatMap(({ runs }) => runs)),
    counts: sumOfCounts(parts.map(({ counts }) => counts)),
    ...(parts.some(({ simulated }) => simulated) && { simulated: true }),
  }
}

const countWaiting = ({ readers, applied, failed, replaced }: SummedRow): number => readers - applied - failed - replaced

export const isUnderWay = (row: SummedRow): boolean => countWaiting(row) > 0

// Whether the rollout's parts are read for its state, which then also depends on clocks and hosts.
export const hasReadableParts = (row: SummedRow): boolean => isUnderWay(row) && row.parts <= partsRead

/**
 * Returns the rows, with the readers that the safety limit makes wait added to `halted`. It adds them only to open rollouts whose parts are
 * not read.
 */
export async function addLimitHalts<Row extends Pick<SummedRow, 'id' | 'parts' | 'halted'>>(
  db: Database,
  scope: ZoneScope,
  rows: readonly Row[],
  isOpen: (row: Row) => boolean,
): Promise<Row[]> {
  const ids = rows.filter((row) => row.parts > partsRead && isOpen(row)).map(({ id }) => id)
  if (ids.length === 0) return [...rows]
  const byLimit = await countHaltedByLimit(db, scope, ids)
  return rows.map((row) => ({ ...row, halted: row.halted + (byLimit.get(row.id) ?? 0) }))
}

// The state of a rollout whose readers are all done. Where a roll back took it back from some, it is replaced.
const getEndState = ({ rolled_back_by }: SummedRow): RolloutState => (rolled_back_by === null ? 'complete' : 'replaced')

function getSummedState(row: SummedRow): RolloutState {
  const waiting = countWaiting(row)
  if (waiting > 0) return row.halted_by_gate || row.halted === waiting ? 'halted' : 'underWay'
  if (row.replaced > 0) return 'replaced'
  if (row.settled > 0) return getEndState(row)
  return row.ended > 0 ? 'replaced' : 'empty'
}

export function toSummedRollout(row: SummedRow, contents: readonly RolloutContent[]): Rollout {
  const { readers, applied, failed, replaced } = row
  return {
    ...toSharedFields(row, contents),
    zones: row.zones,
    zoneCount: row.zone_count,
    state: getSummedState(row),
    runs: [],
    counts: { readers, applied, downloading: 0, waiting: countWaiting(row), silent: 0, failed, replaced },
    ...(row.has_simulated && { simulated: true }),
  }
}

interface Head {
  title: string
  name: string | undefined
  kinds: ContentKind[]
  /** The chosen zones in words, and how many they are; null where the scope does not have all of them. */
  zones: { words: string; count: number } | null
}

/** Returns what rollouts contain and are called, by their ids. Unknown ids are left out. */
export async function listHeads(db: Database, scope: ZoneScope, ids: readonly string[]): Promise<ReadonlyMap<string, Head>> {
  const contents = Map.groupBy(await selectContents(db, scope, ids), ({ rollout_id }) => rollout_id)
  const names = new Map((await selectNames(db, scope, [...contents.keys()])).map((row) => [row.id, row]))
  return new Map(
    [...contents].map(([id, rows]) => {
      const held = rows.map(toContent)
      const { name = null, zone_words = null, chosen_zones = null } = names.get(id) ?? {}
      const zones = zone_words === null || chosen_zones === null ? null : { words: zone_words, count: chosen_zones }
      const kinds = [...new Set(held.map(({ kind }) => kind))].sort()
      return [id, { title: rolloutTitle(held), name: name ?? undefined, kinds, zones }]
    }),
  )
}

/**
 * Returns the rollout's text for the audit log: "Wristband, version 3 (Clinic go-live) in 7 zones tagged Clinic"; null where it is unknown.
 * `zoneWords`: given only for entries that no role limited to zones reads.
 */
export function formatTarget(head: Pick<Head, 'title' | 'name'> | undefined, zoneWords?: string): string | null {
  if (!head) return null
  const named = head.name === undefined ? head.title : `${head.title} (${head.name})`
  return zoneWords === undefined ? named : `${named} in ${zonesInSentence(zoneWords)}`
}

const toReader = (row: ReaderRow): RolloutReader => ({
  serialNumber: row.serial_number,
  deviceType: row.device_type as DeviceModel,
  zone: row.zone_name ?? '',
  content: toContent(row),
  state: row.state,
  ...(row.percent !== null && { percent: row.percent }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.code !== null && { code: row.code }),
  ...(row.at !== null && { at: row.at.toISOString() }),
  ...(row.simulated && { simulated: true }),
})

/** Gives back what they had to readers that were updated before their host PC heard of a roll back (decision 72). */
export const giveBackLate: typeof late.giveBackLate = (...call) => late.giveBackLate(...call)

export const sweepRollouts = (db: Database): Promise<void> => foldPresent(db)

/** Reads the parts of a small rollout, as the list does, and none of a large one. Throws a Problem 404. */
export async function getRollout(db: Database, { organizationId, zones, id }: ScopedRollout): Promise<RolloutDetail> {
  const rollout = { organizationId, zones, id }
  const stored = await selectRollout(db, rollout)
  if (!stored) throw notFound('rollout')
  const now = new Date()
  const isSummed = stored.parts > partsRead
  const limits = { isWhole: stored.current === stored.parts, percent: stored.above_percent, limit: shown.haltedZones }
  const [contents, rows, halts, events, failed] = await Promise.all([
    selectContents(db, rollout, [id]),
    isSummed ? [] : selectParts(db, rollout, [id]),
    selectHaltedZones(db, rollout, limits),
    selectEvents(db, rollout, shown.events),
    selectFailed(db, rollout, shown.failed),
  ])
  const isHaltedByLimit = (halts[0]?.halted ?? 0) > 0
  const row = isHaltedByLimit ? (await addLimitHalts(db, rollout, [stored], isUnderWay))[0]! : stored
  const parts = rows.map((part) => toPart(part, now))
  const phases = row.has_phases ? await listPhases(db, { ...rollout, isReplaced: row.current === 0 }) : []
  const isHaltedByGate = phases.some(({ state }) => state === 'halted')
  return {
    ...(isSummed ? toSummedRollout(row, contents.map(toContent)) : toRollout(row, parts)),
    isSummed,
    models: [...new Set(contents.map(({ device_type }) => device_type as DeviceModel))].sort(),
    current: row.current,
    isHalted: row.held > 0 || isHaltedByLimit || (isHaltedByGate && row.current > 0),
    haltable: isHaltedByGate ? 0 : isSummed ? countWaiting(row) - row.halted : countHaltable(parts),
    canRollBack: row.current > 0,
    events: events.map(toReader),
    failed: failed.map(toReader),
    retryable: row.retryable,
    ...(row.rolls_back !== null && { taken: await countTaken(db, rollout) }),
    safetyLimit: {
      haltAbovePercent: row.above_percent,
      stopTime: row.stop_time,
      later: { haltAbovePercent: row.later_percent, stopTime: row.later_stop_time },
      zones: halts.map(toHaltedZone),
      zoneCount: halts[0]?.zones ?? 0,
      halting: halts[0]?.beyond ?? 0,
    },
    phases,
    at: now.toISOString(),
  }
}

/** Lists the parts that wait for a time, in all zones of the scope, or in one of them. */
export const listWaiting = (db: Database, scope: ZoneScope, zoneId: number | undefined) => selectWaiting(db, scope, zoneId)

/** Lists the time zone histories of each zone's host PCs. */
export const listTimeZoneHistories = (db: Database, scope: ZoneScope) => selectTimeZoneHistories(db, scope)

/** Returns the phase that each publication waits for, by its id. Publications of which readers may begin are left out. */
export const listPhaseWaits = (
  db: Database,
  organizationId: number,
  publications: readonly string[],
): Promise<ReadonlyMap<string, number>> =>
  publications.length === 0 ? Promise.resolve(new Map()) : selectPhaseWaits(db, organizationId, publications)

function countHaltable(parts: readonly RolloutPart[]): number {
  const running = parts.filter(({ isCurrent, haltedAt }) => isCurrent && haltedAt === undefined)
  const { downloading, waiting, silent } = sumOfCounts(running.map(({ counts }) => counts))
  return downloading + waiting + silent
}

const toHaltedZone = ({ zone_id, zone, at, failed, readers, is_resumed }: HaltedZoneRow): HaltedZone => ({
  zoneId: zone_id,
  zone,
  at: at.toISOString(),
  failed,
  readers,
  isResumed: is_resumed,
})

export async function listRolloutReaders(
  db: Database,
  { organizationId, zones, id }: ScopedRollout,
  query: ReaderFilter & { PageNumber: number; PageSize: number },
): Promise<RolloutReaderPage> {
  const rollout = { organizationId, zones, id }
  if (!(await hasRollout(db, rollout))) throw notFound('rollout')
  const { PageNumber: pageNumber, PageSize: pageSize } = query
  const { rows, total, hasMore } = await selectReaders(db, rollout, query, { offset: pageNumber * pageSize, size: pageSize })
  return { readerList: rows.map(toReader), pageNumber, pageSize, totalCount: total, ...(hasMore && { hasMore: true as const }) }
}

/**
 * Lets gates decide, and halts the host's zone where a safety limit is exceeded, after outcomes of `publications` were stored. `hasFailed`:
 * whether one of these outcomes is a failure.
 */
export async function applyLimits(db: Database, actor: Actor<Host>, publications: readonly string[], hasFailed: boolean): Promise<void> {
  const { organizationId, zoneId } = actor.caller
  await recordPhaseChanges(db, actor, await decideAfterReports(db, organizationId, publications))
  if (!hasFailed) return
  const rollouts = await lockWithLimit(db, organizationId, publications)
  if (rollouts.length === 0) return
  await recordHalts(db, actor, organizationId, await insertHalts(db, organizationId, rollouts, [zoneId]))
}

/** Records the halts in the audit log, and lets the hosts of their zones fetch what is halted. */
export async function recordHalts(db: Database, actor: Actor, organizationId: number, halts: readonly NewHaltRow[]): Promise<void> {
  if (halts.length === 0) return
  const scope = { organizationId, zones: [...new Set(halts.map(({ zone_id }) => zone_id))].sort((a, b) => a - b) }
  const rollouts = [...new Set(halts.map(({ rollout_id }) => rollout_id))]
  const heads = await listHeads(db, wholeOrganization(organizationId), rollouts)
  const parts = Map.groupBy(await selectTargets(db, scope, rollouts), ({ rollout_id, zone_id }) => `${rollout_id} ${zone_id}`)
  const simulated = await selectSimulatedZones(db, scope)
  const halted = halts.map((halt) => ({ ...halt, here: parts.get(`${halt.rollout_id} ${halt.zone_id}`) ?? [] }))
  const changes = halted.map(({ rollout_id, zone_id, failed, readers, here }) => {
    return {
      organization_id: organizationId,
      change_type: 'safetyHalt' as const,
      target: formatTarget(heads.get(rollout_id)),
      zone_name: here[0]?.zone_name ?? null,
      new_value: `${failed} of ${readers} ${nounOfUpdates(here.map((part) => toContent(part).kind))}s`,
      simulated: simulated.has(zone_id),
    }
  })
  await recordChanges(db, { ...actor, caller: null }, changes)
  const zones = new Set(halted.map(({ here }) => here[0]?.public_zone_id ?? null))
  await emitDesired(db, organizationId, zones)
}

/** Records in the audit log what gates decided, and lets the hosts of their rollouts fetch it. */
export async function recordPhaseChanges(
  db: Database,
  { address, requestId }: Pick<Actor, 'address' | 'requestId'>,
  changes: readonly PhaseChange[],
): Promise<void> {
  for (const { organizationId, id, entry } of changes) {
    if (entry) {
      const head = (await listHeads(db, wholeOrganization(organizationId), [id])).get(id)
      const target = formatTarget(head, head?.zones?.words)
      await recordChanges(db, { caller: null, address, requestId }, [{ organization_id: organizationId, target, ...entry }])
    }
    await emitDesired(db, organizationId, await selectDesiringZones(db, { organizationId, id }))
  }
}
