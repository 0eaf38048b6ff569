import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { type FirmwareVersion, latestVersion, type RunningFirmware, type ZoneFirmware } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { DesiredFirmware } from '@lectern/contract/hosts.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { ZoneIds } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { formatStart, listDesired, type Publish, publish } from '../publications/publications.ts'
import { checkFirmwareFile } from './releases.ts'
import {
  selectLatest,
  selectOffered,
  selectReleaseContent,
  selectReleaseForPublish,
  selectReportedReleases,
  selectRunning,
  selectZone,
} from './sql.ts'

/** @param requested a version, or "latest": the newest offered now, whose version is then stored (decision 14). */
export async function findRelease(db: Database, device: UpdateModel, requested: string) {
  const isLatest = requested.toLowerCase() === latestVersion
  const release = await selectReleaseForPublish(db, device, isLatest ? 'latest' : versionOrder(requested))
  if (!release) throw refused(isLatest ? `There is no firmware release for ${device}.` : `There is no firmware ${requested} for ${device}.`)
  if (!release.is_offered) throw refused(`Firmware ${release.version} for ${device} was withdrawn. Choose another version.`)
  return release
}

export async function publishVersion(db: Database, call: Publish, requested: string): Promise<{ message: string }> {
  const { version, file_name, content_hash, size } = await findRelease(db, call.params.device, requested)
  return publishFirmware(db, call, { content: { hash: content_hash, size }, fileName: file_name, version, label: version })
}

const refused = (message: string) => new Problem(409, message, { errors: [{ field: 'firmwareVersion', message }] })

export async function publishFile(db: Database, call: Publish, file: ReceivedFile): Promise<{ message: string }> {
  checkFirmwareFile(call.params.device, file)
  return publishFirmware(db, call, { content: file, fileName: file.name, label: file.name })
}

async function publishFirmware(
  db: Database,
  call: Publish,
  firmware: Omit<Parameters<typeof publish>[2], 'kind'>,
): Promise<{ message: string }> {
  const { zoneName } = await publish(db, call, { kind: 'firmware', ...firmware })
  return { message: `Published firmware ${firmware.label} for ${call.params.device} in ${zoneName}, ${formatStart(call)}.` }
}

export const findLatestFirmware = async (db: Database, device: string): Promise<string | undefined> =>
  (await selectLatest(db, device))?.version

export async function listAvailable(db: Database, device: string): Promise<FirmwareVersion[]> {
  const latest = await findLatestFirmware(db, device)
  return (await selectOffered(db, device)).map(({ version }) => ({ version, ...(version === latest && { latest: true }) }))
}

interface Place extends ZoneScope {
  location: string
  device: UpdateModel
}

/** `version` is the file's name where the customer published a file of their own. */
export async function getZoneFirmware(db: Database, { location, device, ...scope }: Place): Promise<ZoneFirmware> {
  const { organizationId } = scope
  const zone = await selectZone(db, scope, location)
  if (!zone) throw notFound('zone')
  const desired = (await listDesired(db, 'firmware', { organizationId, zoneId: zone.id })).find(({ deviceType }) => deviceType === device)
  return { version: desired?.version ?? desired?.fileName ?? null }
}

export async function listRunningFirmware(db: Database, { location, device, ...scope }: Place): Promise<RunningFirmware[]> {
  const { organizationId } = scope
  const zone = await selectZone(db, scope, location)
  if (!zone) throw notFound('zone')
  return selectRunning(db, { organizationId, zoneId: zone.id }, device)
}

export async function listDesiredFirmware(db: Database, zone: ZoneIds, knowsPhases: boolean): Promise<DesiredFirmware[]> {
  const desired = await listDesired(db, 'firmware', zone, knowsPhases)
  const reported = desired.length === 0 ? [] : await selectReportedReleases(db, zone)
  const toPrevious = ({ deviceType, contentHash }: (typeof desired)[number]) =>
    reported
      .filter(({ device_type, content_hash }) => device_type === deviceType && content_hash !== contentHash)
      .map(({ version, content_hash, size }) => ({ version, contentHash: content_hash, size }))
  return desired.map((firmware) => {
    const { content: _, fileName, ...rest } = firmware
    return { ...rest, fileName: fileName as string, previous: toPrevious(firmware) }
  })
}

export const isRelease = async (db: Database, hash: string): Promise<boolean> => (await selectReleaseContent(db, hash)) !== undefined
