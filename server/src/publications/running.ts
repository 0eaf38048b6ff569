import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { RunningFirmware, ZoneFirmware } from '@lectern/contract/firmware/firmware.ts'
import { maxCfgLength } from '@lectern/contract/publications/cfg.ts'
import { configurationLabel, type RunningConfiguration } from '@lectern/contract/publications/publications.ts'
import { decodeFile } from '@lectern/contract/text/decode-file.ts'
import { listRunningVersions } from '../firmware/firmware.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { ZoneIds } from '../lib/http/caller.ts'
import { notFound } from '../lib/http/problem.ts'
import { findDesiredVersion } from './publications.ts'
import { selectRunning, selectZoneId } from './sql.ts'

interface Place extends ZoneScope {
  location: string
  device: UpdateModel
}

async function getZone(db: Database, { location, device: _, ...scope }: Place): Promise<ZoneIds> {
  const zone = await selectZoneId(db, scope, location)
  if (!zone) throw notFound('zone')
  return { organizationId: scope.organizationId, zoneId: zone.id }
}

/** `version`: the file's name where it is the customer's own firmware. */
export const getZoneFirmware = async (db: Database, place: Place): Promise<ZoneFirmware> => ({
  version: await findDesiredVersion(db, await getZone(db, place), place.device),
})

export const listRunningFirmware = async (db: Database, place: Place): Promise<RunningFirmware[]> =>
  listRunningVersions(db, await getZone(db, place), place.device)

/** Throws a Problem 404 where nothing is published. */
export async function getRunning(
  db: Database,
  params: ZoneScope & { location: string; device: string },
  contents: ContentStore,
): Promise<RunningConfiguration> {
  const row = await selectRunning(db, params, params.location, params.device)
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
