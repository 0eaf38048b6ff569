import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { read, texts } from '../lib/database/rows.ts'

export type City = readonly [name: string, latitude: number, longitude: number, share: number]

interface MobileDevices {
  organizationId: number
  prefix: string
  amount: number
  places: readonly City[]
  models: readonly (readonly [model: string, os: string])[]
}

export async function insertReportedDevices(
  db: Database,
  { organizationId, prefix, amount, places, models }: MobileDevices,
): Promise<void> {
  const today = sql`(now() at time zone 'UTC')::date`
  const mobile = sql`
    select ${prefix}::text || '-M' || lpad(n::text, 4, '0') as device_id, model[1 + n % ${models.length}::int] as model,
      os[1 + n % ${models.length}::int] as os, 1 + (n * 7919) % ${places.length}::int as place, n
    from generate_series(1, ${amount}::int) n,
      (select ${models.map(([model]) => model)}::text[], ${models.map(([, os]) => os)}::text[]) m (model, os)`
  const known = sql`
    select serial_number as device_id, last_seen_at as reported_at, device_type::text as model, null as os, null as city,
      null::float8 as latitude, null::float8 as longitude
    from device where organization_id = ${organizationId}
    union all
    select device_id, now() - make_interval(mins => n * 41 % 4000), model, os, city[place],
      latitude[place] + n % 9 * 0.004, longitude[place] - n % 7 * 0.004
    from mobile, (select ${places.map(([name]) => name)}::text[], ${places.map(([, latitude]) => latitude)}::float8[],
      ${places.map(([, , longitude]) => longitude)}::float8[]) p (city, latitude, longitude)`
  const sundays = sql`
    select range_agg(daterange(day, day + 1)) as sundays
    from generate_series(0, 370) n, lateral (values (${today} - n)) d (day) where extract(dow from day) = 0`
  await sql`
    with mobile as (${mobile}), known as (${known})
    insert into reported_device (organization_id, device_id, reported_at, model, os, city, latitude, longitude, days)
    select ${organizationId}, device_id, reported_at, model, os, city, latitude, longitude,
      datemultirange(daterange(least(since, last), last + 1)) - datemultirange(daterange(${today} - pause, ${today} - pause + rest))
        - case when number % 5 = 0 then sundays else '{}' end + datemultirange(daterange(last, last + 1))
    from known, (${sundays}) s,
      lateral (values (abs(hashtext(device_id)))) h (number),
      lateral (values ((reported_at at time zone 'UTC')::date, ${today} - case when number % 100 < 72 then 400 else number / 100 % 330 end,
        number / 7 % 360, number / 13 % 20)) w (last, since, pause, rest)`.execute(db)
}

export async function selectMobileSerials(db: Database, organizationId: number): Promise<string[][]> {
  const rows = await read(
    db,
    { serials: texts(sql`array_agg(device_id order by device_id)`) },
    (list) => sql`
      select ${list} from (
        select device_id, row_number() over (order by device_id) as number from reported_device
        where organization_id = ${organizationId} and city is not null and abs(hashtext(device_id)) % 10 > 0) licensed
      group by (number - 1) / 100 order by 1`,
  )
  return rows.map(({ serials }) => serials)
}

export const insertDecodeUse = (db: Database, organizationId: number) =>
  sql`
    insert into decode_use as u (organization_id, serial_number, used_on)
    select organization_id, device_id, day from reported_device
    where organization_id = ${organizationId} and city is not null and abs(hashtext(device_id)) % 7 > 0 order by device_id
    on conflict (organization_id, serial_number) do update set used_on = excluded.used_on`.execute(db)
