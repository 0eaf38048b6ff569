import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { groupRuns, type Run } from '@lectern/contract/publications/runs.ts'
import {
  type LimitedZone,
  overallState,
  type Rollout,
  type RolloutContent,
  type RolloutCounts,
  type RolloutDetail,
  type RolloutPage,
  type RolloutPart,
  type RolloutReader,
  type RolloutReaderPage,
  type RolloutState,
  rolloutTitle,
  sumOfCounts,
} from '@lectern/contract/rollouts.ts'
import { recordChanges } from '../audit/audit.ts'
import { emitEvent } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import { computeStart } from '../publications/publications.ts'
import { type HaltRow, insertHalts, lockLimited } from './halts-sql.ts'
import { type PartRow, selectParts } from './parts-sql.ts'
import { type ReaderFilter, type ReaderRow, selectEvents, selectFailed, selectReaders } from './readers-sql.ts'
import {
  countRollouts,
  foldPresent,
  type RolloutRow,
  type SummedRow,
  selectContents,
  selectRollout,
  selectRollouts,
  zonesNamed,
} from './sql.ts'

const shown = { events: 8, failed: 5 }
/** The list reads the zones and models of a rollout under way where there are no more; otherwise it shows what is kept. */
const partsRead = 20

interface ContentRow {
  content: 'cfg' | 'file' | 'firmware'
  content_hash: string
  file_name: string | null
  version: string | null
}

export const toContent = ({ content, content_hash, file_name, version }: ContentRow): RolloutContent =>
  content === 'firmware'
    ? { kind: 'firmware', name: version ?? file_name ?? content_hash.slice(0, 8) }
    : { kind: 'configuration', name: configurationLabel(file_name, content_hash) }

export const toPrevious = ({ previous_content, previous_hash, previous_size, previous_file_name, previous_version }: PartRow) =>
  previous_content === null || previous_hash === null || previous_size === null
    ? null
    : {
        content: previous_content,
        content_hash: previous_hash,
        size: previous_size,
        file_name: previous_file_name,
        version: previous_version,
      }

/** Empty where no host gives the zone a clock, or nothing will begin. */
const listRuns = (row: PartRow, now: Date): Run[] =>
  row.replaced_at !== null
    ? []
    : groupRuns(row.time_zones.map((timeZone) => ({ at: computeStart({ ...row, time_zone: timeZone }, now), timeZone })))

const countOpen = ({ readers, applied, failed }: PartRow): number => readers - applied - failed

/** By a user, or by the safety limit of its zone. */
const findHaltedAt = ({ halted_at, limit_at, limit_resumed, replaced_at }: PartRow): Date | null =>
  halted_at ?? (replaced_at === null && limit_resumed === false ? limit_at : null)

function getState(row: PartRow, [first]: readonly Run[], now: Date): RolloutState {
  if (row.readers === 0) return row.replaced_at === null ? 'empty' : 'replaced'
  if (countOpen(row) === 0) return 'complete'
  if (row.replaced_at !== null) return 'replaced'
  if (findHaltedAt(row) !== null) return 'halted'
  if (!row.is_online) return 'waitingForHost'
  // After the stop time, readers under way finish, and retries do not wait.
  const isUpdating = row.downloading > 0 || row.is_retrying
  return first && new Date(first.at) > now && !isUpdating ? 'scheduled' : 'updating'
}

function toCounts(row: PartRow): RolloutCounts {
  const { readers, applied, failed, downloading, offline } = row
  const open = countOpen(row)
  return row.replaced_at === null
    ? { readers, applied, downloading, waiting: open - downloading - offline, offline, failed, replaced: 0 }
    : { readers, applied, downloading: 0, waiting: 0, offline: 0, failed, replaced: open }
}

function toPart(row: PartRow, now: Date): RolloutPart {
  const runs = listRuns(row, now)
  const halted = findHaltedAt(row)
  const previous = toPrevious(row)
  return {
    publication: row.id,
    zoneId: row.public_zone_id,
    zone: row.zone_name ?? '',
    deviceType: row.device_type as DeviceModel,
    content: toContent(row),
    revision: row.revision,
    state: getState(row, runs, now),
    counts: toCounts(row),
    isCurrent: row.replaced_at === null,
    updateTime: row.update_time,
    atOnce: row.at_once,
    runs,
    ...(halted && { haltedAt: halted.toISOString() }),
    ...(row.halted_by !== null && { haltedBy: row.halted_by }),
    ...(halted && row.halted_at === null && { haltedByLimit: true as const }),
    ...(row.host_percent !== null && { hostPercent: row.host_percent }),
    ...(previous && { previous: toContent(previous).name }),
    ...(row.has_simulated && { simulated: true }),
  }
}

