import { graphDays } from '@lectern/contract/graphs.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

/** Whose devices: an organization's, or null for everybody's. */
export type Scope = string | null

const today = sql<string>`(now() at time zone 'UTC')::date`
/** The first UTC day that graphs show. */
export const firstDay = sql<string>`${today} - ${sql.lit(graphDays - 1)}::int`

const ofScope = (scope: Scope): RawBuilder<boolean> => (scope === null ? sql`organization_id is null` : sql`organization_id = ${scope}`)
/** Rows of what is kept for each device; all of them for everybody. */
const inScope = (scope: Scope): RawBuilder<boolean> => (scope === null ? sql`true` : sql`organization_id = ${scope}`)

/** How many devices have reported on each day shown. */
export const selectDays = async (db: Database, scope: Scope) =>
  (
    await sql<{ day: string; devices: number }>`
      with counted as (select day, devices from device_day where ${ofScope(scope)} and day between ${firstDay} and ${today})
      select ${firstDay} + n as day, coalesce(counted.devices, 0) as devices
      from generate_series(0, ${sql.lit(graphDays - 1)}) n left join counted on counted.day = ${firstDay} + n order by n`.execute(db)
  ).rows

interface Tally {
  value: string
  devices: number
  latitude: number
  longitude: number
}

/**
 * What most devices say of themselves in their latest report, and how many. Devices whose latest report is too old are still in the tally
 * until the sweep has removed them; they are taken off here, so the answer is exact at any moment. What has lost some in this way
 * may fall in the order, so as many more rows are looked at. They are ordered as the index is, whole: that a null is one value PostgreSQL does not see.
 */
export const selectLargest = async (db: Database, scope: Scope, kind: 'model' | 'os' | 'city', limit: number): Promise<Tally[]> =>
  (
    await sql<Tally>`
      with gone as materialized (
        select ${sql.ref(kind)} as value, count(*) as devices, sum(round(1e6 * cosd(latitude) * cosd(longitude))) as x,
          sum(round(1e6 * cosd(latitude) * sind(longitude))) as y, sum(round(1e6 * sind(latitude))) as z
        from reported_device where day < ${firstDay} and ${inScope(scope)} group by 1
      ), largest as (
        select value, devices, x, y, z from device_tally where ${ofScope(scope)} and kind = ${sql.lit(kind)} and devices > 0
        order by organization_id, kind, devices desc, value limit ${limit}::int + (select count(*) from gone)
      ), exact as (
        select value, l.devices - coalesce(g.devices, 0) as devices, l.x - coalesce(g.x, 0) as x, l.y - coalesce(g.y, 0) as y, l.z - coalesce(g.z, 0) as z
        from largest l left join gone g using (value)
      )
      select value, devices, atan2d(z, sqrt(x * x + y * y)) as latitude, atan2d(y, x) as longitude
      from exact where devices > 0 order by devices desc, value limit ${limit}::int`.execute(db)
  ).rows

/** How many serial numbers licences name, and how many of those have used the decoder; use that is too old is taken off, as above. */
export const selectLicenceTally = async (db: Database, scope: Scope) =>
  (
    await sql<{ total: number; usingDecode: number }>`
      select coalesce(sum(total), 0)::int as total, (coalesce(sum(using_decode), 0) - (
        select coalesce(sum(licences), 0) from decode_use where used_on < ${firstDay} and ${inScope(scope)}))::int as "usingDecode"
      from licence_tally where ${ofScope(scope)}`.execute(db)
  ).rows[0]!

/** The database's time, and the first UTC day that graphs show. */
export const selectTimes = async (db: Database) =>
  (await sql<{ now: Date; firstDay: string }>`select now(), ${firstDay} as "firstDay"`.execute(db)).rows[0]!

/** A device's report. `at` null is now. */
export interface Report {
  deviceId: string
  at: Date | null
  model: string
  os: string | null
  location: { city: string; latitude: number; longitude: number } | null
}

/** Which of the devices have not reported today, or as another model. */
export const selectUnreported = async (
  db: Database,
  organizationId: string,
  devices: readonly { serialNumber: string; deviceType: string }[],
) =>
  (
    await sql<{ id: string; model: string }>`
      select r.id, r.model from unnest(${devices.map((one) => one.serialNumber)}::text[], ${devices.map((one) => one.deviceType)}::text[]) as r (id, model)
      left join reported_device d on d.organization_id = ${organizationId} and d.device_id = r.id
      where d.device_id is null or d.model is distinct from r.model or not d.days @> ${today}`.execute(db)
  ).rows

