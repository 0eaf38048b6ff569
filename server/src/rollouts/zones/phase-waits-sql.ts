import { sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { integer, read, text } from '../../lib/database/rows.ts'
import { isReaderSilent } from '../../lib/database/silent.ts'
import { hasOutcome } from '../readers-sql.ts'

// Only so many readers of a zone and model are looked at, in no order, as an order would read all of them. The others nearly always wait for
// the same phase.
const mostReaders = 1_000

// SQL: the number of the phase that readers of publication `p` without an outcome wait for. Null where some may begin, or the rollout has
// no phases.
export const phaseWaitedFor = (organizationId: number) => sql`case when p.phase is not null and p.replaced_at is null then (
  select next.number from (
    select max(f.number) as number from rollout_phase f
    where f.organization_id = p.organization_id and f.rollout_id = p.rollout_id and f.started_at is not null
  ) started
  join rollout r on r.organization_id = p.organization_id and r.id = p.rollout_id and started.number < cardinality(r.phase_ends)
  cross join lateral (
    select p.phase::integer as number where p.phase > started.number
    union all
    select coalesce(min(open.phase) filter (where not open.is_silent), min(open.phase)) from (
      select phase_of(r.phase_ends, p.phase, own.knows_phases, p.rollout_id, d.serial_number) as phase,
        ${isReaderSilent(organizationId, 'd', 'own')} as is_silent
      from device d left join host own on own.organization_id = p.organization_id and own.id = d.host_id
      where d.organization_id = p.organization_id and d.zone_id = p.zone_id and d.device_type = p.device_type
        and p.phase <= started.number and not ${hasOutcome} limit ${sql.lit(mostReaders)}
    ) open
  ) next
  where next.number > started.number) end`

// The number of the phase that each publication waits for, by id. Publications that wait for none are left out.
export async function selectPhaseWaits(
  db: Database,
  organizationId: number,
  publications: readonly string[],
): Promise<Map<string, number>> {
  const rows = await read(
    db,
    { id: text(sql`waits.id`), number: integer(sql`waits.number`) },
    (list) => sql`
      select ${list} from (
        select p.id, ${phaseWaitedFor(organizationId)} as number from publication p
        where p.organization_id = ${organizationId} and p.id = any(${publications}::uuid[])
      ) waits where waits.number is not null`,
  )
  return new Map(rows.map(({ id, number }) => [id, number]))
}
