import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { ConfigurationForm } from '@lectern/contract/publications/content-kind.ts'
import type { SafetyFields } from '@lectern/contract/publications/phases.ts'
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
import type { Content } from './open-publications-sql.ts'
import { toConfiguration, toFirmwareFile, toRelease } from './part-contents.ts'
import { openPublications, openRollout } from './publications.ts'
import { lockRollout, selectZoneForPublish } from './sql.ts'

export interface Publish extends StartFields, SafetyFields {
  actor: Actor<Person>
  params: ZoneScope & { location: string; device: UpdateModel }
  rollout?: string | undefined
  rolloutName?: string | undefined
  sinceReceived?: () => number
}

/**
 * Publishes a content to a model in one zone, in the transaction `db`. `file`: has the bytes, where they are not stored yet. Throws a Problem
 * 404 without the zone, 409 where another user opened the rollout.
 */
async function publish(
  db: Database,
  { actor, params, rollout = uuidv7(), rolloutName, sinceReceived = () => 0, limits, phases, updateTime, when, outsideWindow }: Publish,
  content: Content,
  file?: ReceivedFile,
): Promise<{ zoneName: string; revision: number }> {
  const { organizationId, location, device } = params
  const zone = await requireZone(db, params)
  await joinRollout(db, { id: rollout, name: rolloutName, organizationId, actor, limits, phases })
  if (file) await storeContent(db, file)
  const opening = {
    actor,
    publishedBy: actor.caller.userId,
    organizationId,
    rollout,
    start: { updateTime, when, outsideWindow },
    sinceReceived: sinceReceived(),
  }
  const part = { model: device, ...content }
  const [opened] = await openPublications(db, opening, [{ zone: { ...zone, public_id: location }, part }])
  return { zoneName: zone.name, revision: opened!.revision }
}

/** Locks the zone and returns it. Throws a Problem 404 without it. */
export async function requireZone(db: Database, params: Publish['params']): Promise<{ id: number; name: string }> {
  const zone = await selectZoneForPublish(db, params, params.location)
  if (!zone) throw new Problem(404, 'There is no such zone. It may have been deleted.')
  return zone
}

/**
 * Opens a rollout, or joins the one of this id, which keeps its name. Throws a Problem 409 where another user opened it, or where it has
 * other phases.
 */
async function joinRollout(db: Database, opening: Parameters<typeof openRollout>[1]): Promise<void> {
  if (await openRollout(db, opening)) return
  const { id, organizationId, actor, phases } = opening
  const rollout = await lockRollout(db, organizationId, id)
  if (rollout?.published_by !== actor.caller.userId) throw new Problem(409, 'This rollout is not yours to add to. Publish again.')
  if (phases) await requirePhases(db, { organizationId, id }, phases)
}

const formatStart = ({ updateTime = defaultUpdateTime, when }: StartFields): string => (when === 'now' ? 'at once' : `from ${updateTime}`)

/** `name`: of the library's version. Without one, a script is called as its file, and a CFG has no name. */
export async function publishConfiguration(
  db: Database,
  call: Publish,
  file: ReceivedFile,
  { kind, name, warnings = [] }: { kind: ConfigurationForm; name?: string; warnings?: readonly string[] },
): Promise<{ message: string }> {
  const content = toConfiguration(kind, file, name ?? (kind === 'file' ? file.name : null))
  const { zoneName, revision } = await publish(db, call, content, file)
  const published = `Published revision ${revision} for ${call.params.device} in ${zoneName}, ${formatStart(call)}.`
  return { message: [published, ...warnings].join(' ') }
}

export async function publishVersion(db: Database, call: Publish, requested: string): Promise<{ message: string }> {
  return publishFirmware(db, call, toRelease(await findRelease(db, call.params.device, requested)))
}

export async function publishFirmwareFile(db: Database, call: Publish, file: ReceivedFile): Promise<{ message: string }> {
  checkFirmwareFile(call.params.device, file)
  return publishFirmware(db, call, toFirmwareFile(file, file.name), file)
}

async function publishFirmware(db: Database, call: Publish, content: Content, file?: ReceivedFile): Promise<{ message: string }> {
  const { zoneName } = await publish(db, call, content, file)
  return { message: `Published firmware ${content.label} for ${call.params.device} in ${zoneName}, ${formatStart(call)}.` }
}
