import { type RawBuilder, sql } from 'kysely'

type Sql = RawBuilder<unknown>

/** SQL: selects the zones and models whose readers came or left since `foldPresent` counted them, as `zone_id` and `device_type`. */
export const changedPlaces = (organizationId: number): Sql =>
  sql`select distinct zone_id, device_type from present_change where organization_id = ${organizationId}`

/**
 * SQL: selects `total`, how many readers that publication `p` is for are in its zone now; null where the condition does not hold. `offset 0`
 * keeps PostgreSQL from computing it again at each use.
 */
export const countPresent = (organizationId: number, condition: Sql = sql`true`): Sql => sql`
  select case when not (${condition}) then null when p.for_readers then p.present else coalesce((
    select sum(total) from device_count
    where device_count.organization_id = ${organizationId} and device_count.zone_id = p.zone_id and device_count.device_type = p.device_type), 0) end::int as total
  offset 0`

/**
 * SQL: how many readers publication `p` has: those in its zone, and those that left it with an outcome. A replaced one has as many as at its
 * end. `present`: readers in the zone now.
 */
export const countReaders = (present: Sql): Sql =>
  sql`case when p.replaced_at is null then ${present} + p.gone else greatest(p.replaced_readers, p.applied + p.failed) end`

/**
 * SQL: whether publication `p` is for reader `d` of its zone and model. A roll back may leave readers out, or be for some readers alone.
 */
export const isForReader = sql`case
  when p.for_readers then exists (
    select from publication_reader own where own.organization_id = p.organization_id and own.publication_id = p.id and own.device_id = d.id)
  when p.returned_at is not null then not exists (
    select from outcome kept
    where kept.organization_id = p.organization_id and kept.publication_id = p.id and kept.device_id = d.id and kept.outcome = 'kept')
  else true end`
