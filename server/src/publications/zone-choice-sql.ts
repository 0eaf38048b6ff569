import type { ZoneChoice } from '@lectern/contract/publications/publish-to-zones.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, integer, read, text } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern } from '../lib/like.ts'

const isChosen = ({ organizationId }: ZoneScope, choice: ZoneChoice): RawBuilder<unknown> => {
  if ('ids' in choice) return sql`z.public_id = any(${choice.ids}::uuid[])`
  const { tags = [], anyTag, search = '' } = choice.filter
  const conditions: RawBuilder<unknown>[] = []
  if (search.trim() !== '') conditions.push(sql`lower(z.name) like lower(${containsPattern(search.trim())})`)
  if (tags.length > 0)
    conditions.push(sql`not exists (
      select from unnest(${tags}::text[]) as sought (name) where not exists (${selectTagsOfZone(organizationId)} and lower(tag.name) = lower(sought.name)))`)
  if (anyTag)
    conditions.push(
      sql`exists (${selectTagsOfZone(organizationId)} and lower(tag.name) in (select lower(name) from unnest(${anyTag}::text[]) as sought (name)))`,
    )
  return conditions.length === 0 ? sql`true` : sql.join(conditions, sql` and `)
}

// SQL: the tags of zone `z`, for `exists`; a caller adds a condition on `tag`.
const selectTagsOfZone = (organizationId: number) => sql`
  select from zone_tag join tag on tag.organization_id = ${organizationId} and tag.id = zone_tag.tag_id
  where zone_tag.organization_id = ${organizationId} and zone_tag.zone_id = z.id`

/** Returns the chosen zones in the order of their ids, in which every publish locks zones. `locks`: locks them. */
export const selectChosenZones = (db: Database, scope: ZoneScope, choice: ZoneChoice, { locks = false } = {}) =>
  read(
    db,
    {
      id: integer(sql`z.id`),
      public_id: text(sql`z.public_id`),
      name: text(sql`z.name`),
      has_host: boolean(sql`exists (
        select from host where host.organization_id = ${scope.organizationId} and host.zone_id = z.id and revoked_at is null)`),
    },
    (list) => sql`
      select ${list} from zone z
      where z.organization_id = ${scope.organizationId} and ${isInZones(scope, sql`z.id`)} and ${isChosen(scope, choice)}
      order by z.id ${locks ? sql`for no key update of z` : sql``}`,
  )

/** Returns the names of those zones that exist or are in the audit log as deleted. A role limited to zones reads none of deleted zones. */
export const selectNamesOfMissing = (db: Database, scope: ZoneScope, ids: readonly string[]) =>
  read(
    db,
    { public_id: text(sql`public_id`), name: text(sql`name`), is_deleted: boolean(sql`is_deleted`) },
    (list) => sql`
      select ${list} from (
        select z.public_id::text as public_id, z.name, false as is_deleted from zone z
        where z.organization_id = ${scope.organizationId} and ${isInZones(scope, sql`z.id`)} and z.public_id = any(${ids}::uuid[])
        union all
        select target, zone_name, true from audit_entry
        where organization_id = ${scope.organizationId} and change_type = 'ZoneDelete' and zone_name is not null and ${scope.zones === null}
          and target = any(${ids}::text[])
      ) named order by lower(name)`,
  )

/** Returns the zones that the rollout was published to, by name. */
export const selectPublishedZones = (db: Database, { organizationId, zones }: ZoneScope, rollout: string) =>
  read(
    db,
    { id: text(sql`z.public_id`), name: text(sql`z.name`) },
    (list) => sql`
      select ${list} from zone z
      where z.organization_id = ${organizationId} and ${isInZones({ zones }, sql`z.id`)} and exists (
        select from publication p where p.organization_id = ${organizationId} and p.rollout_id = ${rollout} and p.zone_id = z.id)
      order by lower(z.name), z.id`,
  )
