import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { RunningFirmware, ZoneFirmware } from '@lectern/contract/firmware/firmware.ts'
import { maxCfgLength } from '@lectern/contract/publications/cfg.ts'
import { configurationLabel, type DesiredContent } from '@lectern/contract/publications/publications.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { listRunningVersions } from '../firmware/firmware.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { ZoneIds } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import { findDesiredVersion } from './publications.ts'
import { selectDesiredContent, selectZoneId } from './sql.ts'

interface ZoneModel extends ZoneScope {
  location: string
  device: UpdateModel
}

async function getZone(db: Database, { location, device: _, ...scope }: ZoneModel): Promise<ZoneIds> {
  const zone = await selectZoneId(db, scope, location)
  if (!zone) throw notFound('zone')
  return { organizationId: scope.organizationId, zoneId: zone.id }
}

/** `version`: that of the firmware that readers must run, or the name of the customer's own file; null for none. */
export const getZoneFirmware = async (db: Database, zoneModel: ZoneModel): Promise<ZoneFirmware> => ({
  version: await findDesiredVersion(db, await getZone(db, zoneModel), zoneModel.device),
})

export const listRunningFirmware = async (db: Database, zoneModel: ZoneModel): Promise<RunningFirmware[]> =>
  listRunningVersions(db, await getZone(db, zoneModel), zoneModel.device)

/** Returns the configuration that readers of the model must run, with its text. Throws a Problem 404 where none is published. */
export async function getDesiredConfiguration(
  db: Database,
  params: ZoneScope & { location: string; device: string },
  contents: ContentStore,
): Promise<DesiredContent> {
  const row = await selectDesiredContent(db, params, params.location, params.device)
  if (!row) throw notFound('zone')
  const { content, content_hash, size, file_name, revision, published_at } = row
  if (content === null || content_hash === null || size === null || revision === null || published_at === null)
    throw notFound('configuration')
  const bytes = size > maxCfgLength ? null : Buffer.concat(await contents.read(content_hash).toArray())
  return {
    name: configurationLabel(file_name, content_hash),
    revision,
    publishedAt: published_at.toISOString(),
    kind: content === 'file' ? 'script' : (content as 'cfg' | 'commands'),
    text: bytes && (decodeFile(bytes)?.text ?? null),
  }
}
