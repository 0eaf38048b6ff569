import type { Phase } from '@lectern/contract/publications/phases.ts'
import type { OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import type { Schedule, ZoneSchedule } from '@lectern/contract/schedule/schedule.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { integer, json, orNull, read, text, texts } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'

type Windows = Schedule['windows']
type BlockedDays = Schedule['blockedDays']

// SQL: null where nothing was set.
export const openTimes = (organizationId: RawBuilder<unknown>, zoneId: RawBuilder<unknown>) =>
  orNull(json<OpenTimes>(sql`open_times(${organizationId}, ${zoneId})`))

const columns = {
  zone_id: orNull(integer(sql`s.zone_id`)),
  public_zone_id: orNull(text(sql`z.public_id`)),
  zone: orNull(text(sql`z.name`)),
  windows: orNull(json<Windows>(sql`s.windows`)),
  blocked_days: json<BlockedDays>(sql`s.blocked_days`),
}

export const selectSchedules = (db: Database, { organizationId, zones }: ZoneScope) =>
  read(
    db,
    columns,
    (list) => sql`
      select ${list} from schedule s left join zone z on z.organization_id = ${organizationId} and z.id = s.zone_id
      where s.organization_id = ${organizationId} and (s.zone_id is null or ${isInZones({ zones }, sql`s.zone_id`)}) order by lower(z.name), s.zone_id`,
  )

// Makes changes come one after the other: the later one sees the earlier.
export const lockOrganization = (db: Database, id: number) =>
  db.selectFrom('organization').select('id').where('id', '=', id).forNoKeyUpdate().executeTakeFirstOrThrow()

export const upsertSchedule = (db: Database, organizationId: number, zoneId: number | null, { windows, blockedDays }: ZoneSchedule) =>
  sql`
    insert into schedule (organization_id, zone_id, windows, blocked_days)
    values (${organizationId}, ${zoneId}, ${windows === null ? null : JSON.stringify(windows)}::jsonb, ${JSON.stringify(blockedDays)}::jsonb)
    on conflict (organization_id, zone_id) do update set windows = excluded.windows, blocked_days = excluded.blocked_days`.execute(db)

export const deleteSchedule = (db: Database, organizationId: number, zoneId: number) =>
  db.deleteFrom('schedule').where('organization_id', '=', organizationId).where('zone_id', '=', zoneId).execute()

export const selectZone = (db: Database, organizationId: number, publicId: string) =>
  db
    .selectFrom('zone')
    .select(['id', 'name'])
    .where('organization_id', '=', organizationId)
    .where('public_id', '=', publicId)
    .forNoKeyUpdate()
    .executeTakeFirst()

// The zones that a host PC serves.
export const selectServedZones = (db: Database, organizationId: number) =>
  read(
    db,
    { zoneId: text(sql`z.public_id`) },
    (list) => sql`
      select ${list} from zone z where z.organization_id = ${organizationId} and exists (
        select from host where host.organization_id = ${organizationId} and host.zone_id = z.id and revoked_at is null)`,
  )

const clockColumns = {
  zone: text(sql`z.name`),
  time_zones: texts(sql`array(select distinct time_zone from host
    where host.organization_id = z.organization_id and host.zone_id = z.id and revoked_at is null order by 1)`),
  open_times: openTimes(sql`z.organization_id`, sql`z.id`),
}

export const selectClocks = (db: Database, organizationId: number, zoneIds: readonly number[]) =>
  read(
    db,
    clockColumns,
    (list) => sql`
      select ${list} from zone z where z.organization_id = ${organizationId} and z.id = any(${zoneIds}::int[]) order by lower(z.name)`,
  )

export async function selectOpenTimes(db: Database, organizationId: number, zoneId: number): Promise<OpenTimes | null> {
  const [row] = await read(db, { open_times: openTimes(sql`${organizationId}::int`, sql`${zoneId}::int`) }, (list) => sql`select ${list}`)
  return row?.open_times ?? null
}

const defaultColumns = {
  halt_above_percent: orNull(integer(sql`halt_above_percent`)),
  stop_time: orNull(text(sql`stop_time`)),
  phases: json<Phase[]>(sql`phases`),
}

export async function selectDefaults(db: Database, organizationId: number) {
  const [row] = await read(db, defaultColumns, (list) => sql`select ${list} from organization where id = ${organizationId}`)
  return row!
}

export const updateDefaults = (db: Database, id: number, { haltAbovePercent, stopTime, phases }: PublishingDefaults) =>
  db
    .updateTable('organization')
    .set({ halt_above_percent: haltAbovePercent, stop_time: stopTime, phases: JSON.stringify(phases) })
    .where('id', '=', id)
    .execute()
