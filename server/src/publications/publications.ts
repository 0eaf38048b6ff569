import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { positions, type SafetyFields } from '@lectern/contract/publications/phases.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { defaultUpdateTime, type StartFields, startInstant } from '@lectern/contract/publications/update-time.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { uuidv7 } from 'uuidv7'
import { type Change, depths, recordChange, recordChanges } from '../audit/audit.ts'
import { storeContent } from '../contents/contents.ts'
import { emitEvent, emitEvents } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { Person, ZoneIds } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { enterPhases, hasLaterPhases, openPhases, requirePhases } from '../phases/phases.ts'
import { getPublishingDefaults, requireOpen } from '../schedule/schedule.ts'
import { insertPublications, type PartRow, selectPresent, upsertAllDesired } from './publish-to-zones-sql.ts'
import { type Check, checkScript } from './scripts.ts'
import {
  endPublications,
  endPublicationsById,
  insertPublication,
  insertRollout,
  selectDesired,
  selectRolloutOwner,
  selectZoneForPublish,
  upsertDesired,
} from './sql.ts'

/** A publication's times; `update_time` and `stop_time` are `HH:mm` of the host's clock. */
interface Timed {
  published_at: Date
  update_time: string
  stop_time: string | null
  start_date: string | null
  open_times: OpenTimes | null
  at_once: boolean
}

export interface Publish extends StartFields, SafetyFields {
  actor: Actor<Person>
  params: ZoneScope & { location: string; device: UpdateModel }
  rollout?: string | undefined
  sinceReceived?: () => number
}

interface PublishedContent {
  kind: 'cfg' | 'file' | 'commands' | 'firmware'
  content: ReceivedFile | { hash: string; size: number }
  fileName: string | null
  version?: string
  label: string
}

/**
 * Makes a content the desired one of a model in a zone. `db` is one transaction; the bytes are stored before it. Throws a Problem 404 without
 * the zone, 409 where another person opened the rollout.
 */
export async function publish(
  db: Database,
  {
    actor,
    params,
    updateTime = defaultUpdateTime,
    when,
    outsideWindow,
    rollout = uuidv7(),
    sinceReceived = () => 0,
    limits,
    phases,
  }: Publish,
  { kind, content, fileName, version, label }: PublishedContent,
): Promise<{ zoneName: string; revision: number }> {
  const { organizationId, location, device } = params
  const zone = await requireZone(db, params)
  await openRollout(db, { id: rollout, organizationId, userId: actor.caller.userId, limits, phases })
  if (when === 'now' && outsideWindow === undefined)
    await requireOpen(db, organizationId, [zone.id], await hasLaterPhases(db, { organizationId, id: rollout }))
  if ('store' in content) await storeContent(db, content)
  const place = { organization_id: organizationId, zone_id: zone.id, device_type: device }
  const isFirmware = kind === 'firmware'
  await endPublications(db, organizationId, [zone.id], [{ deviceType: device, isFirmware }])
  const { id, revision, number, names_zone } = await insertPublication(db, {
    ...place,
    content: kind,
    content_hash: content.hash,
    size: content.size,
    file_name: fileName,
    version: version ?? null,
    version_order: version === undefined ? null : versionOrder(version),
    update_time: updateTime,
    at_once: when === 'now',
    published_by: actor.caller.userId,
    rollout_id: rollout,
    zone_name: zone.name,
    // A slow upload must not put a run of today off until tomorrow (NOW-03).
    millisecondsAgo: sinceReceived(),
  })
  await enterPhases(db, { organizationId, id: rollout }, id)
  await upsertDesired(db, isFirmware ? 'desired_firmware' : 'desired_configuration', { ...place, publication_id: id, revision })
  const depth = number === 0 ? depths.rollout : names_zone ? depths.zone : depths.part
  const published = { model: device, zoneName: zone.name, hash: content.hash, content: kind, label, revision }
  await recordChange(db, actor, describeChange(organizationId, rollout, published, depth))
  await emitEvent(db, { organization_id: organizationId, zone_id: location, kind: 'desired' })
  return { zoneName: zone.name, revision }
}

interface Published {
  model: string
  zoneName: string
  hash: string
  content: string
  /** As the audit log calls it. */
  label: string
  revision: number
}

export const describeChange = (
  organizationId: number,
  rollout: string,
  { model, zoneName, hash, content, label, revision }: Published,
  depth: Change['depth'],
): Change => ({
  ...{ organization_id: organizationId, target: model, zone_name: zoneName, new_value: hash, rollout_id: rollout, depth },
  ...(content === 'firmware'
    ? { change_type: 'ZoneFirmwareChange', version: label }
    : { change_type: 'ZoneConfigChange', config_name: label, version: String(revision) }),
})

export interface Replacement extends PartRow {
  /** The id and the revision of the current publication that it takes the place of. */
  replaced: { id: string; revision: number }
  zone: { id: number; public_id: string; name: string }
  updateTime: string
  /** As the audit log calls it. */
  label: string
}

