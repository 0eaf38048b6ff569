import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { Desired, DesiredConfiguration, DesiredFirmware, Reapplication } from '@lectern/contract/hosts.ts'
import { toContentKind } from '@lectern/contract/publications/content-kind.ts'
import { positionCount, type SafetyFields } from '@lectern/contract/publications/phases.ts'
import { plannedStart } from '@lectern/contract/publications/time-zone-history.ts'
import { defaultUpdateTime, type StartFields } from '@lectern/contract/publications/update-time.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { uuidv7 } from 'uuidv7'
import { type Change, depths, recordChanges } from '../audit/audit.ts'
import { emitDesired } from '../events/events.ts'
import { listReportedReleases } from '../firmware/firmware.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import type { Person, ZoneIds } from '../lib/http/caller.ts'
import { enterPhases, hasLaterPhases, openPhases } from '../phases/phases.ts'
import { getPublishingDefaults, requireOpen } from '../schedule/schedule.ts'
import * as openSql from './open-publications-sql.ts'
import {
  insertPublicationReaders,
  insertPublications,
  type ModelContent,
  selectDesiredIds,
  selectExtent,
  selectPresent,
  selectRevisions,
  upsertDesired,
} from './open-publications-sql.ts'
import * as partContents from './part-contents.ts'
import { selectOpenReapplications } from './readers/reapplications-sql.ts'
import * as repairs from './readers/repairs.ts'
import { type Check, checkScript } from './scripts.ts'
import { insertRollout, selectDesired, selectReturns } from './sql.ts'

export interface HeldZone {
  id: number
  public_id: string
  name: string
}

/** A content for a model in a zone, which the caller has locked. */
export interface Target {
  zone: HeldZone
  part: ModelContent
  /** `HH:mm` on the host's clock; absent: that of `Opening.start`. */
  updateTime?: string
  /** Internal ids of the readers that the content is for; then the zone's desired state stays. Absent: for all readers. */
  readers?: readonly number[]
}

interface NewRollout extends Pick<SafetyFields, 'phases'> {
  id: string
  name?: string | undefined
  organizationId: number
  actor: Actor<Person>
  /** The rollout that this one rolls back. */
  rollsBack?: string
  /** Hash of the request, by which a repeat of the call is known. */
  requestHash?: string
  limits?: Partial<NonNullable<SafetyFields['limits']>> | undefined
}

/**
 * Opens a rollout. Returns false where a rollout of the organization has this id. `limits`, `phases`: the organization's where they are absent.
 */
export async function openRollout(
  db: Database,
  { id, name, organizationId, actor, rollsBack, requestHash, limits, phases }: NewRollout,
): Promise<boolean> {
  const isNew = await insertRollout(db, {
    id,
    organization_id: organizationId,
    published_by: actor.caller.userId,
    rolls_back: rollsBack ?? null,
    ...(name !== undefined && { name }),
    ...(requestHash !== undefined && { request_hash: requestHash }),
    ...(limits?.haltAbovePercent !== undefined && { halt_above_percent: limits.haltAbovePercent }),
    ...(limits?.stopTime !== undefined && { stop_time: limits.stopTime }),
  })
  if (isNew) await openPhases(db, { organizationId, id }, phases ?? (await getPublishingDefaults(db, organizationId)).phases)
  return isNew
}

interface Opening {
  actor: Actor
  /** The user's id; null for a user who is gone. */
  publishedBy: string | null
  organizationId: number
  /** The rollout's id. The caller has opened it. */
  rollout: string
  start: StartFields
  /** Milliseconds since the call came. They count as before the publish, so that a slow upload does not miss today's run (NOW-03). */
  sinceReceived?: number
  /** Whether another entry of the audit log represents the whole rollout. */
  isRepresented?: boolean
}

export interface Opened extends ModelContent {
  id: string
  zoneName: string
  revision: number
}

/**
 * Publishes contents as parts of a rollout, and returns the publications. Every publish goes this way. The caller has opened the rollout, stored
 * the bytes and locked the zones. Throws a Problem 409 where readers may begin now and a maintenance window of a zone is closed.
 */
export async function openPublications(
  db: Database,
  { actor, publishedBy, organizationId, rollout, start, sinceReceived = 0, isRepresented = false }: Opening,
  targets: readonly Target[],
): Promise<Opened[]> {
  const zones = [...new Map(targets.map(({ zone }) => [zone.id, zone])).values()]
  const atOnce = start.when === 'now'
  const rolloutId = { organizationId, id: rollout }
  if (atOnce && start.outsideWindow === undefined)
    await requireOpen(
      db,
      organizationId,
      zones.map(({ id }) => id),
      await hasLaterPhases(db, rolloutId),
    )
  const wholeZones = targets.filter(({ readers }) => readers === undefined)
  await openSql.endPublications(
    db,
    organizationId,
    wholeZones.map(({ zone, part }) => ({ zoneId: zone.id, model: part.model, kind: toContentKind(part.content) })),
  )
  const publications = await makePublications(db, rolloutId, targets)
  const ids = publications.map(({ id }) => id)
  await insertPublications(db, publications, {
    organizationId,
    rollout,
    atOnce,
    updateTime: start.updateTime ?? defaultUpdateTime,
    publishedBy,
    millisecondsAgo: sinceReceived,
  })
  await insertPublicationReaders(
    db,
    organizationId,
    publications.flatMap(({ id }, index) => {
      const { readers } = targets[index]!
      return readers === undefined ? [] : [{ publication: id, readers }]
    }),
  )
  await enterPhases(db, rolloutId, ids)
  await upsertDesired(
    db,
    organizationId,
    publications.filter(({ forReaders }) => !forReaders).map(({ id }) => id),
  )
  await recordChanges(
    db,
    actor,
    publications.map((row) => describeChange(rolloutId, row, isRepresented)),
  )
  await emitDesired(
    db,
    organizationId,
    zones.map(({ public_id }) => public_id),
  )
  return publications
}

