import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

/** Halts what is still wanted of a rollout, or lets it go on. Answers the zones of which that is news. */
export async function updateHalted(db: Database, rolloutId: string, halt: { by: string } | null): Promise<string[]> {
  const { rows } = await sql<{ zone_id: string }>`
    update publication p set halted_at = ${halt ? sql`now()` : sql`null`}, halted_by = ${halt?.by ?? null}
    where p.rollout_id = ${rolloutId} and p.replaced_at is null and (p.halted_at is null) = ${halt !== null}
    returning p.zone_id`.execute(db)
  return [...new Set(rows.map((row) => row.zone_id))]
}

/** Has every reader that failed, and is still there, given its publication once more. Answers how many of each zone. */
export async function insertRetries(db: Database, rolloutId: string, by: string): Promise<{ zone_id: string; readers: number }[]> {
  const { rows } = await sql<{ zone_id: string; readers: number }>`
    with failed as (
      select o.publication_id, o.device_id, p.organization_id, p.zone_id from publication p join outcome o on o.publication_id = p.id
      where p.rollout_id = ${rolloutId} and p.replaced_at is null and o.outcome = 'failed' and o.is_here and not o.retrying
      order by o.publication_id, o.device_id for no key update of o
    ), opened as (
      insert into reapplication (id, organization_id, publication_id, device_id, requested_by)
      select gen_random_uuid(), organization_id, publication_id, device_id, ${by} from failed
      on conflict (publication_id, device_id) where outcome is null do nothing
    ), marked as (
      update outcome o set retrying = true from failed f where o.publication_id = f.publication_id and o.device_id = f.device_id
    )
    select zone_id, count(*)::int as readers from failed group by zone_id`.execute(db)
  return rows
}

/** Keeps the zones of a rollout as they are, so that nothing else is published to them meanwhile. */
export const lockZones = (db: Database, rolloutId: string) =>
  db
    .selectFrom('zone')
    .select('id')
    .where('id', 'in', db.selectFrom('publication').select('zone_id').where('rollout_id', '=', rolloutId).$castTo<{ zone_id: string }>())
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
