import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { maxTags, type TagCount, type TagInput, type ZoneSelection } from '@lectern/contract/zones.ts'
import { recordChanges } from '../audit/audit.ts'
import { emitEvents } from '../events/events.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import type { ZoneScope } from '../lib/database/zone-scope.ts'
import type { Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import {
  countTags,
  deleteUnusedTags,
  insertTags,
  lockTags,
  lockZonesForTags,
  selectSelection,
  selectTagged,
  selectTags,
  selectTagsOfRoles,
  updateZoneTags,
} from './tags-sql.ts'

const tagsPerOrganization = 1_000

const refused = (message: string) => new Problem(409, message, { errors: [{ field: 'add', message }] })

/**
 * Changes all zones or none. Throws a Problem 404 for an unknown zone, 409 where one would have too many tags, 403 for tags that roles are
 * limited to.
 */
export async function tagZones(db: Database, actor: Actor<Person>, scope: ZoneScope, { zones: ids, add, remove }: TagInput): Promise<void> {
  const { organizationId } = scope
  await lockTags(db, organizationId)
  await refuseTagsOfRoles(db, scope, actor.caller, { add, remove })
  const zones = (await lockZonesForTags(db, scope, ids)).map(({ id }) => id)
  if (zones.length < new Set(ids).size) throw notFound('zone')
  await insertTags(db, organizationId, add)
  const changed = await selectTagged(db, scope, await updateZoneTags(db, scope, { zones, add, remove }))
  const full = changed.find(({ tags }) => tags.length > maxTags)
  if (full) throw refused(`The zone "${full.name}" would have ${full.tags.length} tags. A zone may have at most ${maxTags}.`)
  await deleteUnusedTags(db, organizationId)
  if ((await countTags(db, organizationId)) > tagsPerOrganization) throw refused('An organization may have at most 1,000 tags.')
  await recordChanges(
    db,
    actor,
    changed.map(({ id, name, tags }) => ({
      organization_id: organizationId,
      change_type: 'tagZones',
      zone_name: name,
      target: id,
      new_value: tags.join(', '),
    })),
  )
  await emitEvents(
    db,
    changed.map(({ id }) => ({ organization_id: organizationId, zone_id: id, kind: 'zones' })),
  )
}

// Adding or removing such a tag changes what these roles see, so it needs the permission that changing them does (decision 63).
async function refuseTagsOfRoles(
  db: Database,
  { organizationId, zones }: ZoneScope,
  { permissions: held }: Person,
  change: Pick<TagInput, 'add' | 'remove'>,
) {
  for (const { name, permissions } of await selectTagsOfRoles(db, organizationId, [...change.add, ...change.remove])) {
    const missing = ['manage:people', ...permissions].find((permission) => !held.has(permission))
    if (missing === undefined) continue
    const isSame = (tag: string) => tag.toLowerCase() === name.toLowerCase()
    // How hidden zones write it is not disclosed.
    const written = zones === null ? name : [...change.add, ...change.remove].find(isSame)
    const message = `Roles are limited to the tag "${written}". Giving or taking it needs the permission ${quotePermissions([missing])}.`
    const isAdded = change.add.some(isSame)
    throw new Problem(403, message, { errors: [{ field: isAdded ? 'add' : 'remove', message }] })
  }
}

export async function listTags(db: Database, scope: ZoneScope): Promise<TagCount[]> {
  const rows = await selectTags(db, scope)
  return rows.map(({ tag, zones, is_partial, limits_roles }) => ({
    tag,
    zones,
    ...(is_partial && { isPartial: true }),
    ...(limits_roles && { limitsRoles: true }),
  }))
}

export async function listZoneSelection(db: Database, scope: ZoneScope): Promise<ZoneSelection> {
  const rows = await selectSelection(db, scope)
  const tags = [...new Set(rows.flatMap((row) => row.tags))]
  const models = [...new Set(rows.flatMap((row) => row.models))] as DeviceModel[]
  const place = (values: readonly string[]) => new Map(values.map((value, index) => [value, index]))
  const [tagAt, modelAt] = [place(tags), place(models)]
  return {
    tags,
    models,
    zones: rows.map((row) => [
      row.id,
      row.name,
      row.tags.map((tag) => tagAt.get(tag)!),
      row.models.flatMap((model, index) => [modelAt.get(model)!, row.counts[index]!]),
      row.has_host,
    ]),
  }
}
