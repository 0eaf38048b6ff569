import type { ContentKind, StoredKind } from '@lectern/contract/publications/content-kind.ts'
import { positionCount } from '@lectern/contract/publications/phases.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { configurationLabel } from '../lib/database/names.ts'
import { bigint, boolean, day, instant, integer, orNull, read, text, texts } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { ZoneIds } from '../lib/http/caller.ts'

export const selectZoneForPublish = (db: Database, scope: ZoneScope, publicId: string) =>
  db
    .selectFrom('zone')
    .select(['id', 'name'])
    .where('organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`id`))
    .where('public_id', '=', publicId)
    .forNoKeyUpdate()
    .executeTakeFirst()

interface NewRollout {
  id: string
  organization_id: number
  published_by: string
  rolls_back: string | null
  name?: string
  request_hash?: string
  halt_above_percent?: number | null
  stop_time?: string | null
}

/**
 * Stores a new rollout. Returns false where the organization has a rollout of this id, which stays as it is. Absent safety limits are the
 * organization's.
 */
export async function insertRollout(db: Database, rollout: NewRollout): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('rollout')
    .values(({ selectFrom }) => ({
      halt_above_percent: selectFrom('organization').select('halt_above_percent').where('id', '=', rollout.organization_id),
      stop_time: selectFrom('organization').select('stop_time').where('id', '=', rollout.organization_id),
      ...rollout,
    }))
    .onConflict((conflict) => conflict.columns(['organization_id', 'id']).doNothing())
    .executeTakeFirst()
  return numInsertedOrUpdatedRows === 1n
}

/** Stores in words how the zones were chosen, and how many there were. */
export const updateZoneWords = (
  db: Database,
  { organizationId, id }: { organizationId: number; id: string },
  words: string,
  zones: number,
) =>
  db
    .updateTable('rollout')
    .set({ zone_words: words, chosen_zones: zones })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

