import { positions } from '@lectern/contract/publications/phases.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/names.ts'
import { boolean, instant, integer, json, orNull } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { ZoneIds } from '../lib/http/caller.ts'

export interface NewPublication {
  organization_id: number
  zone_id: number
  device_type: string
  content: 'cfg' | 'file' | 'commands' | 'firmware'
  content_hash: string
  size: number
  file_name: string | null
  version: string | null
  version_order: string | null
  update_time: string
  at_once: boolean
  published_by: string
  rollout_id: string
  zone_name: string
  millisecondsAgo: number
}

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
  request_hash?: string
  halt_above_percent?: number | null
  stop_time?: string | null
}

/** A new rollout takes the safety limits that it is not given from its organization. Returns whether it is new: one with this id stays as it is. */
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

export const selectRolloutOwner = (db: Database, organizationId: number, id: string) =>
  db.selectFrom('rollout').select('published_by').where('organization_id', '=', organizationId).where('id', '=', id).executeTakeFirst()

export const insertPublication = (db: Database, { millisecondsAgo, ...publication }: NewPublication) =>
  db
    .insertInto('publication')
    .values((eb) => ({
      id: uuidv7(),
      ...publication,
      published_at: instant(sql`now() - make_interval(secs => ${millisecondsAgo / 1_000})`),
      revision: eb
        .selectFrom('publication')
        .select(integer(sql`coalesce(max(revision), 0) + 1`).as('next'))
        .where('organization_id', '=', publication.organization_id)
        .where('zone_id', '=', publication.zone_id)
        .where('device_type', '=', publication.device_type)
        .where('content', publication.content === 'firmware' ? '=' : '<>', 'firmware'),
    }))
    .returning(['id', 'revision', 'number', 'names_zone'])
    .executeTakeFirstOrThrow()

export function endPublications(
  db: Database,
  organizationId: number,
  zones: readonly number[],
  only?: readonly { deviceType: string; isFirmware: boolean }[],
): Promise<void> {
  const isOf = only?.map(({ deviceType, isFirmware }) => sql`p.device_type = ${deviceType} and (p.content = 'firmware') = ${isFirmware}`)
  return endThose(db, organizationId, sql`p.zone_id = any(${zones}::int[]) and ${isOf ? sql`(${sql.join(isOf, sql` or `)})` : sql`true`}`)
}

export const endPublicationsById = (db: Database, organizationId: number, ids: readonly string[]): Promise<void> =>
  endThose(db, organizationId, sql`p.id = any(${ids}::uuid[])`)

/** Stores the number of readers at the end, and whether it was halted then. Retries under way count as failed again, as no host goes on with them. */
async function endThose(db: Database, organizationId: number, those: RawBuilder<unknown>): Promise<void> {
  const ending = sql`p.organization_id = ${organizationId} and p.replaced_at is null and ${those}`
  await sql`
    update outcome o set retrying = false from publication p
    where o.organization_id = ${organizationId} and p.id = o.publication_id and o.retrying and ${ending}`.execute(db)
  // In the order of their ids, as reports of outcomes hold them after their outcomes.
  await sql`select from publication p where ${ending} order by p.id for no key update`.execute(db)
  await sql`
    update publication p set replaced_at = now(), ended_halted = is_halted(p), replaced_readers = gone + coalesce((
      select sum(total) from device_count c
      where c.organization_id = ${organizationId} and c.zone_id = p.zone_id and c.device_type = p.device_type), 0)
    where ${ending}`.execute(db)
}

// Where the positions of the readers end that may begin; null: all may. Chosen zones begin with their phase.
const admittedEnd = sql`case when publication.phase is not null then (
  select case when publication.phase = 0 then max((rollout.phase_ends)[f.number]) when max(f.number) >= publication.phase then ${positions}::int else 0 end
  from rollout_phase f where f.organization_id = publication.organization_id and f.rollout_id = publication.rollout_id and f.started_at is not null
) end`

// Without phases too.
const isInLastPhase = sql`publication.phase is null or exists (
  select from rollout_phase f where f.organization_id = publication.organization_id and f.rollout_id = publication.rollout_id
    and f.number = cardinality(rollout.phase_ends) and f.started_at is not null)`

type DesiredTable = 'desired_configuration' | 'desired_firmware'

