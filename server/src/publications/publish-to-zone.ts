import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { ConfigurationForm, StoredKind } from '@lectern/contract/publications/content-kind.ts'
import type { SafetyFields } from '@lectern/contract/publications/phases.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { defaultUpdateTime, type StartFields } from '@lectern/contract/publications/update-time.ts'
import { uuidv7 } from 'uuidv7'
import { storeContent } from '../contents/contents.ts'
import { checkFirmwareFile, findRelease } from '../firmware/firmware.ts'
import type { Actor } from '../lib/actor.ts'
import type { ReceivedFile } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { Person } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { requirePhases } from '../phases/phases.ts'
import { openPublications, openRollout } from './publications.ts'
import { lockRollout, selectZoneForPublish } from './sql.ts'

export interface Publish extends StartFields, SafetyFields {
  actor: Actor<Person>
  params: ZoneScope & { location: string; device: UpdateModel }
  rollout?: string | undefined
  rolloutName?: string | undefined
  sinceReceived?: () => number
}

interface PublishedContent {
  kind: StoredKind
  content: ReceivedFile | { hash: string; size: number }
  fileName: string | null
  version?: string
  label: string
}

/**
 * Publishes a content to a model in one zone. `db` is one transaction; the bytes were stored before. Throws a Problem 404 without the zone,
 * 409 where another person opened the rollout.
 */
async function publish(
  db: Database,
  { actor, params, rollout = uuidv7(), rolloutName, sinceReceived = () => 0, limits, phases, updateTime, when, outsideWindow }: Publish,
  { kind, content, fileName, version, label }: PublishedContent,
): Promise<{ zoneName: string; revision: number }> {
  const { organizationId, location, device } = params
  const zone = await requireZone(db, params)
  await joinRollout(db, { id: rollout, name: rolloutName, organizationId, actor, limits, phases })
  if ('store' in content) await storeContent(db, content)
  const part = {
    model: device,
    content: kind,
    hash: content.hash,
    size: content.size,
    fileName,
    version: version ?? null,
    versionOrder: version === undefined ? null : versionOrder(version),
    label,
  }
  const opening = {
    actor,
    publishedBy: actor.caller.userId,
    organizationId,
    rollout,
    start: { updateTime, when, outsideWindow },
    sinceReceived: sinceReceived(),
  }
  const [opened] = await openPublications(db, opening, [{ zone: { ...zone, public_id: location }, part }])
  return { zoneName: zone.name, revision: opened!.revision }
}

/** Locks the zone. Throws a Problem 404. */
export async function requireZone(db: Database, params: Publish['params']): Promise<{ id: number; name: string }> {
  const zone = await selectZoneForPublish(db, params, params.location)
  if (!zone) throw new Problem(404, 'There is no such zone. It may have been deleted.')
  return zone
}

/**
 * Opens a rollout, or joins an open one, which keeps its name. Its id is its organization's own. Throws a Problem 409 where another person opened it, or with other
 * phases.
 */
async function joinRollout(db: Database, opening: Parameters<typeof openRollout>[1]): Promise<void> {
  if (await openRollout(db, opening)) return
  const { id, organizationId, actor, phases } = opening
  const rollout = await lockRollout(db, organizationId, id)
  if (rollout?.published_by !== actor.caller.userId) throw new Problem(409, 'This rollout is not yours to add to. Publish again.')
  if (phases) await requirePhases(db, { organizationId, id }, phases)
}

const formatStart = ({ updateTime = defaultUpdateTime, when }: StartFields): string => (when === 'now' ? 'at once' : `from ${updateTime}`)

/** `name`: of the library's version; else a script is called as its file, and a CFG has none. */
export async function publishConfiguration(
  db: Database,
  call: Publish,
  file: ReceivedFile,
  { kind, name, warnings = [] }: { kind: ConfigurationForm; name?: string; warnings?: readonly string[] },
): Promise<{ message: string }> {
  const fileName = name ?? (kind === 'file' ? file.name : null)
  const label = configurationLabel(fileName, file.hash)
  const { zoneName, revision } = await publish(db, call, { kind, content: file, fileName, label })
  const published = `Published revision ${revision} for ${call.params.device} in ${zoneName}, ${formatStart(call)}.`
  return { message: [published, ...warnings].join(' ') }
}

export async function publishVersion(db: Database, call: Publish, requested: string): Promise<{ message: string }> {
  const { version, file_name, content_hash, size } = await findRelease(db, call.params.device, requested)
  return publishFirmware(db, call, { content: { hash: content_hash, size }, fileName: file_name, version, label: version })
}

export async function publishFirmwareFile(db: Database, call: Publish, file: ReceivedFile): Promise<{ message: string }> {
  checkFirmwareFile(call.params.device, file)
  return publishFirmware(db, call, { content: file, fileName: file.name, label: file.name })
}

async function publishFirmware(db: Database, call: Publish, firmware: Omit<PublishedContent, 'kind'>): Promise<{ message: string }> {
  const { zoneName } = await publish(db, call, { kind: 'firmware', ...firmware })
  return { message: `Published firmware ${firmware.label} for ${call.params.device} in ${zoneName}, ${formatStart(call)}.` }
}
