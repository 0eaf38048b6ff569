import { positions } from '@lectern/contract/publications/phases.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { boolean, integer, orNull } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { ZoneIds } from '../lib/http/caller.ts'
import type { Kind } from './open-publications-sql.ts'

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

/** Holds the rollout: what is added to it gets its numbers one after the other. */
export const lockRollout = (db: Database, organizationId: number, id: string) =>
  db
    .selectFrom('rollout')
    .select(['published_by', 'request_hash'])
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .forNoKeyUpdate()
    .executeTakeFirst()

// Where the positions of the readers end that may begin; null: all may. Chosen zones begin with their phase.
const admittedEnd = sql`case when publication.phase is not null then (
  select case when publication.phase = 0 then max((rollout.phase_ends)[f.number]) when max(f.number) >= publication.phase then ${positions}::int else 0 end
  from rollout_phase f where f.organization_id = publication.organization_id and f.rollout_id = publication.rollout_id and f.started_at is not null
) end`

// Without phases too.
const isInLastPhase = sql`publication.phase is null or exists (
  select from rollout_phase f where f.organization_id = publication.organization_id and f.rollout_id = publication.rollout_id
    and f.number = cardinality(rollout.phase_ends) and f.started_at is not null)`

export const selectDesired = (db: Database, kind: Kind, { organizationId, zoneId }: ZoneIds) =>
  db
    .selectFrom('desired')
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
    .where('desired.kind', '=', kind)
    .orderBy('publication.device_type')
    .execute()

/** Undefined without the zone; its columns are null where nothing is published. */
export const selectRunning = (db: Database, scope: ZoneScope, zone: string, model: string) =>
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
