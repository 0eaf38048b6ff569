import type { UpdateModel } from '@lectern/contract/device-models.ts'
import { recordChange } from '../audit/audit.ts'
import { keepContent } from '../contents/contents.ts'
import { tellEvent } from '../events/events.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database.ts'
import { Problem } from '../lib/problem.ts'
import { insertPublication, selectZoneForPublish, upsertDesired } from './sql.ts'

/** Who publishes, from where, to which readers, and when those take it over. */
export interface Publish {
  caller: { userId: string; email: string }
  origin: { address: string; requestId: string }
  params: { organizationId: string; location: string; device: UpdateModel }
  updateTime: string
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
  { caller, origin, params, updateTime }: Publish,
  { kind, content, fileName, version, label }: Published,
): Promise<{ zoneName: string; revision: number }> {
  const { organizationId, location, device } = params
  const zone = await selectZoneForPublish(db, organizationId, location)
  if (!zone) throw new Problem(404, 'There is no such zone. It may have been deleted meanwhile.')
  if ('keep' in content) await keepContent(db, content)
  const place = { organization_id: organizationId, zone_id: zone.id, device_type: device }
  const { id, revision } = await insertPublication(db, {
    ...place,
    content: kind,
    content_hash: content.hash,
    size: content.size,
    file_name: fileName,
    version: version ?? null,
    update_time: updateTime,
    published_by: caller.userId,
  })
  const isFirmware = kind === 'firmware'
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
  await tellEvent(db, { organization_id: organizationId, zone_id: zone.id, kind: 'desired' })
  return { zoneName: zone.name, revision }
}