/** Adds readers to publications that are for some readers only. */
export const addReaders = (db: Database, organizationId: number, rows: Parameters<typeof insertPublicationReaders>[2]) =>
  insertPublicationReaders(db, organizationId, rows)

/** Ends the publications that are current at these places. */
export const endPublications: typeof openSql.endPublications = (...call) => openSql.endPublications(...call)

/**
 * Returns the contents of the parts. Their bytes are stored, and stay until the transaction ends. Throws a Problem 4xx that names the part.
 */
export const resolveContents: typeof partContents.resolveContents = (...call) => partContents.resolveContents(...call)

/** Lists the permissions that publishing the parts needs. */
export const listPartPermissions: typeof partContents.listPartPermissions = (...call) => partContents.listPartPermissions(...call)

/** Ends the current publications of a zone that is deleted next; once it is deleted, its publications name no zone. */
export const endZonePublications: typeof openSql.endZonePublications = (...call) => openSql.endZonePublications(...call)

type NewPublication = Awaited<ReturnType<typeof makePublications>>[number]

function describeChange(
  { organizationId, id }: { organizationId: number; id: string },
  { model, zoneName, hash, content, label, revision, number, namesZone }: NewPublication,
  isRepresented: boolean,
): Change {
  const depth = number === 0 && !isRepresented ? depths.rollout : namesZone ? depths.zone : depths.part
  const change = { organization_id: organizationId, target: model, zone_name: zoneName, new_value: hash, rollout_id: id, depth }
  return content === 'firmware'
    ? { ...change, change_type: 'ZoneFirmwareChange', version: label }
    : { ...change, change_type: 'ZoneConfigChange', config_name: label, version: String(revision) }
}

/** Makes the rows to insert, with revision, number and counts. These are read once for all targets. */
async function makePublications(
  db: Database,
  { organizationId, id: rollout }: { organizationId: number; id: string },
  targets: readonly Target[],
) {
  const ids = [...new Set(targets.map(({ zone }) => zone.id))]
  const toKey = (zone: number, model: string, more: unknown = '') => `${zone} ${model} ${more}`
  const revisions = new Map(
    (await selectRevisions(db, organizationId, ids)).map((row) => [toKey(row.zone_id, row.model, row.kind), row.revision]),
  )
  const desired = new Map(
    (await selectDesiredIds(db, organizationId, ids)).map((row) => [toKey(row.zone_id, row.model, row.kind), row.publication]),
  )
  const present = new Map((await selectPresent(db, organizationId, ids)).map((row) => [toKey(row.zone_id, row.model), row.readers]))
  const { next, zones } = await selectExtent(db, organizationId, rollout)
  const named = new Set(zones)
  return targets.map(({ zone, part, updateTime, readers }, index) => {
    const key = toKey(zone.id, part.model, toContentKind(part.content))
    const revision = (revisions.get(key) ?? 0) + 1
    revisions.set(key, revision)
    const namesZone = !named.has(zone.id)
    named.add(zone.id)
    return {
      ...part,
      id: uuidv7(),
      zoneId: zone.id,
      zoneName: zone.name,
      revision,
      number: next + index,
      namesZone,
      forReaders: readers !== undefined,
      // A publication for some readers begins with 0, as `insertPublicationReaders` adds each reader.
      present: readers === undefined ? (present.get(toKey(zone.id, part.model)) ?? 0) : 0,
      replacedId: desired.get(key) ?? null,
      ...(updateTime !== undefined && { updateTime }),
    }
  })
}

type DesiredRow = Omit<Awaited<ReturnType<typeof selectDesired>>[number], 'except'>

const toDesired = (row: DesiredRow) => ({
  publication: row.id,
  deviceType: row.device_type as UpdateModel,
  revision: row.revision,
  contentHash: row.content_hash,
  size: row.size,
  updateTime: row.update_time,
  stopTime: row.at_once ? null : row.stop_time,
  publishedAt: row.published_at.toISOString(),
  atOnce: row.at_once,
  admitted: row.admitted_end === null || row.admitted_end === positionCount ? null : { rollout: row.rollout_id, end: row.admitted_end },
  startDate: row.start_date,
})

