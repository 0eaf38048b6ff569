import { type RawBuilder, sql } from 'kysely'
import { isInZones, type ZoneScope } from '../../lib/database/zone-scope.ts'
import { countReaders } from '../present-sql.ts'

const open = sql`(readers - applied - failed)`
const isReplaced = sql`(p.replaced_at is not null)`

const sums = {
  parts: sql`1`,
  zones: sql`p.names_zone::int`,
  readers: sql`readers`,
  applied: sql`applied`,
  failed: sql`failed`,
  replaced: sql`${open} * ${isReplaced}::int`,
  ended: sql`(${isReplaced} and (${open} > 0 or readers = 0))::int`,
  settled: sql`(applied + failed) * (not ${isReplaced} or ${open} = 0)::int`,
  halted: sql`${open} * (not ${isReplaced} and p.halted_at is not null)::int`,
  current: sql`(not ${isReplaced})::int`,
  held: sql`(not ${isReplaced} and p.halted_at is not null)::int`,
  retryable: sql`(failed - p.failed_gone) * (not ${isReplaced})::int`,
}

const ofZones = ({ organizationId, zones }: ZoneScope): RawBuilder<unknown> => sql`
  ${sql.join(Object.entries(sums).map(([name, value]) => sql`coalesce(sum(${value}), 0) as ${sql.ref(name)}`))}
  from publication p cross join lateral (
    select ${countReaders(sql`p.present`)} as readers) c
  where p.organization_id = ${organizationId} and ${isInZones({ zones }, sql`p.zone_id`)}`

/**
 * SQL: the sums that `rollout_count` keeps, for rollout `r` in the scope's zones alone. Adds up the kept figures of its publications there.
 */
export const sumsOfZones = (scope: ZoneScope): RawBuilder<unknown> => sql`select ${ofZones(scope)} and p.rollout_id = r.id`

/** SQL: these sums by rollout, as `rollout_id`. */
export const sumsByRollout = (scope: ZoneScope): RawBuilder<unknown> => sql`select p.rollout_id, ${ofZones(scope)} group by p.rollout_id`
