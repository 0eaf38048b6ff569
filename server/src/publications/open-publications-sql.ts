import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import type { ContentKind, StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { integer, orNull, read, text } from '../lib/database/rows.ts'

/** What is published for a model, as it is stored. */
export interface ModelContentRow {
  model: string
  content: StoredKind
  hash: string
  size: number
  fileName: string | null
  version: string | null
  versionOrder: string | null
}

/** A content for a model. `label`: its name in the audit log. */
export interface ModelContent extends ModelContentRow {
  model: UpdateModel
  label: string
}

export type Content = Omit<ModelContent, 'model'>

interface Place {
  zoneId: number
  model: string
  kind: ContentKind
}

const fromPlaces = (places: readonly Place[]) =>
  sql`unnest(${places.map(({ zoneId }) => zoneId)}::int[], ${places.map(({ model }) => model)}::device_model[],
    ${places.map(({ kind }) => kind)}::content_kind[]) as place (zone_id, device_type, kind)`

/** Ends the publications that are current at these places. */
export const endPublications = (db: Database, organizationId: number, places: readonly Place[]): Promise<void> =>
  endThose(db, organizationId, sql`(p.zone_id, p.device_type, p.kind) in (select * from ${fromPlaces(places)})`)

export const endZonePublications = (db: Database, organizationId: number, zoneId: number): Promise<void> =>
  endThose(db, organizationId, sql`p.zone_id = ${zoneId}`)

/**
 * Ends publications, and stores how many readers each had and whether it was halted. Retries under way count as failed again, as no host goes
 * on with them. `those`: SQL condition on publications `p`.
 */
async function endThose(db: Database, organizationId: number, those: RawBuilder<unknown>): Promise<void> {
  const ending = sql`p.organization_id = ${organizationId} and p.replaced_at is null and ${those}`
  await sql`
    update outcome o set retrying = false from publication p
    where o.organization_id = ${organizationId} and p.id = o.publication_id and o.retrying and ${ending}`.execute(db)
  // Publications are locked after their outcomes and in the order of their ids, as reports lock them.
  await sql`select from publication p where ${ending} order by p.id for no key update`.execute(db)
  await sql`
    update publication p set replaced_at = now(), ended_halted = is_halted(p), replaced_readers = gone + case when for_readers then present else coalesce((
      select sum(total) from device_count c
      where c.organization_id = ${organizationId} and c.zone_id = p.zone_id and c.device_type = p.device_type), 0) end
    where ${ending}`.execute(db)
}

/** Returns the number of the rollout's next publication, and the internal ids of its zones. */
export async function selectExtent(db: Database, organizationId: number, rollout: string): Promise<{ next: number; zones: number[] }> {
  const rows = await read(
    db,
    { next: integer(sql`max(number) + 1`), zone: orNull(integer(sql`zone_id`)) },
    (list) => sql`
      select ${list} from publication where organization_id = ${organizationId} and rollout_id = ${rollout} group by zone_id`,
  )
  return { next: Math.max(0, ...rows.map(({ next }) => next)), zones: rows.flatMap(({ zone }) => zone ?? []) }
}

/** Returns the newest revisions, by zone, model and kind. */
export const selectRevisions = (db: Database, organizationId: number, zones: readonly number[]) =>
  read(
    db,
    {
      zone_id: integer(sql`zone_id`),
      model: text(sql`device_type`),
      kind: text<ContentKind>(sql`kind`),
      revision: integer(sql`max(revision)`),
    },
    (list) => sql`
      select ${list} from publication where organization_id = ${organizationId} and zone_id = any(${zones}::int[])
      group by zone_id, device_type, kind`,
  )

/** Returns how many readers zones have, by zone and model. */
export const selectPresent = (db: Database, organizationId: number, zones: readonly number[]) =>
  read(
    db,
    { zone_id: integer(sql`zone_id`), model: text(sql`device_type`), readers: integer(sql`sum(total)`) },
    (list) => sql`
      select ${list} from device_count where organization_id = ${organizationId} and zone_id = any(${zones}::int[]) group by zone_id, device_type`,
  )

/** Returns the publications that zones desire, by zone, model and kind. */
export const selectDesiredIds = (db: Database, organizationId: number, zones: readonly number[]) =>
  read(
    db,
    {
      zone_id: integer(sql`zone_id`),
      model: text(sql`device_type`),
      kind: text<ContentKind>(sql`kind`),
      publication: text(sql`publication_id`),
    },
    (list) => sql`select ${list} from desired where organization_id = ${organizationId} and zone_id = any(${zones}::int[])`,
  )

/** A publication to insert, with its counts. `number`: in its rollout. `namesZone`: it is the rollout's first in its zone. */
export interface CountedPublication extends ModelContentRow {
  id: string
  zoneId: number
  zoneName: string
  revision: number
  present: number
  number: number
  namesZone: boolean
  forReaders: boolean
  /** The publication that the zone desired before; null for none. */
  replacedId: string | null
  /** `HH:mm`; absent: that of the call, `Shared.updateTime`. */
  updateTime?: string
}

interface Shared {
  organizationId: number
  rollout: string
  updateTime: string
  atOnce: boolean
  /** The user's id; null where the user is gone. */
  publishedBy: string | null
  millisecondsAgo: number
}

export function insertPublications(db: Database, rows: readonly CountedPublication[], shared: Shared) {
  const column = (type: string, pick: (row: CountedPublication) => unknown) => sql`${rows.map(pick)}::${sql.raw(type)}[]`
  return sql`
    insert into publication (organization_id, rollout_id, update_time, at_once, published_by, published_at, id, zone_id, zone_name, device_type, content,
      content_hash, size, file_name, version, version_order, revision, present, number, names_zone, for_readers, replaced_id)
    select ${shared.organizationId}, ${shared.rollout}::uuid, r.update_time, ${shared.atOnce}, ${shared.publishedBy}::uuid,
      now() - make_interval(secs => ${shared.millisecondsAgo / 1_000}), r.id, r.zone_id, r.zone_name, r.model, r.content, r.hash, r.size, r.file_name, r.version,
      r.version_order, r.revision, r.present, r.number, r.names_zone, r.for_readers, r.replaced_id
    from unnest(${column('uuid', (row) => row.id)}, ${column('int', (row) => row.zoneId)}, ${column('text', (row) => row.zoneName)},
      ${column('device_model', (row) => row.model)}, ${column('text', (row) => row.content)}, ${column('text', (row) => row.hash)},
      ${column('bigint', (row) => row.size)}, ${column('text', (row) => row.fileName)}, ${column('text', (row) => row.version)},
      ${column('text', (row) => row.versionOrder)}, ${column('int', (row) => row.revision)}, ${column('int', (row) => row.present)},
      ${column('int', (row) => row.number)}, ${column('boolean', (row) => row.namesZone)}, ${column('boolean', (row) => row.forReaders)},
      ${column('uuid', (row) => row.replacedId)}, ${column('text', (row) => row.updateTime ?? shared.updateTime)})
      as r (id, zone_id, zone_name, model, content, hash, size, file_name, version, version_order, revision, present, number, names_zone, for_readers,
        replaced_id, update_time)`.execute(db)
}

/** Stores which readers publications are for, and adds them to the publications' `present`. */
export const insertPublicationReaders = (
  db: Database,
  organizationId: number,
  rows: readonly { publication: string; readers: readonly number[] }[],
) =>
  sql`
    insert into publication_reader (organization_id, publication_id, device_id)
    select ${organizationId}, publication, reader from unnest(${rows.flatMap(({ publication, readers }) => readers.map(() => publication))}::uuid[],
      ${rows.flatMap(({ readers }) => readers)}::bigint[]) as r (publication, reader)
    on conflict do nothing`.execute(db)

/** Makes publications the desired ones of their zones and models. */
export const upsertDesired = (db: Database, organizationId: number, publications: readonly string[]) =>
  sql`
    insert into desired (organization_id, zone_id, device_type, kind, publication_id, revision)
    select organization_id, zone_id, device_type, kind, id, revision from publication p
    where p.organization_id = ${organizationId} and p.id = any(${publications}::uuid[])
    on conflict (organization_id, zone_id, device_type, kind) do update set publication_id = excluded.publication_id, revision = excluded.revision`.execute(
    db,
  )