const toHead = (row: RolloutRow, contents: readonly RolloutContent[]) => ({
  id: row.id,
  title: rolloutTitle(contents),
  publishedAt: row.published_at.toISOString(),
  ...(row.published_by !== null && { publishedBy: row.published_by }),
  ...(row.rolls_back !== null && { rollsBack: row.rolls_back }),
  ...(row.rolled_back_by !== null && { rolledBackBy: row.rolled_back_by }),
  kinds: [...new Set(contents.map(({ kind }) => kind))].sort(),
})

function toRollout(row: RolloutRow, parts: readonly RolloutPart[]): Rollout {
  // A deleted zone has no id any more.
  const zones = [...new Map(parts.map(({ zoneId, zone }) => [zoneId ?? zone, zone])).values()]
  return {
    ...toHead(
      row,
      parts.map(({ content }) => content),
    ),
    zones: zones.slice(0, zonesNamed),
    zoneCount: zones.length,
    state: overallState(parts.map(({ state }) => state)),
    runs: mergeRuns(parts.filter(({ state }) => state === 'scheduled').flatMap(({ runs }) => runs)),
    counts: sumOfCounts(parts.map(({ counts }) => counts)),
    ...(parts.some(({ simulated }) => simulated) && { simulated: true }),
  }
}

const countWaiting = ({ readers, applied, failed, replaced }: SummedRow): number => readers - applied - failed - replaced

// Its state hangs on the clock and on the hosts of its zones.
const hasReadableParts = (row: SummedRow): boolean => countWaiting(row) > 0 && row.parts <= partsRead

function getSummedState(row: SummedRow): RolloutState {
  const waiting = countWaiting(row)
  if (waiting > 0) return row.halted === waiting ? 'halted' : 'underWay'
  if (row.settled > 0) return 'complete'
  return row.ended > 0 ? 'replaced' : 'empty'
}

function toSummedRollout(row: SummedRow, contents: readonly RolloutContent[]): Rollout {
  const { readers, applied, failed, replaced } = row
  return {
    ...toHead(row, contents),
    zones: row.zones,
    zoneCount: row.zone_count,
    state: getSummedState(row),
    runs: [],
    counts: { readers, applied, downloading: 0, waiting: countWaiting(row), offline: 0, failed, replaced },
    ...(row.has_simulated && { simulated: true }),
  }
}

const mergeRuns = (runs: readonly Run[]): Run[] =>
  groupRuns(runs.flatMap(({ at, timeZones }) => timeZones.map((timeZone) => ({ at: new Date(at), timeZone }))))

const toReader = (row: ReaderRow): RolloutReader => ({
  serialNumber: row.serial_number,
  deviceType: row.device_type as DeviceModel,
  zone: row.zone_name ?? '',
  content: toContent(row),
  state: row.state,
  ...(row.percent !== null && { percent: row.percent }),
  ...(row.reason !== null && { reason: row.reason }),
  ...(row.at !== null && { at: row.at.toISOString() }),
  ...(row.simulated && { simulated: true }),
})

function listLimitedZones(parts: readonly PartRow[]): LimitedZone[] {
  const zones = new Map<string, LimitedZone>()
  for (const { public_zone_id: zoneId, zone_name, limit_at, limit_failed, limit_readers, limit_resumed } of parts) {
    if (zoneId === null || limit_at === null) continue
    const figures = { failed: limit_failed ?? 0, readers: limit_readers ?? 0 }
    zones.set(zoneId, { zoneId, zone: zone_name ?? '', at: limit_at.toISOString(), ...figures, isResumed: limit_resumed === true })
  }
  return [...zones.values()]
}

