import { sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { integer, read } from '../../lib/database/rows.ts'
import { isInZones } from '../../lib/database/zone-scope.ts'
import { countPresent } from '../present-sql.ts'
import type { ScopedRollout } from '../sql.ts'

/**
 * Counts readers without an outcome of what a roll back took back. `notKnown`: their host PC was sent it, and has not confirmed since that it
 * stopped. `released`: all others.
 */
export async function countTaken(
  db: Database,
  { organizationId, zones, id }: ScopedRollout,
): Promise<{ released: number; notKnown: number }> {
  const [row] = await read(
    db,
    { open: integer(sql`coalesce(sum(t.open), 0)`), notKnown: integer(sql`coalesce(sum(t.not_known), 0)`) },
    (list) => sql`
      select ${list} from (
        select greatest(present.total + p.gone - p.applied - p.failed, 0) as open, (
          select count(*) from host h join device d on d.organization_id = ${organizationId} and d.host_id = h.id
          where h.organization_id = ${organizationId} and h.zone_id = p.zone_id and h.revoked_at is null and h.withdrawals < p.withdrawn
            and exists (
              select from handed_out o where o.organization_id = ${organizationId} and o.publication_id = p.id and o.host_id = h.id)
            and d.zone_id = p.zone_id and d.device_type = p.device_type and d.last_seen_at is null and not exists (
              select from outcome o where o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = d.id)) as not_known
        from publication p cross join lateral (${countPresent(organizationId)}) present
        where p.organization_id = ${organizationId} and p.withdrawn_by = ${id} and ${isInZones({ zones }, sql`p.zone_id`)}
      ) t`,
  )
  const { open, notKnown } = row!
  return { released: Math.max(open - notKnown, 0), notKnown }
}
