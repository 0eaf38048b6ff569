import type { Published, PublishInput } from '@lectern/contract/publications/publish-to-zones.ts'
import { defaultUpdateTime } from '@lectern/contract/publications/update-time.ts'
import { uuidv7 } from 'uuidv7'
import { type Change, depths, recordChanges } from '../audit/audit.ts'
import { emitEvents } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { ContentStore } from '../lib/content-store.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import { findMissingPermission, type Person } from '../lib/http/caller.ts'
import { hashRequest } from '../lib/http/idempotency.ts'
import { Problem } from '../lib/http/problem.ts'
import { requireOpen } from '../schedule/schedule.ts'
import { type ChosenZone, chooseZones } from './chosen-zones.ts'
import { permissionsForParts, type ResolvedPart, resolveParts } from './part-contents.ts'
import { insertPublications, selectPublishedZones, selectRequestHash, upsertAllDesired } from './publish-to-zones-sql.ts'
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
  const id = body.key.toLowerCase()
  const isNew = await insertRollout(db, {
    ...{ id, organization_id: organizationId, published_by: actor.caller.userId, rolls_back: null, request_hash: hashRequest(body) },
    ...(body.limits?.haltAbovePercent !== undefined && { halt_above_percent: body.limits.haltAbovePercent }),
    ...(body.limits?.stopTime !== undefined && { stop_time: body.limits.stopTime }),
  })
  if (!isNew) return findPublished(call, id)
  const zones = await chooseZones(db, params, body)
  const zoneIds = zones.map((zone) => zone.id)
  if ('now' in body.when && body.when.outsideWindow === undefined) await requireOpen(db, organizationId, zoneIds)
  const parts = await resolveParts({ db, contents, organizationId }, body.parts)
  await publishParts(call, id, zones, parts)
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
  const published = await insertPublications(db, {
    ...{ organizationId, rollout: id, zones: zoneIds, parts, ids: zones.flatMap(() => parts.map(() => uuidv7())) },
    updateTime: 'now' in body.when ? defaultUpdateTime : body.when.updateTime,
    atOnce: 'now' in body.when,
    publishedBy: actor.caller.userId,
    millisecondsAgo: call.sinceReceived(),
  })
  await upsertAllDesired(db, organizationId, id)
  const held = new Map(parts.map((part) => [`${part.model} ${part.content === 'firmware'}`, part]))
  const changes = published.map(({ zone_name, model, content, revision, number, names_zone }): Change => {
    const { label, hash } = held.get(`${model} ${content === 'firmware'}`)!
    return {
      ...{ organization_id: organizationId, target: model, zone_name, new_value: hash, rollout_id: id },
      depth: number === 0 ? depths.rollout : names_zone ? depths.zone : depths.part,
      ...(content === 'firmware'
        ? { change_type: 'ZoneFirmwareChange', version: label }
        : { change_type: 'ZoneConfigChange', config_name: label, version: String(revision) }),
    }
  })
  await recordChanges(db, actor, changes)
}
