import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { latestVersion, type RunningFirmware, type ZoneFirmware } from '@lectern/contract/firmware/firmware.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { DesiredFirmware } from '@lectern/contract/hosts.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { desiredPublications, type Publish, publish } from '../publications/publications.ts'
import { checkFirmwareFile } from './releases.ts'
import { selectOffered, selectReleaseContent, selectReleaseForPublish, selectReportedReleases, selectRunning, selectZone } from './sql.ts'

/** Publishes a release to every reader of a model in a zone. "latest" is the newest offered now; what is kept is its version (decided). */
export async function publishVersion(db: Database, call: Publish, wanted: string): Promise<{ message: string }> {
  const { device } = call.params
  const isLatest = wanted.toLowerCase() === latestVersion
  const release = await selectReleaseForPublish(db, device, isLatest ? 'latest' : versionOrder(wanted))
  if (!release) throw refused(isLatest ? `There is no firmware release for ${device}.` : `There is no firmware ${wanted} for ${device}.`)
  const { version, file_name, content_hash, size, is_offered } = release
  if (!is_offered) throw refused(`Firmware ${version} for ${device} was withdrawn. Choose another version.`)
  return publishFirmware(db, call, { content: { hash: content_hash, size }, fileName: file_name, version, label: version })
}

const refused = (message: string) => new Problem(409, message, { errors: [{ field: 'firmwareVersion', message }] })

/** Publishes a file of the customer's own to every reader of a model in a zone. */
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
  return { message: `Published firmware ${firmware.label} for ${call.params.device} in ${zoneName}, from ${call.updateTime}.` }
}

/** The newest version of a model that can be chosen; undefined where there is none. */
export const latestFirmware = async (db: Database, device: string): Promise<string | undefined> =>
  (await selectOffered(db, device))[0]?.version

/** Readers of one model in a zone. */
interface Place {
  organizationId: string
  location: string
  device: UpdateModel
}

/** What the readers of a model in a zone shall run: a version, or the name of the customer's own file. */
export async function zoneFirmware(db: Database, { organizationId, location, device }: Place): Promise<ZoneFirmware> {
  if (!(await selectZone(db, organizationId, location))) throw notFound('zone')
  const desired = (await desiredPublications(db, 'firmware', location)).find(({ deviceType }) => deviceType === device)
  return { version: desired?.version ?? desired?.fileName ?? null }
}

/** What the readers of a model in a zone report to run, the newest version first. Those that have reported none are left out. */
export async function runningFirmware(db: Database, { organizationId, location, device }: Place): Promise<RunningFirmware[]> {
  if (!(await selectZone(db, organizationId, location))) throw notFound('zone')
  return selectRunning(db, location, device)
}

/** The firmware that the readers of a host's zone shall run. */
export async function listDesiredFirmware(db: Database, zoneId: string): Promise<DesiredFirmware[]> {
  const desired = await desiredPublications(db, 'firmware', zoneId)
  const reported = desired.length === 0 ? [] : await selectReportedReleases(db, zoneId)
  const toPrevious = ({ deviceType, contentHash }: (typeof desired)[number]) =>
    reported
      .filter(({ device_type, content_hash }) => device_type === deviceType && content_hash !== contentHash)
      .map(({ version, content_hash, size }) => ({ version: version as string, contentHash: content_hash, size }))
  return desired.map((firmware) => {
    const { content: _, fileName, ...rest } = firmware
    return { ...rest, fileName: fileName as string, previous: toPrevious(firmware) }
  })
}

/** Whether a content is a release's: any host may fetch it, to have it at hand for a reader that is to return to it. */
export const isRelease = async (db: Database, hash: string): Promise<boolean> => (await selectReleaseContent(db, hash)) !== undefined
