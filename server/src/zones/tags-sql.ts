import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, integer, integers, read, text, texts } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'

// Makes changes of tags come one after the other: the later one sees what is left of a tag without zones, which is removed.
export const lockTags = (db: Database, organizationId: number) =>
  sql`select from organization where id = ${organizationId} for no key update`.execute(db)

export const lockZonesForTags = (db: Database, scope: ZoneScope, ids: readonly string[]) =>
  read(
    db,
    { id: integer(sql`z.id`) },
    (list) => sql`
      select ${list} from zone z
      where z.organization_id = ${scope.organizationId} and ${isInZones(scope, sql`z.id`)} and z.public_id = any(${ids}::uuid[])
      order by z.id for no key update`,
  )

const limitsRole = (organizationId: number) =>
  sql`exists (select from role_tag where role_tag.organization_id = ${organizationId} and role_tag.tag_id = tag.id)`

/** Those of the names that roles are limited to, with all that these roles permit. */
export const selectTagsOfRoles = (db: Database, organizationId: number, names: readonly string[]) =>
  read(
    db,
    {
      name: text(sql`tag.name`),
      permissions: texts(sql`array(
        select distinct unnest(role.permissions) as permission from role_tag
        join role on role.organization_id = role_tag.organization_id and role.id = role_tag.role_id
        where role_tag.organization_id = ${organizationId} and role_tag.tag_id = tag.id order by permission)`),
    },
    (list) => sql`
      select ${list} from tag where tag.organization_id = ${organizationId} and ${limitsRole(organizationId)}
        and lower(tag.name) in (select lower(name) from unnest(${names}::text[]) as name) order by lower(tag.name)`,
  )

/** A tag that exists in other capitals stays as it is. */
export const insertTags = (db: Database, organizationId: number, names: readonly string[]) =>
  sql`
    insert into tag (organization_id, name)
    select distinct on (lower(name)) ${organizationId}::int, name from unnest(${names}::text[]) with ordinality as n (name, place) order by lower(name), place
    on conflict (organization_id, lower(name)) do nothing`.execute(db)

/** SQL: tags in these zones that only roles limited to zones have given, as these wrote them. */
const ownNames = ({ organizationId, zones }: ZoneScope) => sql`
  select tag_id, min(name) as name from zone_tag
  where zone_tag.organization_id = ${organizationId} and ${isInZones({ zones }, sql`zone_tag.zone_id`)}
  group by tag_id having count(name) = count(*)`

/** SQL: the name of `tag` as the caller may know it: they do not learn whether hidden zones have it, nor how it is written there. */
export const tagName = (scope: ZoneScope) =>
  scope.zones === null
    ? sql`tag.name`
    : sql`coalesce((select jsonb_object_agg(tag_id, name) from (${ownNames(scope)}) own) ->> tag.id::text, tag.name)`

/** Returns the zones that this changes. */
export async function updateZoneTags(
  db: Database,
  scope: ZoneScope,
  { zones, add, remove }: { zones: readonly number[]; add: readonly string[]; remove: readonly string[] },
): Promise<number[]> {
  const { organizationId } = scope
  const written =
    scope.zones === null ? sql`null` : sql`case when seen.tag_id is null or own.tag_id is not null then coalesce(own.name, added.name) end`
  const removed = await read(
    db,
    { zone_id: integer(sql`zone_tag.zone_id`) },
    (list) => sql`
      delete from zone_tag using tag
      where zone_tag.organization_id = ${organizationId} and zone_tag.zone_id = any(${zones}::int[]) and tag.organization_id = ${organizationId}
        and tag.id = zone_tag.tag_id and lower(tag.name) in (select lower(name) from unnest(${remove}::text[]) as name)
      returning ${list}`,
  )
  const added = await read(
    db,
    { zone_id: integer(sql`zone_id`) },
    (list) => sql`
      insert into zone_tag (organization_id, zone_id, tag_id, name)
      select ${organizationId}, zone_id, tag.id, ${written} from unnest(${zones}::int[]) as zone_id
      cross join (select distinct on (lower(name)) name from unnest(${add}::text[]) with ordinality as n (name, place) order by lower(name), place) added
      join tag on tag.organization_id = ${organizationId} and lower(tag.name) = lower(added.name)
      left join (select distinct tag_id from zone_tag where zone_tag.organization_id = ${organizationId} and ${isInZones(scope, sql`zone_tag.zone_id`)}) seen
        on seen.tag_id = tag.id
      left join (${ownNames(scope)}) own on own.tag_id = tag.id
      on conflict do nothing returning ${list}`,
  )
  return [...new Set([...removed, ...added].map(({ zone_id }) => zone_id))]
}