export const selectDesired = (db: Database, table: DesiredTable, { organizationId, zoneId }: ZoneIds) =>
  db
    .selectFrom(`${table} as desired` as 'desired_configuration as desired')
    .innerJoin('publication', (join) =>
      join.on('publication.organization_id', '=', organizationId).onRef('publication.id', '=', 'desired.publication_id'),
    )
    .innerJoin('rollout', (join) =>
      join.on('rollout.organization_id', '=', organizationId).onRef('rollout.id', '=', 'publication.rollout_id'),
    )
    .select([
      'publication.id',
      'publication.device_type',
      'publication.revision',
      'content',
      'content_hash',
      'size',
      'file_name',
      'version',
      'update_time',
      'stop_time',
      'start_date',
      'publication.published_at',
      'at_once',
      boolean(sql`is_halted(publication)`).as('halted'),
      'publication.rollout_id',
      orNull(integer(admittedEnd)).as('admitted_end'),
      boolean(isInLastPhase).as('is_in_last_phase'),
    ])
    .where('desired.organization_id', '=', organizationId)
    .where('desired.zone_id', '=', zoneId)
    .orderBy('publication.device_type')
    .execute()

export const upsertDesired = (
  db: Database,
  table: DesiredTable,
  desired: { organization_id: number; zone_id: number; device_type: string; publication_id: string; revision: number },
) =>
  db
    .insertInto(table)
    .values(desired)
    .onConflict((conflict) =>
      conflict
        .columns(['organization_id', 'zone_id', 'device_type'])
        .doUpdateSet({ publication_id: desired.publication_id, revision: desired.revision }),
    )
    .execute()

export const selectDeviceConfiguration = (db: Database, { organizationId, zones }: ZoneScope, serialNumber: string) =>
  db
    .selectFrom('device')
    .leftJoin('zone', (join) => join.on('zone.organization_id', '=', organizationId).onRef('zone.id', '=', 'device.zone_id'))
    .leftJoin('host', (join) => join.on('host.organization_id', '=', organizationId).onRef('host.id', '=', 'device.host_id'))
    .leftJoin('reported_configuration as reported', (join) =>
      join.on('reported.organization_id', '=', organizationId).onRef('reported.id', '=', 'device.configuration_id'),
    )
    .leftJoin('desired_configuration as desired', (join) =>
      join
        .on('desired.organization_id', '=', organizationId)
        .onRef('desired.zone_id', '=', 'device.zone_id')
        .onRef('desired.device_type', '=', 'device.device_type'),
    )
    .leftJoin('publication', (join) =>
      join.on('publication.organization_id', '=', organizationId).onRef('publication.id', '=', 'desired.publication_id'),
    )
    .leftJoin('rollout', (join) =>
      join.on('rollout.organization_id', '=', organizationId).onRef('rollout.id', '=', 'publication.rollout_id'),
    )
    .leftJoin('user as publisher', 'publisher.id', 'publication.published_by')
    .leftJoin('outcome', (join) =>
      join
        .on('outcome.organization_id', '=', organizationId)
        .onRef('outcome.publication_id', '=', 'publication.id')
        .onRef('outcome.device_id', '=', 'device.id'),
    )
    .select(['device.id', 'device.device_type', 'zone.public_id as public_zone_id', 'zone.name as zone_name'])
    .select(['device.configuration_drifted', 'host.time_zone', 'reported.label as current_config', 'reported.content_hash as config_hash'])
    .select([
      'publication.id as publication_id',
      'publication.revision',
      'publication.content_hash',
      'file_name',
      'update_time',
      'start_date',
      'rollout.stop_time',
      'publication.published_at',
      'at_once',
      'rollout_id',
    ])
    .select(orNull(json<OpenTimes>(sql`open_times(zone.organization_id, zone.id)`)).as('open_times'))
    .select(personName('publisher').as('published_by'))
    .select(['outcome.outcome', 'outcome.reason', 'outcome.happened_at'])
    .where('device.organization_id', '=', organizationId)
    .where('device.serial_number', '=', serialNumber)
    .where(isInZones({ zones }, sql`device.zone_id`))
    .executeTakeFirst()

/** Undefined without the zone; its columns are null where nothing is published. */
export const selectRunning = (db: Database, scope: ZoneScope, zone: string, model: string) =>
  db
    .selectFrom('zone')
    .leftJoin('desired_configuration as desired', (join) =>
      join
        .on('desired.organization_id', '=', scope.organizationId)
        .onRef('desired.zone_id', '=', 'zone.id')
        .on('desired.device_type', '=', model),
    )
    .leftJoin('publication', (join) =>
      join.on('publication.organization_id', '=', scope.organizationId).onRef('publication.id', '=', 'desired.publication_id'),
    )
    .select(['content', 'content_hash', 'size', 'file_name', 'publication.revision', 'published_at'])
    .where('zone.organization_id', '=', scope.organizationId)
    .where(isInZones(scope, sql`zone.id`))
    .where('zone.public_id', '=', zone)
    .executeTakeFirst()
