import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { DesiredFirmware, Reapplication } from '@lectern/contract/hosts.ts'
import { positions, type SafetyFields } from '@lectern/contract/publications/phases.ts'
import { defaultUpdateTime, type StartFields, startInstant } from '@lectern/contract/publications/update-time.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { uuidv7 } from 'uuidv7'
import { type Change, depths, recordChanges } from '../audit/audit.ts'
import { emitEvents } from '../events/events.ts'
import { listReportedReleases } from '../firmware/firmware.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import type { Person, ZoneIds } from '../lib/http/caller.ts'
import { enterPhases, hasLaterPhases, openPhases } from '../phases/phases.ts'
import { getPublishingDefaults, requireOpen } from '../schedule/schedule.ts'
import {
  endPublicationsAt,
  endPublicationsOfZone,
  insertPublications,
  type Kind,
  type PartRow,
  selectExtent,
  selectPresent,
  selectRevisions,
  selectRunning,
  toKind,
  upsertDesired,
} from './open-publications-sql.ts'
import { selectOpenReapplications } from './readers/reapplications-sql.ts'
import { type Check, checkScript } from './scripts.ts'
import { insertRollout, selectDesired } from './sql.ts'

/** A content for a model. `label`: as the audit log calls it. */
export interface Part extends PartRow {
  model: UpdateModel
  label: string
}

export interface HeldZone {
  id: number
  public_id: string
  name: string
}

/** A content for a model in a zone that the caller holds. */
export interface Target {
  zone: HeldZone
  part: Part
  /** `HH:mm` of the host's clock; without it that of the start. */
  updateTime?: string
}

interface NewRollout extends Pick<SafetyFields, 'phases'> {
  id: string
  organizationId: number
  actor: Actor<Person>
  /** The rollout that it undoes. */
  rollsBack?: string
  /** Of the call that may be repeated. */
  requestHash?: string
  limits?: Partial<NonNullable<SafetyFields['limits']>> | undefined
}

/** Opens a rollout with the limits and phases that it is given, else those of its organization. Returns false where there is one with this id. */
export async function openRollout(
  db: Database,
  { id, organizationId, actor, rollsBack, requestHash, limits, phases }: NewRollout,
): Promise<boolean> {
  const isNew = await insertRollout(db, {
    id,
    organization_id: organizationId,
    published_by: actor.caller.userId,
    rolls_back: rollsBack ?? null,
    ...(requestHash !== undefined && { request_hash: requestHash }),
    ...(limits?.haltAbovePercent !== undefined && { halt_above_percent: limits.haltAbovePercent }),
    ...(limits?.stopTime !== undefined && { stop_time: limits.stopTime }),
  })
  if (isNew) await openPhases(db, { organizationId, id }, phases ?? (await getPublishingDefaults(db, organizationId)).phases)
  return isNew
}

interface Opening {
  actor: Actor<Person>
  organizationId: number
  /** The id of an open rollout. */
  rollout: string
  start: StartFields
  /** Milliseconds since the call came: a slow upload must not put a run of today off until tomorrow (NOW-03). */
  sinceReceived?: number
  /** Another entry of the audit log represents the whole rollout. */
  isRepresented?: boolean
}

export interface Opened extends Part {
  id: string
  zoneName: string
  revision: number
}

/**
 * The one way to publish: contents become the desired ones of models in zones, as parts of a rollout. Whoever calls it has opened the rollout, stored the
 * bytes and holds the zones. Throws a Problem 409 where it is to begin now and a window of a zone is closed.
 */
export async function openPublications(
  db: Database,
  { actor, organizationId, rollout, start, sinceReceived = 0, isRepresented = false }: Opening,
  targets: readonly Target[],
): Promise<Opened[]> {
  const zones = [...new Map(targets.map(({ zone }) => [zone.id, zone])).values()]
  const atOnce = start.when === 'now'
  const place = { organizationId, id: rollout }
  if (atOnce && start.outsideWindow === undefined)
    await requireOpen(
      db,
      organizationId,
      zones.map(({ id }) => id),
      await hasLaterPhases(db, place),
    )
  await endPublicationsAt(
    db,
    organizationId,
    targets.map(({ zone, part }) => ({ zoneId: zone.id, model: part.model, kind: toKind(part) })),
  )
  const publications = await countPublications(db, place, targets)
  const ids = publications.map(({ id }) => id)
  await insertPublications(db, publications, {
    ...{ organizationId, rollout, atOnce },
    updateTime: start.updateTime ?? defaultUpdateTime,
    publishedBy: actor.caller.userId,
    millisecondsAgo: sinceReceived,
  })
  await enterPhases(db, place, ids)
  await upsertDesired(db, organizationId, ids)
  await recordChanges(
    db,
    actor,
    publications.map((row) => describeChange(place, row, isRepresented)),
  )
  await emitEvents(
    db,
    zones.map(({ public_id }) => ({ organization_id: organizationId, zone_id: public_id, kind: 'desired' })),
  )
  return publications
}

// Before the zone is deleted: afterwards its publications name none.
export const endZonePublications = (db: Database, organizationId: number, zoneId: number): Promise<void> =>
  endPublicationsOfZone(db, organizationId, zoneId)

type Counted = Awaited<ReturnType<typeof countPublications>>[number]