/**
 * What an agent understands. `knowsPhases`: else its readers begin with the last phase. `knowsReturns`: else it is not sent what a roll back
 * made desired again.
 */
interface AgentAbilities {
  knowsPhases: boolean
  knowsReturns: boolean
}

const isHaltedFor = (row: DesiredRow, { knowsPhases, knowsReturns }: AgentAbilities): boolean =>
  row.halted || (!knowsPhases && !row.is_in_last_phase) || (!knowsReturns && row.returned)

const toConfiguration = (row: DesiredRow) => ({
  ...toDesired(row),
  content: row.content as DesiredConfiguration['content'],
  fileName: row.file_name,
})

export async function listDesiredConfigurations(
  db: Database,
  host: ZoneIds & { hostId: number },
  abilities: AgentAbilities,
): Promise<DesiredConfiguration[]> {
  const rows = await selectDesired(db, 'configuration', host)
  return rows.map((row) => ({ ...toConfiguration(row), halted: isHaltedFor(row, abilities), except: row.except }))
}

/**
 * Returns a function that lists, for a publication, the other releases that readers of its zone and model report and the vendor offers. A
 * reader whose update fails is returned to one of them.
 */
async function readPrevious(db: Database, zone: ZoneIds) {
  const reported = await listReportedReleases(db, zone)
  return ({ device_type, content_hash }: DesiredRow) =>
    reported
      .filter((release) => release.device_type === device_type && release.content_hash !== content_hash)
      .map(({ version, content_hash: contentHash, size }) => ({ version, contentHash, size }))
}

const toFirmware = (row: DesiredRow) => ({ ...toDesired(row), version: row.version, fileName: row.file_name as string })

export async function listDesiredFirmware(
  db: Database,
  host: ZoneIds & { hostId: number },
  abilities: AgentAbilities,
): Promise<DesiredFirmware[]> {
  const rows = await selectDesired(db, 'firmware', host)
  if (rows.length === 0) return []
  const findPrevious = await readPrevious(db, host)
  return rows.map((row) => ({ ...toFirmware(row), halted: isHaltedFor(row, abilities), except: row.except, previous: findPrevious(row) }))
}

/** Lists what roll backs give back to readers of the host. */
export async function listReturns(db: Database, host: ZoneIds & { hostId: number }): Promise<Desired['returns']> {
  const rows = await selectReturns(db, host)
  const findPrevious = rows.some(({ content }) => content === 'firmware') ? await readPrevious(db, host) : () => []
  const common = (row: (typeof rows)[number]) => ({ halted: row.halted, except: [], readers: row.readers })
  return {
    configurations: rows.filter(({ content }) => content !== 'firmware').map((row) => ({ ...toConfiguration(row), ...common(row) })),
    firmware: rows
      .filter(({ content }) => content === 'firmware')
      .map((row) => ({ ...toFirmware(row), ...common(row), previous: findPrevious(row) })),
  }
}

/** Returns the firmware version that a model's readers in a zone must run, or the name of the customer's own file; null for none. */
export async function findDesiredVersion(db: Database, zone: ZoneIds, model: string): Promise<string | null> {
  const row = (await selectDesired(db, 'firmware', zone)).find(({ device_type }) => device_type === model)
  return row?.version ?? row?.file_name ?? null
}

/** A publication's times. `update_time`, `stop_time`: `HH:mm` on the host's clock. `start_date`: `YYYY-MM-DD` to which it was moved. */
interface Timed {
  published_at: Date
  update_time: string
  stop_time: string | null
  start_date: string | null
  open_times: OpenTimes | null
  at_once: boolean
}

/** Returns when readers of a host PC may begin, or began. */
export function computeStart(publication: Timed & { time_zone_history: string }, now: Date): Date {
  const { published_at, update_time, stop_time, start_date, open_times, at_once, time_zone_history } = publication
  // The database's clock may be ahead of this server's. What is published now is not in the future.
  if (at_once) return published_at < now ? published_at : now
  const times = { updateTime: update_time, stopTime: stop_time, startDate: start_date, ...(open_times && { openTimes: open_times }) }
  return plannedStart(published_at, times, time_zone_history, now)
}

export const toResult = (outcome: string | null, reason: string | null, at: Date | null) =>
  outcome === null || at === null
    ? undefined
    : { outcome: outcome as 'applied' | 'failed', at: at.toISOString(), ...(reason !== null && { reason }) }

/** Returns the dry run of a retry or a re-apply. */
export const previewRepair: typeof repairs.previewRepair = (...call) => repairs.previewRepair(...call)

/** Throws a Problem 409 where the repair would now do something else than the user was shown. */
export const requireShown: typeof repairs.requireShown = (...call) => repairs.requireShown(...call)

export const listOpenReapplications = (db: Database, zone: ZoneIds): Promise<Reapplication[]> => selectOpenReapplications(db, zone)

export const checkScriptText = (check: Check, { fileName, text }: { fileName: string; text: string }): Promise<string[]> =>
  checkScript(check, async () => ({ name: fileName, bytes: new TextEncoder().encode(text) }))
