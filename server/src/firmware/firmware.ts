import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { type FirmwareVersion, firmwareFileProblem, latestVersion, type RunningFirmware } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneIds } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { selectLatest, selectOffered, selectReleaseContent, selectReleaseForPublish, selectReportedReleases, selectRunning } from './sql.ts'

/** @param requested a version, or "latest": the newest offered now, whose version is then stored (decision 14). */
export async function findRelease(db: Database, device: UpdateModel, requested: string) {
  const isLatest = requested.toLowerCase() === latestVersion
  const release = await selectReleaseForPublish(db, device, isLatest ? 'latest' : versionOrder(requested))
  if (!release) throw refused(isLatest ? `There is no firmware release for ${device}.` : `There is no firmware ${requested} for ${device}.`)
  if (!release.is_offered) throw refused(`Firmware ${release.version} for ${device} was withdrawn. Choose another version.`)
  return release
}

/** Throws a Problem 400 unless name and size fit the model's firmware (spec §5). */
export function checkFirmwareFile(device: UpdateModel, file: ReceivedFile): void {
  const message = firmwareFileProblem(device, file)
  if (message) throw new Problem(400, message, { errors: [{ field: 'file', message }] })
}

const refused = (message: string) => new Problem(409, message, { errors: [{ field: 'firmwareVersion', message }] })

export const findLatestFirmware = async (db: Database, device: string): Promise<string | undefined> =>
  (await selectLatest(db, device))?.version

export async function listAvailable(db: Database, device: string): Promise<FirmwareVersion[]> {
  const latest = await findLatestFirmware(db, device)
  return (await selectOffered(db, device)).map(({ version }) => ({ version, ...(version === latest && { latest: true }) }))
}

export const listReportedReleases = (db: Database, zone: ZoneIds) => selectReportedReleases(db, zone)

export const listRunningVersions = (db: Database, zone: ZoneIds, device: string): Promise<RunningFirmware[]> =>
  selectRunning(db, zone, device)

export const isRelease = async (db: Database, hash: string): Promise<boolean> => (await selectReleaseContent(db, hash)) !== undefined
