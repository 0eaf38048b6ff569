import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { boolean, day, instant, integer, json, orNull, type RowOf, read, text, texts } from '../../lib/database/rows.ts'
import { isHostSilent, isReaderSilent } from '../../lib/database/silent.ts'
import { isInZones, type ZoneScope } from '../../lib/database/zone-scope.ts'
import { gateHaltedAt } from '../parts-sql.ts'
import { changedPlaces, countPresent, countReaders } from '../present-sql.ts'
import { hasOutcome } from '../readers-sql.ts'
import { isZoneNamed, type ScopedRollout } from '../sql.ts'

const columns = {
  id: text(sql`p.id`),
  rollout_id: text(sql`p.rollout_id`),
  zone_id: orNull(integer(sql`p.zone_id`)),
  name: text(sql`coalesce(lower(p.zone_name), '')`),
  readers: integer(countReaders(sql`coalesce(present.total, p.present)`)),
  applied: integer(sql`p.applied`),
  failed: integer(sql`p.failed`),
  update_time: text(sql`p.update_time`),
  start_date: orNull(day(sql`p.start_date`)),
  stop_time: orNull(text(sql`r.stop_time`)),
  open_times: orNull(
    json<OpenTimes>(sql`case when p.replaced_at is null and not p.at_once then open_times(p.organization_id, p.zone_id) end`),
  ),
  at_once: boolean(sql`p.at_once`),
  published_at: instant(sql`p.published_at`),
  replaced_at: orNull(instant(sql`p.replaced_at`)),
  withdrawn_by: orNull(text(sql`p.withdrawn_by`)),
  has_phases: boolean(sql`p.phase is not null`),
  halted_at: orNull(instant(sql`p.halted_at`)),
  limit_at: orNull(instant(sql`halt.at`)),
  limit_resumed: orNull(boolean(sql`halt.is_resumed`)),
  gate_at: orNull(instant(gateHaltedAt)),
  is_online: boolean(sql`coalesce(zone_host.is_online, false)`),
  time_zone_histories: texts(sql`coalesce(zone_host.time_zone_histories, '{}')`),
}

// The facts from which the state of a publication is computed. No reader is read for them.
export type StateFactsRow = RowOf<typeof columns>

// Reads the hosts once for all zones, and once the places whose readers changed since the fold. `which`: SQL that chooses publications `p`.
const readStateFacts = (db: Database, { organizationId, zones }: ZoneScope, which: RawBuilder<unknown>): Promise<StateFactsRow[]> =>
  read(
    db,
    columns,
    (list) => sql`
      select ${list} from publication p join rollout r on r.organization_id = ${organizationId} and r.id = p.rollout_id
      left join (
        select host.zone_id, bool_or(not ${isHostSilent(organizationId, 'host')}) as is_online, array_agg(distinct time_zone_history) as time_zone_histories
        from host where host.organization_id = ${organizationId} and revoked_at is null group by host.zone_id
      ) zone_host on zone_host.zone_id = p.zone_id
      left join safety_halt halt on halt.organization_id = ${organizationId} and halt.rollout_id = p.rollout_id and halt.zone_id = p.zone_id
      left join (${changedPlaces(organizationId)}) change on change.zone_id = p.zone_id and change.device_type = p.device_type
      cross join lateral (${countPresent(organizationId, sql`change.zone_id is not null`)}) present
      where p.organization_id = ${organizationId} and ${isInZones({ zones }, sql`p.zone_id`)} and ${which}
      order by lower(p.zone_name), p.zone_id`,
  )

export const selectZoneStateFacts = (db: Database, { id, ...scope }: ScopedRollout, textFilter: string): Promise<StateFactsRow[]> =>
  readStateFacts(db, scope, sql`p.rollout_id = ${id} and ${isZoneNamed(textFilter)}`)

export const selectCurrentStateFacts = (db: Database, scope: ZoneScope, rollouts: readonly string[]): Promise<StateFactsRow[]> =>
  readStateFacts(db, scope, sql`p.rollout_id = any(${rollouts}::uuid[]) and p.replaced_at is null`)

// The ids of those publications that a reader downloads or retries now.
export async function selectUpdating(
  db: Database,
  organizationId: number,
  rollouts: readonly string[],
  publications: readonly string[],
): Promise<Set<string>> {
  const rows = await read(
    db,
    { id: text(sql`p.id`) },
    (list) => sql`
      select ${list} from publication p
      where p.organization_id = ${organizationId} and p.id = any(${publications}::uuid[]) and p.id in (
        select o.publication_id from outcome o where o.organization_id = ${organizationId} and o.retrying
        union all
        select p.id from progress g join publication p on p.organization_id = ${organizationId} and p.id = g.publication_id
        join host on host.organization_id = ${organizationId} and host.id = g.host_id and not ${isHostSilent(organizationId, 'host')}
        join device d on d.organization_id = ${organizationId} and d.id = g.device_id and d.zone_id = p.zone_id and d.device_type = p.device_type
        left join host own on own.organization_id = ${organizationId} and own.id = d.host_id
        where g.organization_id = ${organizationId} and g.rollout_id = any(${rollouts}::uuid[]) and g.device_id is not null
          and not ${isReaderSilent(organizationId, 'd', 'own')} and not ${hasOutcome}
      )`,
  )
  return new Set(rows.map(({ id }) => id))
}