/**
 * Publishes in the place of current publications, whose zones are locked, for an open rollout without phases that another entry of the audit log
 * represents. Those of a zone follow each other.
 */
export async function replacePublications(
  db: Database,
  { actor, organizationId, rollout, atOnce }: { actor: Actor<Person>; organizationId: number; rollout: string; atOnce: boolean },
  replacements: readonly Replacement[],
): Promise<void> {
  const zones = [...new Map(replacements.map(({ zone }) => [zone.id, zone])).values()]
  await endPublicationsById(
    db,
    organizationId,
    replacements.map(({ replaced }) => replaced.id),
  )
  const present = await selectPresent(
    db,
    organizationId,
    zones.map(({ id }) => id),
  )
  const readers = new Map(present.map((row) => [`${row.zone_id} ${row.model}`, row.readers]))
  const publications = replacements.map(({ replaced, zone, ...part }, number) => ({
    ...part,
    ...{ id: uuidv7(), zoneId: zone.id, zoneName: zone.name, revision: replaced.revision + 1, number, hasPrevious: true, ran: null },
    present: readers.get(`${zone.id} ${part.model}`) ?? 0,
    namesZone: replacements[number - 1]?.zone.id !== zone.id,
  }))
  const times = { updateTime: defaultUpdateTime, atOnce, millisecondsAgo: 0 }
  await insertPublications(db, publications, { organizationId, rollout, publishedBy: actor.caller.userId, ...times })
  await upsertAllDesired(db, organizationId, rollout)
  const changes = publications.map((row) => describeChange(organizationId, rollout, row, row.namesZone ? depths.zone : depths.part))
  await recordChanges(db, actor, changes)
  await emitEvents(
    db,
    zones.map(({ public_id }) => ({ organization_id: organizationId, zone_id: public_id, kind: 'desired' })),
  )
}

/** Locks it. Throws a Problem 404. */
export async function requireZone(db: Database, params: Publish['params']): Promise<{ id: number; name: string }> {
  const zone = await selectZoneForPublish(db, params, params.location)
  if (!zone) throw new Problem(404, 'There is no such zone. It may have been deleted.')
  return zone
}

interface NewRollout extends SafetyFields {
  id: string
  organizationId: number
  userId: string
  rollsBack?: string | null
}

/**
 * Opens a rollout, or joins an open one. Its id is its organization's own. Throws a Problem 409 where another person opened it, or with other
 * phases.
 */
export async function openRollout(
  db: Database,
  { id, organizationId, userId, rollsBack = null, limits, phases }: NewRollout,
): Promise<void> {
  const isNew = await insertRollout(db, {
    ...{ id, organization_id: organizationId, published_by: userId, rolls_back: rollsBack },
    ...(limits && { halt_above_percent: limits.haltAbovePercent, stop_time: limits.stopTime }),
  })
  const owner = await selectRolloutOwner(db, organizationId, id)
  if (owner?.published_by !== userId) throw new Problem(409, 'This rollout is not yours to add to. Publish again.')
  const rollout = { organizationId, id }
  if (isNew) await openPhases(db, rollout, phases ?? (await getPublishingDefaults(db, organizationId)).phases)
  else if (phases) await requirePhases(db, rollout, phases)
}

// Before the zone is deleted: afterwards its publications name none.
export const endZonePublications = (db: Database, organizationId: number, zoneId: number): Promise<void> =>
  endPublications(db, organizationId, [zoneId])

export async function listDesired(db: Database, kind: 'configuration' | 'firmware', zone: ZoneIds, knowsPhases = true) {
  const rows = await selectDesired(db, `desired_${kind}`, zone)
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

export const formatStart = ({ updateTime = defaultUpdateTime, when }: StartFields): string =>
  when === 'now' ? 'at once' : `from ${updateTime}`

/** `name`: of a library entry's version; else a script has that of its file, and a CFG none. */
export async function publishConfiguration(
  db: Database,
  call: Publish,
  file: ReceivedFile,
  { kind, name, warnings = [] }: { kind: 'cfg' | 'file' | 'commands'; name?: string; warnings?: readonly string[] },
): Promise<{ message: string }> {
  const fileName = name ?? (kind === 'file' ? file.name : null)
  const label = configurationLabel(fileName, file.hash)
  const { zoneName, revision } = await publish(db, call, { kind, content: file, fileName, label })
  const published = `Published revision ${revision} for ${call.params.device} in ${zoneName}, ${formatStart(call)}.`
  return { message: [published, ...warnings].join(' ') }
}

export type { Check }

export const checkScriptText = (check: Check, { fileName, text }: { fileName: string; text: string }): Promise<string[]> =>
  checkScript(check, async () => ({ name: fileName, bytes: new TextEncoder().encode(text) }))
