import type { ZoneChoice } from '@lectern/contract/publications/publish-to-zones.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, integer, orNull, read, text } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { containsPattern } from '../lib/like.ts'

const isChosen = ({ organizationId }: ZoneScope, choice: ZoneChoice): RawBuilder<unknown> => {
  if ('ids' in choice) return sql`z.public_id = any(${choice.ids}::uuid[])`
  const { tags = [], search = '' } = choice.filter
  const isNamed = search.trim() === '' ? sql`true` : sql`lower(z.name) like lower(${containsPattern(search.trim())})`
  if (tags.length === 0) return isNamed
  return sql`${isNamed} and not exists (
    select from unnest(${tags}::text[]) as wanted (name) where not exists (
      select from zone_tag join tag on tag.organization_id = ${organizationId} and tag.id = zone_tag.tag_id
      where zone_tag.organization_id = ${organizationId} and zone_tag.zone_id = z.id and lower(tag.name) = lower(wanted.name)))`
}

/** In the order in which every publish locks them. */
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

/** Of zones that are there, and of those whose deletion the audit log has. */
export const selectZoneNames = (db: Database, scope: ZoneScope, ids: readonly string[]) =>
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

export async function selectRequestHash(db: Database, organizationId: number, id: string) {
  const [row] = await read(
    db,
    { published_by: orNull(text(sql`published_by`)), request_hash: orNull(text(sql`request_hash`)) },
    (list) => sql`select ${list} from rollout where organization_id = ${organizationId} and id = ${id}`,
  )
  return row
}

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

export interface PartRow {
  model: string
  content: 'cfg' | 'file' | 'commands' | 'firmware'
  hash: string
  size: number
  fileName: string | null
  version: string | null
  versionOrder: string | null
}

export interface BulkPublication {
  organizationId: number
  rollout: string
  zones: readonly number[]
  parts: readonly PartRow[]
  /** One for each zone and part. */
  ids: readonly string[]
  updateTime: string
  atOnce: boolean
  publishedBy: string
  millisecondsAgo: number
}

/** What the trigger `begin_publication` finds out for one, for all at once: a rollout that has none yet. */
export function insertPublications(db: Database, { organizationId, rollout, zones, parts, ids, ...all }: BulkPublication) {
  const column = (key: keyof PartRow, type: string) => sql`${parts.map((part) => part[key])}::${sql.raw(type)}[]`
  return read(
    db,
    {
      zone_name: text(sql`zone_name`),
      model: text(sql`device_type`),
      content: text<PartRow['content']>(sql`content`),
      revision: integer(sql`revision`),
      number: integer(sql`number`),
      names_zone: boolean(sql`names_zone`),
    },
    (list) => sql`
      with part as (
        select model, content, hash, size, file_name, version, version_order, place
        from unnest(${column('model', 'device_model')}, ${column('content', 'text')}, ${column('hash', 'text')}, ${column('size', 'bigint')},
          ${column('fileName', 'text')}, ${column('version', 'text')}, ${column('versionOrder', 'text')})
          with ordinality as part (model, content, hash, size, file_name, version, version_order, place)
      ), here as (
        select z.id as zone_id, z.name as zone_name, part.*, row_number() over (order by lower(z.name), z.id, part.place)::int - 1 as number
        from zone z cross join part where z.organization_id = ${organizationId} and z.id = any(${zones}::int[])
      )
      insert into publication (organization_id, rollout_id, id, zone_id, zone_name, device_type, content, content_hash, size, file_name, version, version_order,
        update_time, at_once, published_by, published_at, revision, present, number, names_zone, has_previous, ran_firmware, ran_readers)
      select ${organizationId}, ${rollout}::uuid, (${ids}::uuid[])[number + 1], zone_id, zone_name, model, content, hash, size, file_name, version,
        version_order, ${all.updateTime}, ${all.atOnce}, ${all.publishedBy}::uuid, now() - make_interval(secs => ${all.millisecondsAgo / 1_000}),
        before.revision + 1, present.total, number, place = 1, before.revision > 0 or coalesce(ran.is_returnable, false), ran.firmware, ran.readers
      from here
      cross join lateral (
        select coalesce(max(p.revision), 0) as revision from publication p where p.organization_id = ${organizationId} and p.zone_id = here.zone_id
          and p.device_type = here.model and (p.content = 'firmware') = (here.content = 'firmware')) before
      cross join lateral (
        select coalesce(sum(c.total), 0) as total from device_count c
        where c.organization_id = ${organizationId} and c.zone_id = here.zone_id and c.device_type = here.model) present
      left join lateral (${ranFirmware(organizationId)}) ran on here.content = 'firmware' and before.revision = 0
      returning ${list}`,
  )
}

// Of the readers of `here`, where no firmware had been published (decision 62).
const ranFirmware = (organizationId: number) => sql`
  select array_agg(v.firmware_id order by v.readers desc, v.firmware_id desc) as firmware,
    array_agg(v.readers order by v.readers desc, v.firmware_id desc) as readers,
    (array_agg(v.order_ is distinct from here.version_order order by v.readers desc, v.firmware_id desc) filter (where v.order_ is not null))[1] as is_returnable
  from (
    select d.firmware_id, count(*)::integer as readers, (
      select r.version_order from reported_firmware f
      join firmware_release r on r.device_type = here.model and r.version_order = f.version_order and r.is_offered
      where f.organization_id = ${organizationId} and f.id = d.firmware_id) as order_
    from device d where d.organization_id = ${organizationId} and d.zone_id = here.zone_id and d.device_type = here.model and d.firmware_id is not null
    group by 1) v`

/** Makes the publications of a rollout the desired ones. */
export async function upsertAllDesired(db: Database, organizationId: number, rollout: string): Promise<void> {
  for (const table of ['desired_configuration', 'desired_firmware'])
    await sql`
      insert into ${sql.table(table)} as desired (organization_id, zone_id, device_type, publication_id, revision)
      select organization_id, zone_id, device_type, id, revision from publication p
      where p.organization_id = ${organizationId} and p.rollout_id = ${rollout} and (p.content = 'firmware') = ${table === 'desired_firmware'}
      on conflict (organization_id, zone_id, device_type) do update set publication_id = excluded.publication_id, revision = excluded.revision`.execute(
      db,
    )
}