/** Keeps a tag that roles are limited to: they see zones that get it later. */
export const deleteUnusedTags = (db: Database, organizationId: number) =>
  sql`
    delete from tag where tag.organization_id = ${organizationId} and not ${limitsRole(organizationId)} and not exists (
      select from zone_tag where zone_tag.organization_id = ${organizationId} and zone_tag.tag_id = tag.id)`.execute(db)

export async function countTags(db: Database, organizationId: number): Promise<number> {
  const [row] = await read(
    db,
    { tags: integer(sql`count(*)`) },
    (list) => sql`select ${list} from tag where organization_id = ${organizationId}`,
  )
  return row?.tags ?? 0
}

/** @param zone a column with the zone's internal id */
export const tagNames = (scope: ZoneScope, zone: RawBuilder<unknown>) =>
  texts(sql`array(
    select ${tagName(scope)} from zone_tag join tag on tag.organization_id = ${scope.organizationId} and tag.id = zone_tag.tag_id
    where zone_tag.organization_id = ${scope.organizationId} and zone_tag.zone_id = ${zone} order by lower(tag.name))`)

export const selectTagged = (db: Database, scope: ZoneScope, zones: readonly number[]) =>
  read(
    db,
    { id: text(sql`z.public_id`), name: text(sql`z.name`), tags: tagNames(scope, sql`z.id`) },
    (list) =>
      sql`select ${list} from zone z where z.organization_id = ${scope.organizationId} and z.id = any(${zones}::int[]) order by lower(z.name), z.id`,
  )

export const selectTags = (db: Database, scope: ZoneScope) => {
  const { organizationId } = scope
  const isSeen = isInZones(scope, sql`zone_tag.zone_id`)
  return read(
    db,
    {
      tag: text(tagName(scope)),
      zones: integer(sql`count(*) filter (where ${isSeen})`),
      is_partial: boolean(sql`not bool_and(${isSeen}) and bool_or(${isSeen} and zone_tag.name is null)`),
      limits_roles: boolean(limitsRole(organizationId)),
    },
    (list) => sql`
      select ${list} from tag join zone_tag on zone_tag.organization_id = ${organizationId} and zone_tag.tag_id = tag.id
      where tag.organization_id = ${organizationId} group by tag.id, tag.name
      having count(*) filter (where ${isSeen}) > 0 order by lower(tag.name)`,
  )
}

export const selectSelection = (db: Database, { organizationId, zones }: ZoneScope) =>
  read(
    db,
    {
      id: text(sql`z.public_id`),
      name: text(sql`z.name`),
      tags: tagNames({ organizationId, zones }, sql`z.id`),
      models: texts(sql`coalesce(c.models, '{}')`),
      counts: integers(sql`coalesce(c.counts, '{}')`),
      has_host: boolean(
        sql`exists (select from host where host.organization_id = ${organizationId} and host.zone_id = z.id and revoked_at is null)`,
      ),
    },
    (list) => sql`
      select ${list} from zone z left join (
        select zone_id, array_agg(device_type::text order by total desc, device_type) as models, array_agg(total order by total desc, device_type) as counts
        from (
          select zone_id, device_type, sum(total)::int as total from device_count
          where device_count.organization_id = ${organizationId} group by 1, 2 having sum(total) > 0) by_model
        group by 1
      ) c on c.zone_id = z.id
      where z.organization_id = ${organizationId} and ${isInZones({ zones }, sql`z.id`)} order by lower(z.name), z.id`,
  )