/**
 * Notes reports, in any order and any number of times: the days of each device, and the latest of its reports, where of two at one instant
 * the greater counts. New devices are added empty, and all are locked in one order, before one statement changes them and with it the counts.
 */
export async function upsertReports(db: Database, organizationId: string, reports: readonly Report[]): Promise<void> {
  const ids = [...new Set(reports.map(({ deviceId }) => deviceId))].sort()
  await sql`insert into reported_device (organization_id, device_id) select ${organizationId}, id from unnest(${ids}::text[]) id on conflict do nothing`.execute(
    db,
  )
  await sql`select from reported_device where organization_id = ${organizationId} and device_id = any(${ids}::text[]) order by device_id for no key update`.execute(
    db,
  )
  const order = sql`reported_at desc nulls last, model desc, coalesce(os, '') desc, coalesce(city, '') desc, latitude desc, longitude desc`
  await sql`
    with report as materialized (
      select id, coalesce(at, now()) as reported_at, model, os, city, latitude, longitude
      from unnest(${reports.map((one) => one.deviceId)}::text[], ${reports.map((one) => one.at)}::timestamptz[], ${reports.map((one) => one.model)}::text[],
        ${reports.map((one) => one.os)}::text[], ${reports.map((one) => one.location?.city ?? null)}::text[],
        ${reports.map((one) => one.location?.latitude ?? null)}::float8[], ${reports.map((one) => one.location?.longitude ?? null)}::float8[])
        as r (id, at, model, os, city, latitude, longitude)
    ), newest as (
      select distinct on (id) * from report order by id, ${order}
    ), reported as (
      select id, range_agg(daterange(day, day + 1)) as days from (select id, (reported_at at time zone 'UTC')::date as day from report) each_day group by id
    )
    update reported_device d set
      days = d.days * datemultirange(daterange(${firstDay}, null)) + reported.days,
      (reported_at, model, os, city, latitude, longitude) = (
        select * from (values (d.reported_at, d.model, d.os, d.city, d.latitude, d.longitude),
          (newest.reported_at, newest.model, newest.os, newest.city, newest.latitude, newest.longitude))
          as known (reported_at, model, os, city, latitude, longitude) order by ${order} limit 1)
    from newest join reported using (id)
    where d.organization_id = ${organizationId} and d.device_id = newest.id and (not d.days @> reported.days or d.reported_at <= newest.reported_at)`.execute(
    db,
  )
}

/** Notes on which days decoders were used; the latest of a device counts. */
export const upsertDecodeUse = (db: Database, organizationId: string, uses: readonly { deviceId: string; at: Date }[]) =>
  sql`
    insert into decode_use as u (organization_id, serial_number, used_on)
    select ${organizationId}, id, max((at at time zone 'UTC')::date)
    from unnest(${uses.map((use) => use.deviceId)}::text[], ${uses.map((use) => use.at)}::timestamptz[]) as r (id, at) group by id order by id collate "C"
    on conflict (organization_id, serial_number) do update set used_on = excluded.used_on
    where u.used_on is null or u.used_on < excluded.used_on`.execute(db)

/** Most rows that one statement of the sweep removes. */
const batch = 5_000

/** Removes what is too old to be shown. Leaves to the next sweep what somebody is changing, so nobody waits for it. Answers how many devices it removed. */
export async function deleteOutdated(db: Database): Promise<number> {
  const { numAffectedRows = 0n } = await sql`
    delete from reported_device where (organization_id, device_id) in (
      select organization_id, device_id from reported_device where day < ${firstDay} limit ${batch} for update skip locked)`.execute(db)
  await sql`
    update decode_use set used_on = null where (organization_id, serial_number) in (
      select organization_id, serial_number from decode_use where used_on < ${firstDay} limit ${batch} for update skip locked)`.execute(db)
  await sql`
    delete from decode_use where (organization_id, serial_number) in (
      select organization_id, serial_number from decode_use where licences = 0 and used_on is null limit ${batch} for update skip locked)`.execute(
    db,
  )
  await sql`delete from device_tally where ctid in (select ctid from device_tally where devices = 0 limit ${batch} for update skip locked)`.execute(
    db,
  )
  await sql`delete from device_day where ctid in (select ctid from device_day where day < ${firstDay} - 1 limit ${batch} for update skip locked)`.execute(
    db,
  )
  return Number(numAffectedRows)
}
