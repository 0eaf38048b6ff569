import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { type FirmwareRelease, firmwareFileProblem, type ReleaseFields } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { keepContent } from '../contents/contents.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { deleteRelease, insertRelease, type ReleaseRow, selectReleaseForUpdate, selectReleases, updateOffered } from './sql.ts'

/** Who changes a release, and from where. */
interface Author {
  caller: { userId: string; email: string }
  origin: { address: string; requestId: string }
}

/** Every release as staff see it. */
export const releaseList = async (db: Database): Promise<FirmwareRelease[]> => (await selectReleases(db).execute()).map(toRelease)

/** Adds a release. A version stands for one file: a model has each once, 4.09 being 4.9. */
export async function uploadRelease(db: Database, author: Author, file: ReceivedFile, fields: ReleaseFields): Promise<FirmwareRelease> {
  const { device, version, notes } = fields
  checkFirmwareFile(device, file)
  await keepContent(db, file)
  const inserted = await insertRelease(db, {
    id: uuidv7(),
    device_type: device,
    version,
    version_order: versionOrder(version),
    notes,
    file_name: file.name,
    content_hash: file.hash,
    size: file.size,
    created_by: author.caller.email,
  })
  if (!inserted) {
    const message = `There is already a release ${version} for ${device}.`
    throw new Problem(409, message, { errors: [{ field: 'version', message }] })
  }
  await recordChange(db, author, {
    organization_id: null,
    change_type: 'uploadFirmwareRelease',
    target: device,
    version,
    new_value: file.hash,
  })
  return release(db, inserted.id)
}

/** Withdraws a release, or offers it again. Zones that have a withdrawn one keep it: nothing is taken from under a running update. */
export async function offerRelease(db: Database, author: Author, id: string, isOffered: boolean): Promise<FirmwareRelease> {
  const found = await selectReleaseForUpdate(db, id)
  if (!found) throw notFound('release')
  await updateOffered(db, id, isOffered)
  const { device_type: target, version } = found
  await recordChange(db, author, {
    organization_id: null,
    change_type: 'offerFirmwareRelease',
    target,
    version,
    new_value: String(isOffered),
  })
  return release(db, id)
}

/** Deletes a release that was withdrawn. What zones were given stays theirs; a file that no zone has is swept. */
export async function removeRelease(db: Database, author: Author, id: string): Promise<void> {
  const found = await selectReleaseForUpdate(db, id)
  if (!found) throw notFound('release')
  const { device_type: target, version, content_hash, is_offered } = found
  if (is_offered) throw new Problem(409, `The release ${version} for ${target} is offered to customers. Withdraw it first.`)
  await deleteRelease(db, id)
  await recordChange(db, author, {
    organization_id: null,
    change_type: 'deleteFirmwareRelease',
    target,
    version,
    new_value: content_hash,
  })
}

/** Throws a Problem unless a received file may be a model's firmware (spec §5). What is in it, only readers know. */
export function checkFirmwareFile(device: UpdateModel, file: ReceivedFile): void {
  const message = firmwareFileProblem(device, file)
  if (message) throw new Problem(400, message, { errors: [{ field: 'file', message }] })
}

const release = async (db: Database, id: string): Promise<FirmwareRelease> =>
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
})
