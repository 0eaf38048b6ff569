import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { FirmwareRelease, ReleaseFields } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange, vendorsLog } from '../audit/audit.ts'
import { storeContent } from '../contents/contents.ts'
import type { Actor } from '../lib/actor.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { checkFirmwareFile } from './firmware.ts'
import { deleteRelease, insertRelease, type ReleaseRow, selectReleaseForUpdate, selectReleases, updateOffered } from './sql.ts'

export const listReleases = async (db: Database): Promise<FirmwareRelease[]> => (await selectReleases(db).execute()).map(toRelease)

/** Throws a Problem 409 where the model has this version already; 4.09 is 4.9. */
export async function uploadRelease(
  db: Database,
  actor: Actor<Person>,
  file: ReceivedFile,
  fields: ReleaseFields,
): Promise<FirmwareRelease> {
  const { device, version, notes } = fields
  checkFirmwareFile(device, file)
  await storeContent(db, file)
  const inserted = await insertRelease(db, {
    id: uuidv7(),
    device_type: device,
    version,
    version_order: versionOrder(version),
    notes,
    file_name: file.name,
    content_hash: file.hash,
    size: file.size,
    created_by: actor.caller.email,
  })
  if (!inserted) {
    const message = `There is already a release ${version} for ${device}.`
    throw new Problem(409, message, { errors: [{ field: 'version', message }] })
  }
  await recordChange(db, actor, {
    organization_id: vendorsLog,
    change_type: 'uploadFirmwareRelease',
    target: device,
    version,
    new_value: file.hash,
  })
  return getRelease(db, inserted.id)
}

export async function offerRelease(db: Database, actor: Actor<Person>, id: string, isOffered: boolean): Promise<FirmwareRelease> {
  const found = await selectReleaseForUpdate(db, id)
  if (!found) throw notFound('release')
  await updateOffered(db, id, isOffered)
  const { device_type: target, version } = found
  await recordChange(db, actor, {
    organization_id: vendorsLog,
    change_type: 'offerFirmwareRelease',
    target,
    version,
    new_value: String(isOffered),
  })
  return getRelease(db, id)
}

/** Throws a Problem 409 while the release is offered. Zones that have it keep it; the sweep removes a file that no zone has. */
export async function removeRelease(db: Database, actor: Actor<Person>, id: string): Promise<void> {
  const found = await selectReleaseForUpdate(db, id)
  if (!found) throw notFound('release')
  const { device_type: target, version, content_hash, is_offered } = found
  if (is_offered) throw new Problem(409, `The release ${version} for ${target} is offered to customers. Withdraw it first.`)
  await deleteRelease(db, id)
  await recordChange(db, actor, {
    organization_id: vendorsLog,
    change_type: 'deleteFirmwareRelease',
    target,
    version,
    new_value: content_hash,
  })
}

const getRelease = async (db: Database, id: string): Promise<FirmwareRelease> =>
  toRelease(await selectReleases(db).where('id', '=', id).executeTakeFirstOrThrow())

const toRelease = (row: ReleaseRow): FirmwareRelease => ({
  id: row.id,
  device: row.device_type as UpdateModel,
  version: row.version,
  notes: row.notes,
  fileName: row.file_name,
  contentHash: row.content_hash,
  size: row.size,
  isOffered: row.is_offered,
  zoneCount: row.zone_count ?? 0,
  createdOn: row.created_at.toISOString(),
  createdBy: row.created_by,
  createdByName: row.created_by_name ?? row.created_by,
})
