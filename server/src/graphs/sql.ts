import { graphDays } from '@lectern/contract/graphs.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { foldCounts } from '../lib/database/fold.ts'
import { day, float, instant, integer, read, text } from '../lib/database/rows.ts'

/** An organization's id, or null for all organizations. */
export type Scope = number | null

const today = sql`(now() at time zone 'UTC')::date`
export const firstDay = sql`${today} - ${sql.lit(graphDays - 1)}::int`

/** SQL: the rows of a count; their sum is the count. Organization 0 has folded rows for all organizations together. */
const selectParts = (scope: Scope, columns: RawBuilder<unknown>, table: RawBuilder<unknown>, condition: RawBuilder<unknown> = sql`true`) =>
  scope === null
    ? sql`(select ${columns} from ${table} where organization_id = 0 and ${condition}
        union all select ${columns} from ${table} where not is_folded and ${condition}) part`
    : sql`(select ${columns} from ${table} where organization_id = ${scope} and ${condition}) part`
const newOfScope = (scope: Scope): RawBuilder<boolean> =>
  scope === null ? sql`not is_folded` : sql`organization_id = ${scope} and not is_folded`
const foldedOfScope = (scope: Scope): RawBuilder<boolean> => sql`organization_id = ${scope ?? 0} and is_folded`
const inScope = (scope: Scope): RawBuilder<boolean> => (scope === null ? sql`true` : sql`organization_id = ${scope}`)

export const selectDays = (db: Database, scope: Scope) =>
  read(
    db,
    { day: day(sql`${firstDay} + n`), devices: integer(sql`coalesce(counted.devices, 0)`) },
    (list) => sql`
      with counted as (
        select day, sum(devices)::int as devices
        from ${selectParts(scope, sql`day, devices`, sql`device_day`, sql`day between ${firstDay} and ${today}`)} group by day)
      select ${list} from generate_series(0, ${sql.lit(graphDays - 1)}) n left join counted on counted.day = ${firstDay} + n order by n`,
  )

const tallyColumns = {
  value: text(sql`value`),
  devices: integer(sql`devices`),
  latitude: float(sql`atan2d(z::float8, sqrt((x * x + y * y)::float8))`),
  longitude: float(sql`atan2d(y::float8, x::float8)`),
}

/**
 * The most frequent values in the devices' latest reports. The tally still has devices whose latest report is too old, until a sweep
 * removes them: `gone` subtracts them. As that may move a value down, `largest` reads as many rows more. Reports that are not folded yet
 * are added.
 */
export const selectLargest = (db: Database, scope: Scope, kind: 'model' | 'os' | 'city', limit: number) =>
  read(
    db,
    tallyColumns,
    (list) => sql`
      with gone as materialized (
        select ${sql.ref(kind)} as value, count(*) as devices, sum(round(1e6 * cosd(latitude) * cosd(longitude))) as x,
          sum(round(1e6 * cosd(latitude) * sind(longitude))) as y, sum(round(1e6 * sind(latitude))) as z
        from reported_device where day < ${firstDay} and ${inScope(scope)} group by 1
      ), added as materialized (
        select value, sum(devices) as devices, sum(x) as x, sum(y) as y, sum(z) as z
        from device_tally where ${newOfScope(scope)} and kind = ${sql.lit(kind)} group by 1
      ), largest as materialized (
        select value, devices, x, y, z from device_tally where ${foldedOfScope(scope)} and kind = ${sql.lit(kind)}
        order by devices desc, value limit ${limit}::int + (select count(*) from gone) + (select count(*) from added)
      ), exact as (
        select value, sum(devices) as devices, sum(x) as x, sum(y) as y, sum(z) as z from (
          select value, devices, x, y, z from largest
          union all
          select value, devices, x, y, z from device_tally where ${foldedOfScope(scope)} and kind = ${sql.lit(kind)}
            and value in (select value from added except select value from largest)
          union all
          select value, devices, x, y, z from added
          union all
          select value, -devices, -x, -y, -z from gone
        ) part group by value
      )
      select ${list} from exact where devices > 0 order by devices desc, value limit ${limit}::int`,
  )

const licenceColumns = (scope: Scope) => ({
  total: integer(sql`coalesce(sum(total), 0)`),
  usingDecode: integer(sql`coalesce(sum(using_decode), 0) - (
    select coalesce(sum(licences), 0) from decode_use where used_on < ${firstDay} and ${inScope(scope)})`),
})

export async function selectLicenceTally(db: Database, scope: Scope) {
  const parts = selectParts(scope, sql`total, using_decode`, sql`licence_tally`)
  const [row] = await read(db, licenceColumns(scope), (list) => sql`select ${list} from ${parts}`)
  return row!
}

export async function countSimulated(db: Database) {
  const simulated = integer(sql`coalesce(sum(simulated), 0)`)
  const [row] = await read(db, { simulated }, (list) => sql`select ${list} from device_total where simulated <> 0`)
  return row!
}

export async function selectTimes(db: Database) {
  const [row] = await read(db, { now: instant(sql`now()`), firstDay: day(firstDay) }, (list) => sql`select ${list}`)
  return row!
}

export interface Report {
  deviceId: string
  /** Null: now. */
  at: Date | null
  model: string
  os: string | null
  location: { city: string; latitude: number; longitude: number } | null
}

export const selectUnreported = (db: Database, organizationId: number, devices: readonly { serialNumber: string; deviceType: string }[]) =>
  read(
    db,
    { id: text(sql`r.id`), model: text(sql`r.model`) },
    (list) => sql`
      select ${list} from unnest(${devices.map((one) => one.serialNumber)}::text[], ${devices.map((one) => one.deviceType)}::text[]) as r (id, model)
      left join reported_device d on d.organization_id = ${organizationId} and d.device_id = r.id
      where d.device_id is null or d.model is distinct from r.model or not d.days @> ${today}`,
  )

/**
 * Stores the days of each device and its latest report; of two at one instant the greater wins, so order and repeats do not matter. New devices
 * are added empty and all are locked in one order, before one statement changes them and their counts.
 */
export async function upsertReports(db: Database, organizationId: number, reports: readonly Report[]): Promise<void> {
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

export const upsertDecodeUse = (db: Database, organizationId: number, uses: readonly { deviceId: string; at: Date }[]) =>
  sql`
    insert into decode_use as u (organization_id, serial_number, used_on)
    select ${organizationId}, id, max((at at time zone 'UTC')::date)
    from unnest(${uses.map((use) => use.deviceId)}::text[], ${uses.map((use) => use.at)}::timestamptz[]) as r (id, at) group by id order by id collate "C"
    on conflict (organization_id, serial_number) do update set used_on = excluded.used_on
    where u.used_on is null or u.used_on < excluded.used_on`.execute(db)

const batch = 5_000

/** Skips locked rows, so no request waits for the sweep. Returns the number of devices removed. */
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
  await sql`
    delete from device_day where ctid in (
      select ctid from device_day where day < ${firstDay} - 1 and is_folded limit ${batch} for update skip locked)`.execute(db)
  return Number(numAffectedRows)
}

export async function foldGraphCounts(db: Database): Promise<void> {
  await foldCounts(db, { table: 'device_day', keys: ['day'], sums: ['devices'], ofAll: true })
  await foldCounts(db, { table: 'device_tally', keys: ['kind', 'value'], sums: ['devices', 'x', 'y', 'z'], ofAll: true })
  await foldCounts(db, { table: 'licence_tally', keys: [], sums: ['total', 'using_decode'], ofAll: true })
}
