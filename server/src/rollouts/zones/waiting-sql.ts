import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { boolean, day, instant, integer, json, orNull, read, text, texts } from '../../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../../lib/database/zone-scope.ts'
import type { ScopedRollout } from '../sql.ts'
import { phaseWaitedFor } from './phase-waits-sql.ts'

const columns = {
  rollout_id: text(sql`p.rollout_id`),
  zone_id: integer(sql`p.zone_id`),
  zone: text(sql`p.zone_name`),
  published_at: instant(sql`p.published_at`),
  update_time: text(sql`p.update_time`),
  start_date: orNull(day(sql`p.start_date`)),
  stop_time: orNull(text(sql`p.stop_time`)),
  readers: integer(sql`p.readers`),
  halted: boolean(sql`p.halted`),
  phased_id: orNull(text(sql`p.phased_id`)),
  open_times: orNull(json<OpenTimes>(sql`open_times(p.organization_id, p.zone_id)`)),
}

// SQL conditions on publication `q`, its rollout `r`, and the halts `h` and `g` that `withHalts` joins. They decide whether it waits for a
// time, for the calendar and for the rollout's runs.
const isForATime = sql`q.replaced_at is null and not q.at_once`
const hasReadersLeft = sql`q.present + q.gone > q.applied + q.failed`
const isHalted = sql`(q.halted_at is not null or h.rollout_id is not null or g.rollout_id is not null)`
const withHalts = (organizationId: number): RawBuilder<unknown> => sql`
  publication q join rollout r on r.organization_id = ${organizationId} and r.id = q.rollout_id
  left join safety_halt h on h.organization_id = ${organizationId} and h.rollout_id = q.rollout_id and h.zone_id = q.zone_id and not h.is_resumed
  left join (select distinct rollout_id from rollout_phase where organization_id = ${organizationId} and halted_at is not null) g on g.rollout_id = q.rollout_id`

/**
 * Reads what waits for a time, by rollout and zone. Models of a zone that wait for the same time are one row, except in rollouts with phases.
 * `phased_id`: the publication's id there, else null.
 */
export const selectWaiting = (db: Database, { organizationId, zones }: ZoneScope, zoneId: number | undefined) =>
  read(
    db,
    columns,
    (list) => sql`
      select ${list} from (
        select q.organization_id, q.rollout_id, q.zone_id, q.update_time, q.start_date, r.stop_time, ${isHalted} as halted,
          case when q.phase is not null then q.id end as phased_id, min(q.published_at) as published_at,
          max(q.zone_name) as zone_name, sum(q.present + q.gone - q.applied - q.failed) as readers
        from ${withHalts(organizationId)}
        where q.organization_id = ${organizationId} and ${isForATime} and ${hasReadersLeft}
          and ${isInZones({ zones }, sql`q.zone_id`)} and ${zoneId === undefined ? sql`true` : sql`q.zone_id = ${zoneId}`}
        group by 1, 2, 3, 4, 5, 6, 7, 8
      ) p
      order by lower(p.zone_name), p.zone_id`,
  )

const timeColumns = {
  published_at: instant(sql`t.published_at`),
  update_time: text(sql`t.update_time`),
  start_date: orNull(day(sql`t.start_date`)),
  stop_time: orNull(text(sql`t.stop_time`)),
  open_times: orNull(json<OpenTimes>(sql`open_times(t.organization_id, t.zone_id)`)),
  time_zone_history: text(sql`t.time_zone_history`),
}

/**
 * Reads the times for which a rollout waits. Zones with equal clocks and windows are one row, as they begin at the same instant. A zone
 * without readers waits too, for readers that may come.
 */
export const selectTimes = (db: Database, { organizationId, zones, id }: ScopedRollout) =>
  read(
    db,
    timeColumns,
    (list) => sql`
      select ${list} from (
        select p.organization_id, p.update_time, p.start_date, p.stop_time, host.time_zone_history, own.zone_id, min(p.published_at) as published_at
        from (
          select q.*, r.stop_time from ${withHalts(organizationId)}
          where q.organization_id = ${organizationId} and q.rollout_id = ${id} and ${isForATime} and (${hasReadersLeft} or q.present + q.gone = 0)
            and not ${isHalted} and ${isInZones({ zones }, sql`q.zone_id`)}
        ) p
        join host on host.organization_id = ${organizationId} and host.zone_id = p.zone_id and host.revoked_at is null
        left join schedule own on own.organization_id = ${organizationId} and own.zone_id = p.zone_id
        where (${phaseWaitedFor(organizationId)}) is null
        group by 1, 2, 3, 4, 5, 6, date_trunc('minute', p.published_at)
      ) t`,
  )

// Reads the time zone histories of host PCs, by zone. It is a statement of its own, as a join would compare each zone with each.
export const selectTimeZoneHistories = (db: Database, { organizationId, zones }: ZoneScope) =>
  read(
    db,
    { zone_id: integer(sql`zone_id`), time_zone_histories: texts(sql`array_agg(distinct time_zone_history)`) },
    (list) => sql`
      select ${list} from host where organization_id = ${organizationId} and revoked_at is null and zone_id is not null and ${isInZones({ zones }, sql`zone_id`)} group by zone_id`,
  )
