import type { Published, PublishInput } from '@lectern/contract/publications/publish-to-zones.ts'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import { uuidv7 } from 'uuidv7'
import { depths, recordChanges } from '../audit/audit.ts'
import { emitEvents } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { findMissingPermission, type Person } from '../lib/http/caller.ts'
import { hashRequest } from '../lib/http/idempotency.ts'
import { Problem } from '../lib/http/problem.ts'
import { enterPhases, openPhases, requireReaders } from '../phases/phases.ts'
import { getPublishingDefaults, requireOpen } from '../schedule/schedule.ts'
import { type ChosenZone, chooseZones, requirePhaseZones } from './chosen-zones.ts'
import { permissionsForParts, type ResolvedPart, resolveParts } from './part-contents.ts'
import { describeChange } from './publications.ts'
import {
  type CountedPublication,
  insertPublications,
  selectPresent,
  selectPublishedZones,
  selectRequestHash,
  selectRevisions,
  selectRunning,
  upsertAllDesired,
} from './publish-to-zones-sql.ts'
import { endPublications, insertRollout } from './sql.ts'

interface Call {
  db: Database
  actor: Actor<Person>
  params: ZoneScope
  contents: ContentStore
  body: PublishInput
  sinceReceived(): number
}

/** One rollout, all or nothing, whose id is the key. Throws a Problem 4xx that names what is in the way, 422 for a key of another publish. */
export async function publishToZones(call: Call): Promise<Published> {
  const { db, actor, params, contents, body } = call
  const missing = findMissingPermission(actor.caller, permissionsForParts(body.parts))
  if (missing) throw new Problem(403, `This needs the permission ${missing}.`)
  const { organizationId } = params
  const id = body.key
  const isNew = await insertRollout(db, {
    ...{ id, organization_id: organizationId, published_by: actor.caller.userId, rolls_back: null, request_hash: hashRequest(body) },
    ...(body.limits?.haltAbovePercent !== undefined && { halt_above_percent: body.limits.haltAbovePercent }),
    ...(body.limits?.stopTime !== undefined && { stop_time: body.limits.stopTime }),
  })
  if (!isNew) return findPublished(call, id)
  const zones = await chooseZones(db, params, body)
  const zoneIds = zones.map((zone) => zone.id)
  if (body.phases) await requirePhaseZones(db, params, body.phases, zones)
  const phases = body.phases ?? (await getPublishingDefaults(db, organizationId)).phases
  if ('now' in body.when && body.when.outsideWindow === undefined) await requireOpen(db, organizationId, zoneIds, phases.length > 0)
  const parts = await resolveParts({ db, contents, organizationId }, body.parts)
  const rollout = { organizationId, id }
  await openPhases(db, rollout, phases)
  await publishParts(call, id, zones, parts)
  await enterPhases(db, rollout)
  await requireReaders(db, rollout)
  await emitEvents(
    db,
    zones.map(({ public_id }) => ({ organization_id: organizationId, zone_id: public_id, kind: 'desired' })),
  )
  return { rolloutId: id, zones: await selectPublishedZones(db, params, id) }
}

async function findPublished({ db, actor, params, body }: Call, id: string): Promise<Published> {
  const kept = await selectRequestHash(db, params.organizationId, id)
  if (kept?.request_hash !== hashRequest(body) || kept.published_by !== actor.caller.userId)
    throw new Problem(422, 'This key was used for another publish.')
  return { rolloutId: id, zones: await selectPublishedZones(db, params, id) }
}

async function publishParts(call: Call, id: string, zones: readonly ChosenZone[], parts: readonly ResolvedPart[]): Promise<void> {
  const { db, actor, params, body } = call
  const { organizationId } = params
  const zoneIds = zones.map((zone) => zone.id)
  await endPublications(
    db,
    organizationId,
    zoneIds,
    parts.map(({ model, content }) => ({ deviceType: model, isFirmware: content === 'firmware' })),
  )
  const publications = await countPublications(db, organizationId, zones, parts)
  await insertPublications(db, publications, {
    ...{ organizationId, rollout: id },
    updateTime: 'now' in body.when ? defaultUpdateTime : body.when.updateTime,
    atOnce: 'now' in body.when,
    publishedBy: actor.caller.userId,
    millisecondsAgo: call.sinceReceived(),
  })
  await upsertAllDesired(db, organizationId, id)
  const changes = publications.map((row) =>
    describeChange(organizationId, id, row, row.number === 0 ? depths.rollout : row.namesZone ? depths.zone : depths.part),
  )
  await recordChanges(db, actor, changes)
}

const isFirmware = ({ content }: ResolvedPart): boolean => content === 'firmware'

/** The publications of a new rollout. The zones are locked; each is read once, whatever the number of them. */
async function countPublications(
  db: Database,
  organizationId: number,
  zones: readonly ChosenZone[],
  parts: readonly ResolvedPart[],
): Promise<(CountedPublication & ResolvedPart)[]> {
  const ids = zones.map(({ id }) => id)
  const toKey = (zone: number, model: string, more: unknown = '') => `${zone} ${model} ${more}`
  const models = parts.filter(isFirmware).map(({ model }) => model)
  const revisions = new Map(
    (await selectRevisions(db, organizationId, ids)).map((row) => [toKey(row.zone_id, row.model, row.is_firmware), row.revision]),
  )
  const present = new Map((await selectPresent(db, organizationId, ids)).map((row) => [toKey(row.zone_id, row.model), row.readers]))
  const running = Map.groupBy(models.length === 0 ? [] : await selectRunning(db, organizationId, ids, models), (row) =>
    toKey(row.zone_id, row.model),
  )
  const sorted = zones.toSorted((one, other) => one.name.localeCompare(other.name) || one.id - other.id)
  return sorted.flatMap((zone, zoneIndex) =>
    parts.map((part, index) => {
      const before = revisions.get(toKey(zone.id, part.model, isFirmware(part))) ?? 0
      const ran = isFirmware(part) && before === 0 ? (running.get(toKey(zone.id, part.model)) ?? []) : []
      const returnsTo = ran.find(({ version_order }) => version_order !== null)
      return {
        ...part,
        ...{ id: uuidv7(), zoneId: zone.id, zoneName: zone.name, revision: before + 1, number: zoneIndex * parts.length + index },
        present: present.get(toKey(zone.id, part.model)) ?? 0,
        namesZone: index === 0,
        hasPrevious: before > 0 || (returnsTo !== undefined && returnsTo.version_order !== part.versionOrder),
        ran: ran.length === 0 ? null : { firmware: ran.map((row) => row.firmware_id), readers: ran.map(({ readers }) => readers) },
      }
    }),
  )
}
