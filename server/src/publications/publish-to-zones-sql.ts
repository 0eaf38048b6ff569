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
    select from unnest(${tags}::text[]) as sought (name) where not exists (
      select from zone_tag join tag on tag.organization_id = ${organizationId} and tag.id = zone_tag.tag_id
      where zone_tag.organization_id = ${organizationId} and zone_tag.zone_id = z.id and lower(tag.name) = lower(sought.name)))`
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

/** Newest revisions by zone, model and kind of content. */
export const selectRevisions = (db: Database, organizationId: number, zones: readonly number[]) =>
  read(
    db,
    {
      zone_id: integer(sql`zone_id`),
      model: text(sql`device_type`),
      is_firmware: boolean(sql`content = 'firmware'`),
      revision: integer(sql`max(revision)`),
    },
    (list) => sql`
      select ${list} from publication where organization_id = ${organizationId} and zone_id = any(${zones}::int[])
      group by zone_id, device_type, content = 'firmware'`,
  )

export const selectPresent = (db: Database, organizationId: number, zones: readonly number[]) =>
  read(
    db,
    { zone_id: integer(sql`zone_id`), model: text(sql`device_type`), readers: integer(sql`sum(total)`) },
    (list) => sql`
      select ${list} from device_count where organization_id = ${organizationId} and zone_id = any(${zones}::int[]) group by zone_id, device_type`,
  )

/** The version that most readers run first. `version_order`: of its release, where that is offered. */
export const selectRunning = (db: Database, organizationId: number, zones: readonly number[], models: readonly string[]) =>
  read(
    db,
    {
      zone_id: integer(sql`d.zone_id`),
      model: text(sql`d.device_type`),
      firmware_id: integer(sql`d.firmware_id`),
      readers: integer(sql`d.readers`),
      version_order: orNull(text(sql`r.version_order`)),
    },
    (list) => sql`
      select ${list} from (
        select zone_id, device_type, firmware_id, count(*) as readers from device
        where device.organization_id = ${organizationId} and zone_id = any(${zones}::int[]) and device_type = any(${models}::device_model[])
          and firmware_id is not null
        group by 1, 2, 3
      ) d join reported_firmware f on f.organization_id = ${organizationId} and f.id = d.firmware_id
      left join firmware_release r on r.device_type = d.device_type and r.version_order = f.version_order and r.is_offered
      order by d.readers desc, d.firmware_id desc`,
  )

/** All that the trigger `begin_publication` finds out for one. */
export interface CountedPublication extends PartRow {
  id: string
  zoneId: number
  zoneName: string
  revision: number
  present: number
  number: number
  namesZone: boolean
  hasPrevious: boolean
  ran: { firmware: readonly number[]; readers: readonly number[] } | null
  /** Without one the shared time. */
  updateTime?: string
}

interface Shared {
  organizationId: number
  rollout: string
  updateTime: string
  atOnce: boolean
  publishedBy: string
  millisecondsAgo: number
}

export function insertPublications(db: Database, rows: readonly CountedPublication[], shared: Shared) {
  const column = (type: string, pick: (row: CountedPublication) => unknown) => sql`${rows.map(pick)}::${sql.raw(type)}[]`
  // An array of arrays is not one of unequal ones.
  const whole = (numbers: readonly number[] | undefined) => (numbers && numbers.length > 0 ? `{${numbers.join()}}` : null)
  return sql`
    insert into publication (organization_id, rollout_id, update_time, at_once, published_by, published_at, id, zone_id, zone_name, device_type, content,
      content_hash, size, file_name, version, version_order, revision, present, number, names_zone, has_previous, ran_firmware, ran_readers)
    select ${shared.organizationId}, ${shared.rollout}::uuid, r.update_time, ${shared.atOnce}, ${shared.publishedBy}::uuid,
      now() - make_interval(secs => ${shared.millisecondsAgo / 1_000}), r.id, r.zone_id, r.zone_name, r.model, r.content, r.hash, r.size, r.file_name, r.version,
      r.version_order, r.revision, r.present, r.number, r.names_zone, r.has_previous, r.firmware::int[], r.readers::int[]
    from unnest(${column('uuid', (row) => row.id)}, ${column('int', (row) => row.zoneId)}, ${column('text', (row) => row.zoneName)},
      ${column('device_model', (row) => row.model)}, ${column('text', (row) => row.content)}, ${column('text', (row) => row.hash)},
      ${column('bigint', (row) => row.size)}, ${column('text', (row) => row.fileName)}, ${column('text', (row) => row.version)},
      ${column('text', (row) => row.versionOrder)}, ${column('int', (row) => row.revision)}, ${column('int', (row) => row.present)},
      ${column('int', (row) => row.number)}, ${column('boolean', (row) => row.namesZone)}, ${column('boolean', (row) => row.hasPrevious)},
      ${column('text', (row) => whole(row.ran?.firmware))}, ${column('text', (row) => whole(row.ran?.readers))},
      ${column('text', (row) => row.updateTime ?? shared.updateTime)})
      as r (id, zone_id, zone_name, model, content, hash, size, file_name, version, version_order, revision, present, number, names_zone, has_previous,
        firmware, readers, update_time)`.execute(db)
}

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
