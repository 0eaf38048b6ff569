import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { startInstant } from '@lectern/contract/publications/update-time.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { keepContent } from '../contents/contents.ts'
import { emitEvent } from '../events/events.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import {
  endPublications,
  insertPublication,
  insertRollout,
  selectDesired,
  selectRolloutOwner,
  selectZoneForPublish,
  upsertDesired,
} from './sql.ts'

/** When readers take a publication over. */
interface Timed {
  published_at: Date
  update_time: string
  stop_time: string | null
  at_once: boolean
}

/** Who publishes, from where, to which readers, and when those take it over. */
export interface Publish {
  caller: { userId: string; email: string }
  origin: { address: string; requestId: string }
  params: { organizationId: string; location: string; device: UpdateModel }
  updateTime: string
  /** Whether they take it over when it comes, whatever the update time. */
  atOnce?: boolean
  /** The rollout that this belongs to; its own unless it is given. */
  rollout?: string | undefined
}

/** The content of a publish: just received, or kept already. */
interface Published {
  kind: 'cfg' | 'file' | 'firmware'
  content: ReceivedFile | { hash: string; size: number }
  fileName: string | null
  version?: string
  /** How the audit log calls it. */
  label: string
}

/**
 * Makes a content what every reader of a model in a zone shall run from the next `updateTime` on.
 * Desired state, audit entry and event are one transaction; the bytes are safe before it.
 */
export async function publish(
  db: Database,
  { caller, origin, params, updateTime, atOnce = false, rollout = uuidv7() }: Publish,
  { kind, content, fileName, version, label }: Published,
): Promise<{ zoneName: string; revision: number }> {
  const { organizationId, location, device } = params
  const zone = await selectZoneForPublish(db, organizationId, location)
  if (!zone) throw new Problem(404, 'There is no such zone. It may have been deleted meanwhile.')
  await openRollout(db, { id: rollout, organizationId, userId: caller.userId })
  if ('keep' in content) await keepContent(db, content)
  const place = { organization_id: organizationId, zone_id: zone.id, device_type: device }
  const isFirmware = kind === 'firmware'
  await endPublications(db, zone.id, { deviceType: device, isFirmware })
  const { id, revision } = await insertPublication(db, {
    ...place,
    content: kind,
    content_hash: content.hash,
    size: content.size,
    file_name: fileName,
    version: version ?? null,
    version_order: version === undefined ? null : versionOrder(version),
    update_time: updateTime,
    at_once: atOnce,
    published_by: caller.userId,
    rollout_id: rollout,
    zone_name: zone.name,
  })
  await upsertDesired(db, isFirmware ? 'desired_firmware' : 'desired_configuration', { ...place, publication_id: id, revision })
  await recordChange(
    db,
    { caller, origin },
    {
      organization_id: organizationId,
      target: device,
      zone_name: zone.name,
      new_value: content.hash,
      ...(isFirmware
        ? { change_type: 'ZoneFirmwareChange', version: label }
        : { change_type: 'ZoneConfigChange', config_name: label, version: String(revision) }),
    },
  )
  await emitEvent(db, { organization_id: organizationId, zone_id: zone.id, kind: 'desired' })
  return { zoneName: zone.name, revision }
}

/** Opens a rollout, or joins one: only who opened it may, and within its organization. */
export async function openRollout(
  db: Database,
  { id, organizationId, userId, rollsBack = null }: { id: string; organizationId: string; userId: string; rollsBack?: string | null },
): Promise<void> {
  await insertRollout(db, { id, organization_id: organizationId, published_by: userId, rolls_back: rollsBack })
  const owner = await selectRolloutOwner(db, id)
  if (owner?.organization_id !== organizationId || owner.published_by !== userId)
    throw new Problem(409, 'This rollout is not yours to add to. Publish again.')
}

/** Ends what a zone was given, before the zone goes. */
export const endZonePublications = (db: Database, zoneId: string): Promise<void> => endPublications(db, zoneId)

/** What a zone's readers shall run of a kind, a model each, as hosts are told of it. */
export async function desiredPublications(db: Database, kind: 'configuration' | 'firmware', zoneId: string) {
  const rows = await selectDesired(db, `desired_${kind}`, zoneId)
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
    halted: row.halted,
  }))
}

/** From when on readers may begin with a publication, by their host's time zone. */
export function computeStart(publication: Timed & { time_zone: string }, now: Date): Date {
  const { published_at, update_time, stop_time, at_once, time_zone } = publication
  return at_once ? published_at : startInstant(published_at, { updateTime: update_time, stopTime: stop_time }, time_zone, now)
}

/** What became of a publication on a reader, as it travels; undefined where nothing has yet. */
export const toResult = (outcome: string | null, reason: string | null, at: Date | null) =>
  outcome === null || at === null
    ? undefined
    : { outcome: outcome as 'applied' | 'failed', at: at.toISOString(), ...(reason !== null && { reason }) }