/** Locks a rollout and returns it, so that only one call at a time adds publications to it; undefined where there is none. */
export const lockRollout = (db: Database, organizationId: number, id: string) =>
  db
    .selectFrom('rollout')
    .select(['published_by', 'request_hash'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

// SQL: the position below which readers of publication `p` may begin; null where all may. In chosen zones it is the highest once their
// phase has started, and 0 before.
const admittedEnd = sql`case when p.phase is not null then (
  select case when p.phase = 0 then max((r.phase_ends)[f.number]) when max(f.number) >= p.phase then ${positionCount}::int else 0 end
  from rollout_phase f where f.organization_id = p.organization_id and f.rollout_id = p.rollout_id and f.started_at is not null
) end`

// SQL: whether the last phase of publication `p` has started, or it has no phases.
const isInLastPhase = sql`p.phase is null or exists (
  select from rollout_phase f where f.organization_id = p.organization_id and f.rollout_id = p.rollout_id
    and f.number = cardinality(r.phase_ends) and f.started_at is not null)`

// SQL: whether reader `d` reports the content of publication `p`.
const runsPublication = sql`case when p.kind = 'firmware'
  then exists (
    select from reported_firmware f where f.organization_id = p.organization_id and f.id = d.firmware_id and f.version_order = p.version_order)
  else exists (
    select from reported_configuration c
    where c.organization_id = p.organization_id and c.id = d.configuration_id and c.content_hash = p.content_hash and c.label = ${configurationLabel('p')}) end`

/**
 * SQL: serial numbers of the host's readers that must not apply publication `p`, which a roll back made desired again. These are readers that
 * get something else back, and readers with an outcome of `p` that do not run it.
 */
const except = (hostId: number) => sql`case when p.returned_at is null then '{}' else array(
  select d.serial_number from device d
  where d.organization_id = p.organization_id and d.host_id = ${hostId} and d.zone_id = p.zone_id and d.device_type = p.device_type and (
    exists (
      select from publication_reader own join publication r on r.organization_id = p.organization_id and r.id = own.publication_id
      where own.organization_id = p.organization_id and own.device_id = d.id and r.for_readers and r.replaced_at is null and r.zone_id = p.zone_id
        and r.device_type = p.device_type and r.kind = p.kind)
    or exists (
      select from outcome o where o.organization_id = p.organization_id and o.publication_id = p.id and o.device_id = d.id) and not ${runsPublication})
  order by 1) end`

// SQL: serial numbers of the host's readers that publication `p` is for.
const listReadersOfHost = (hostId: number) => sql`array(
  select d.serial_number from publication_reader own join device d on d.organization_id = p.organization_id and d.id = own.device_id
  where own.organization_id = p.organization_id and own.publication_id = p.id and d.host_id = ${hostId} and own.is_here order by 1)`

const desiredColumns = {
  id: text(sql`p.id`),
  device_type: text(sql`p.device_type`),
  content: text<StoredKind>(sql`p.content`),
  content_hash: text(sql`p.content_hash`),
  size: bigint(sql`p.size`),
  file_name: orNull(text(sql`p.file_name`)),
  version: orNull(text(sql`p.version`)),
  update_time: text(sql`p.update_time`),
  stop_time: orNull(text(sql`r.stop_time`)),
  start_date: orNull(day(sql`p.start_date`)),
  published_at: instant(sql`p.published_at`),
  at_once: boolean(sql`p.at_once`),
  halted: boolean(sql`is_halted(p)`),
  returned: boolean(sql`p.returned_at is not null`),
  rollout_id: text(sql`p.rollout_id`),
  admitted_end: orNull(integer(admittedEnd)),
  is_in_last_phase: boolean(isInLastPhase),
}

/**
 * Reads the publications of a kind that a zone desires. `except`: readers of the host that must not apply it; none where no host is given.
 */
export const selectDesired = (db: Database, kind: ContentKind, { organizationId, zoneId, hostId }: ZoneIds & { hostId?: number }) =>
  read(
    db,
    {
      ...desiredColumns,
      revision: integer(sql`desired.revision`),
      except: texts(hostId === undefined ? sql`'{}'::text[]` : except(hostId)),
    },
    (list) => sql`
      select ${list} from desired join publication p on p.organization_id = ${organizationId} and p.id = desired.publication_id
      join rollout r on r.organization_id = ${organizationId} and r.id = p.rollout_id
      where desired.organization_id = ${organizationId} and desired.zone_id = ${zoneId} and desired.kind = ${kind} order by p.device_type`,
  )

/** Reads the publications by which roll backs give something back to readers of a host. */
export const selectReturns = (db: Database, { organizationId, zoneId, hostId }: ZoneIds & { hostId: number }) =>
  read(
    db,
    { ...desiredColumns, revision: integer(sql`p.revision`), readers: texts(listReadersOfHost(hostId)) },
    (list) => sql`
      select ${list} from publication p join rollout r on r.organization_id = ${organizationId} and r.id = p.rollout_id
      where p.organization_id = ${organizationId} and p.zone_id = ${zoneId} and p.for_readers and p.replaced_at is null
        and exists (
          select from publication_reader own join device d on d.organization_id = ${organizationId} and d.id = own.device_id
          where own.organization_id = ${organizationId} and own.publication_id = p.id and d.host_id = ${hostId} and own.is_here)
      order by p.device_type, p.revision`,
  )

/**
 * Reads the configuration that a model in a zone must run. Returns undefined without the zone; the columns are null where none is
 * published.
 */
export const selectDesiredContent = (db: Database, scope: ZoneScope, zone: string, model: string) =>
  db
    .selectFrom('zone')
    .leftJoin('desired', (join) =>
      join
        .on('desired.organization_id', '=', scope.organizationId)
        .onRef('desired.zone_id', '=', 'zone.id')
        .on('desired.device_type', '=', model)
        .on('desired.kind', '=', 'configuration'),
    )
    .leftJoin('publication', (join) =>
      join.on('publication.organization_id', '=', scope.organizationId).onRef('publication.id', '=', 'desired.publication_id'),
    )
    .select(['content', 'content_hash', 'size', 'file_name', 'publication.revision', 'published_at'])
    .where('zone.organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`zone.id`))
    .where('zone.public_id', '=', zone)
    .executeTakeFirst()

export const selectZoneId = (db: Database, scope: ZoneScope, publicId: string) =>
  db
    .selectFrom('zone')
    .select('id')
    .where('organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`id`))
    .where('public_id', '=', publicId)
    .executeTakeFirst()
