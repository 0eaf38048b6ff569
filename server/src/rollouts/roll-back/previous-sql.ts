import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { boolean, read } from '../../lib/database/rows.ts'
import { isInZones } from '../../lib/database/zone-scope.ts'
import type { RolloutIds } from '../sql.ts'

// Of publication `q`: it was a file of the customer's own, or its release is still there and offered.
const isOffered = sql`(q.version_order is null or exists (
  select from firmware_release r
  where r.device_type = q.device_type and r.version_order = q.version_order and r.content_hash = q.content_hash and r.is_offered))`

const previousPublication = (condition: RawBuilder<unknown>) => sql`
  select q.content, q.content_hash, q.size, q.file_name, q.version, null::int as ran_on, null::int as ran_of from publication q
  where q.organization_id = p.organization_id and q.zone_id = p.zone_id and q.device_type = p.device_type and q.kind = p.kind and p.revision > 1 and q.revision < p.revision
    and ${condition} and not q.ended_halted and ${isOffered}
  order by q.revision desc limit 1`

// What was published for a zone without readers was in force there all the same.
const hasRun = sql`(q.applied > 0 or q.replaced_readers = 0)`

// The offered release that most of the readers ran before the first firmware was published, unless it is the one that was published.
const previousRelease = sql`
  select ran.content, ran.content_hash, ran.size, ran.file_name, ran.version, ran.readers as ran_on, ran.ran_of from (
    select 'firmware' as content, r.content_hash, r.size, r.file_name, r.version, ran.readers, r.version_order,
      (select sum(readers)::int from unnest(f.ran_readers) readers) as ran_of
    from publication f cross join unnest(f.ran_firmware, f.ran_readers) with ordinality as ran (id, readers, place)
    join reported_firmware reported on reported.organization_id = p.organization_id and reported.id = ran.id
    join firmware_release r on r.device_type = p.device_type and r.version_order = reported.version_order and r.is_offered
    where p.kind = 'firmware' and f.organization_id = p.organization_id and f.zone_id = p.zone_id and f.device_type = p.device_type
      and f.kind = 'firmware' and f.revision = 1
    order by ran.place limit 1
  ) ran where ran.version_order is distinct from p.version_order`

/**
 * What publication `p` is rolled back to, what was published before where nothing has run: no row where that is nothing, or the same content. `ran_on`:
 * null where it was published; else how many readers ran it, of `ran_of`. The parts are read in turn, each where those before have no row.
 */
export const previousContent = sql`
  select previous.* from (
    select * from (
      select * from (${previousPublication(hasRun)}) published
      union all select * from (${previousRelease}) ran
      union all select * from (${previousPublication(sql`not ${hasRun}`)}) desired
    ) known limit 1
  ) previous where (previous.content_hash, previous.file_name) is distinct from (p.content_hash, p.file_name)`

/** Whether some of the rollout can be rolled back. */
export async function hasPrevious(db: Database, { organizationId, zones, id }: RolloutIds): Promise<boolean> {
  const [row] = await read(
    db,
    { has_previous: boolean(sql`has_previous`) },
    (list) => sql`
      select ${list} from (
        select exists (
          select from publication p where p.organization_id = ${organizationId} and p.rollout_id = ${id} and p.replaced_at is null and p.has_previous
            and ${isInZones({ zones }, sql`p.zone_id`)} and exists (${previousContent})) as has_previous) found`,
  )
  return row?.has_previous ?? false
}