function describeChange(
  { organizationId, id }: { organizationId: number; id: string },
  { model, zoneName, hash, content, label, revision, number, namesZone }: Counted,
  isRepresented: boolean,
): Change {
  const depth = number === 0 && !isRepresented ? depths.rollout : namesZone ? depths.zone : depths.part
  const change = { organization_id: organizationId, target: model, zone_name: zoneName, new_value: hash, rollout_id: id, depth }
  return content === 'firmware'
    ? { ...change, change_type: 'ZoneFirmwareChange', version: label }
    : { ...change, change_type: 'ZoneConfigChange', config_name: label, version: String(revision) }
}

/** Reads each zone once, whatever the number of targets. */
async function countPublications(
  db: Database,
  { organizationId, id: rollout }: { organizationId: number; id: string },
  targets: readonly Target[],
) {
  const ids = [...new Set(targets.map(({ zone }) => zone.id))]
  const toKey = (zone: number, model: string, more: unknown = '') => `${zone} ${model} ${more}`
  const models = [...new Set(targets.filter(({ part }) => toKind(part) === 'firmware').map(({ part }) => part.model))]
  const revisions = new Map(
    (await selectRevisions(db, organizationId, ids)).map((row) => [toKey(row.zone_id, row.model, row.kind), row.revision]),
  )
  const present = new Map((await selectPresent(db, organizationId, ids)).map((row) => [toKey(row.zone_id, row.model), row.readers]))
  const running = Map.groupBy(models.length === 0 ? [] : await selectRunning(db, organizationId, ids, models), (row) =>
    toKey(row.zone_id, row.model),
  )
  const { next, zones } = await selectExtent(db, organizationId, rollout)
  const named = new Set(zones)
  return targets.map(({ zone, part, updateTime }, index) => {
    const kind = toKind(part)
    const before = revisions.get(toKey(zone.id, part.model, kind)) ?? 0
    const ran = kind === 'firmware' && before === 0 ? (running.get(toKey(zone.id, part.model)) ?? []) : []
    const returnsTo = ran.find(({ version_order }) => version_order !== null)
    const namesZone = !named.has(zone.id)
    named.add(zone.id)
    return {
      ...part,
      id: uuidv7(),
      zoneId: zone.id,
      zoneName: zone.name,
      revision: before + 1,
      number: next + index,
      namesZone,
      present: present.get(toKey(zone.id, part.model)) ?? 0,
      hasPrevious: before > 0 || (returnsTo !== undefined && returnsTo.version_order !== part.versionOrder),
      ran: ran.length === 0 ? null : { firmware: ran.map((row) => row.firmware_id), readers: ran.map(({ readers }) => readers) },
      ...(updateTime !== undefined && { updateTime }),
    }
  })
}

export async function listDesired(db: Database, kind: Kind, zone: ZoneIds, knowsPhases = true) {
  const rows = await selectDesired(db, kind, zone)
  return rows.map((row) => ({
    publication: row.id,
    deviceType: row.device_type as UpdateModel,
    revision: row.revision,
    content: row.content,
    contentHash: row.content_hash,
    size: row.size,
    fileName: row.file_name,
    version: row.version,
    updateTime: row.update_time,
    stopTime: row.at_once ? null : row.stop_time,
    publishedAt: row.published_at.toISOString(),
    atOnce: row.at_once,
    halted: row.halted || (!knowsPhases && !row.is_in_last_phase),
    admitted: row.admitted_end === null || row.admitted_end === positions ? null : { rollout: row.rollout_id, end: row.admitted_end },
    startDate: row.start_date,
  }))
}

export function computeStart(publication: Timed & { time_zone: string }, now: Date): Date {
  const { published_at, update_time, stop_time, start_date, open_times, at_once, time_zone } = publication
  // The clock of the database may be ahead of this one.
  if (at_once) return published_at < now ? published_at : now
  const times = { updateTime: update_time, stopTime: stop_time, startDate: start_date, ...(open_times && { openTimes: open_times }) }
  return startInstant(published_at, times, time_zone, now)
}

export const toResult = (outcome: string | null, reason: string | null, at: Date | null) =>
  outcome === null || at === null
    ? undefined
    : { outcome: outcome as 'applied' | 'failed', at: at.toISOString(), ...(reason !== null && { reason }) }

export async function listDesiredFirmware(db: Database, zone: ZoneIds, knowsPhases: boolean): Promise<DesiredFirmware[]> {
  const desired = await listDesired(db, 'firmware', zone, knowsPhases)
  const reported = desired.length === 0 ? [] : await listReportedReleases(db, zone)
  const toPrevious = ({ deviceType, contentHash }: (typeof desired)[number]) =>
    reported
      .filter(({ device_type, content_hash }) => device_type === deviceType && content_hash !== contentHash)
      .map(({ version, content_hash, size }) => ({ version, contentHash: content_hash, size }))
  return desired.map((firmware) => {
    const { content: _, fileName, ...rest } = firmware
    return { ...rest, fileName: fileName as string, previous: toPrevious(firmware) }
  })
}

export const listOpenReapplications = (db: Database, zone: ZoneIds): Promise<Reapplication[]> => selectOpenReapplications(db, zone)

/** A publication's times; `update_time` and `stop_time` are `HH:mm` of the host's clock. */
interface Timed {
  published_at: Date
  update_time: string
  stop_time: string | null
  start_date: string | null
  open_times: OpenTimes | null
  at_once: boolean
}

export const checkScriptText = (check: Check, { fileName, text }: { fileName: string; text: string }): Promise<string[]> =>
  checkScript(check, async () => ({ name: fileName, bytes: new TextEncoder().encode(text) }))