export async function listRollouts(
  db: Database,
  organizationId: number,
  { PageNumber, PageSize }: { PageNumber: number; PageSize: number },
): Promise<RolloutPage> {
  const rows = await selectRollouts(db, organizationId, { offset: PageNumber * PageSize, size: PageSize })
  const ids = (some: readonly SummedRow[]) => some.map(({ id }) => id)
  const now = new Date()
  const parts = Map.groupBy(
    await selectParts(db, organizationId, ids(rows.filter(hasReadableParts)), { withReaders: false }),
    ({ rollout_id }) => rollout_id,
  )
  const contents = Map.groupBy(await selectContents(db, organizationId, ids(rows)), ({ rollout_id }) => rollout_id)
  const toListed = (row: SummedRow): Rollout => {
    const summed = toSummedRollout(row, (contents.get(row.id) ?? []).map(toContent))
    const shown = (parts.get(row.id) ?? []).map((part) => toPart(part, now))
    if (shown.length === 0) return summed
    const { state, runs, counts } = toRollout(row, shown)
    return { ...summed, state, runs, counts }
  }
  return {
    rolloutList: rows.map(toListed),
    pageNumber: PageNumber,
    pageSize: PageSize,
    totalCount: await countRollouts(db, organizationId),
  }
}

export const sweepRollouts = (db: Database): Promise<void> => foldPresent(db)

export async function getRollout(db: Database, organizationId: number, id: string): Promise<RolloutDetail> {
  const row = await selectRollout(db, organizationId, id)
  if (!row) throw notFound('rollout')
  const now = new Date()
  const [rows, events, failed] = await Promise.all([
    selectParts(db, organizationId, [row.id]),
    selectEvents(db, { organizationId, id }, shown.events),
    selectFailed(db, { organizationId, id }, shown.failed),
  ])
  const parts = rows.map((part) => toPart(part, now))
  return {
    ...toRollout(row, parts),
    parts,
    events: events.map(toReader),
    failed: failed.map(toReader),
    retryable: rows.reduce((sum, { retryable }) => sum + retryable, 0),
    safetyLimit: {
      haltAbovePercent: row.above_percent,
      stopTime: row.stop_time,
      later: { haltAbovePercent: row.later_percent, stopTime: row.later_stop_time },
      zones: listLimitedZones(rows),
    },
    at: now.toISOString(),
  }
}

export async function listRolloutReaders(
  db: Database,
  organizationId: number,
  id: string,
  query: ReaderFilter & { PageNumber: number; PageSize: number },
): Promise<RolloutReaderPage> {
  if (!(await selectRollout(db, organizationId, id))) throw notFound('rollout')
  const { PageNumber: pageNumber, PageSize: pageSize } = query
  const { rows, total } = await selectReaders(db, { organizationId, id }, query, { offset: pageNumber * pageSize, size: pageSize })
  return { readerList: rows.map(toReader), pageNumber, pageSize, totalCount: total }
}

/** Halts the host's zone where the outcomes of `publications`, already stored, exceed a safety limit. */
export async function haltBeyondLimits(db: Database, actor: Actor<Host>, publications: readonly string[]): Promise<void> {
  const { organizationId, zoneId } = actor.caller
  const rollouts = await lockLimited(db, organizationId, publications)
  if (rollouts.length === 0) return
  await recordHalts(db, actor, organizationId, await insertHalts(db, organizationId, rollouts, { zones: [zoneId] }))
}

/** Audits the halts, and has the hosts of their zones read what is halted. */
export async function recordHalts(db: Database, actor: Actor, organizationId: number, halts: readonly HaltRow[]): Promise<void> {
  if (halts.length === 0) return
  const parts = await selectParts(db, organizationId, [...new Set(halts.map(({ rollout_id }) => rollout_id))])
  const changes = halts.map(({ rollout_id, zone_id, failed, readers }) => {
    const all = parts.filter((part) => part.rollout_id === rollout_id)
    const here = all.filter((part) => part.zone_id === zone_id)
    // A reader that gets configuration and firmware counts twice.
    const noun = new Set(here.map((part) => toContent(part).kind)).size > 1 ? 'updates' : 'readers'
    return {
      organization_id: organizationId,
      change_type: 'safetyHalt' as const,
      target: rolloutTitle(all.map(toContent)),
      zone_name: here[0]?.zone_name ?? null,
      new_value: `${failed} of ${readers} ${noun}`,
      simulated: here.some(({ has_simulated }) => has_simulated),
    }
  })
  await recordChanges(db, { ...actor, caller: null }, changes)
  for (const { rollout_id, zone_id } of halts) {
    const part = parts.find((one) => one.rollout_id === rollout_id && one.zone_id === zone_id)
    await emitEvent(db, { organization_id: organizationId, zone_id: part?.public_zone_id ?? null, kind: 'desired' })
  }
}
