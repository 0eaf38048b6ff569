import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'

/** A city, where it lies, and how much of an organization's mobile devices is there. */
type City = readonly [name: string, latitude: number, longitude: number, share: number]

interface Fleet {
  organizationId: string
  /** What mobile devices' ids begin with. */
  prefix: string
  mobileDevices: number
  cities: readonly City[]
}

export const northfieldCities: readonly City[] = [
  ['Portland', 45.52, -122.68, 30],
  ['Spokane', 47.66, -117.43, 15],
  ['Boise', 43.62, -116.2, 13],
  ['Seattle', 47.61, -122.33, 12],
  ['Sacramento', 38.58, -121.49, 9],
  ['Salt Lake City', 40.76, -111.89, 7],
  ['Eugene', 44.05, -123.09, 5],
  ['Reno', 39.53, -119.81, 4],
  ['Missoula', 46.87, -113.99, 2],
  ['Bend', 44.06, -121.32, 2],
  ['Denver', 39.74, -104.99, 1],
]
export const harborlineCities: readonly City[] = [
  ['Houston', 29.76, -95.37, 6],
  ['Savannah', 32.08, -81.09, 4],
  ['Long Beach', 33.77, -118.19, 3],
  ['Newark', 40.74, -74.17, 2],
  ['Tacoma', 47.25, -122.44, 1],
]
/** Models with their operating system, the most used first. */
const mobileModels = [
  ['TC58', 'Android 14'],
  ['TC58', 'Android 14'],
  ['iPhone 15', 'iOS 18'],
  ['TC26', 'Android 13'],
  ['iPhone 15', 'iOS 18'],
  ['XCover7', 'Android 15'],
  ['iPhone SE', 'iOS 17'],
  ['Pixel 8', 'Android 15'],
] as const

/**
 * A plausible year of an organization: its readers came one after the other, most rest on Sundays or for some weeks, and scanner apps on mobile
 * devices log where they are. Most of those are licensed, and most of the licensed use the decoder.
 */
export async function seedUsage(db: Database, { organizationId, prefix, mobileDevices, cities }: Fleet): Promise<void> {
  const today = sql`(now() at time zone 'UTC')::date`
  const places = cities.flatMap((city) => Array<City>(city[3]).fill(city))
  await sql`
    with mobile as (
      select ${prefix}::text || '-M' || lpad(n::text, 4, '0') as device_id, model[1 + n % ${mobileModels.length}::int] as model,
        os[1 + n % ${mobileModels.length}::int] as os, 1 + (n * 7919) % ${places.length}::int as place, n
      from generate_series(1, ${mobileDevices}::int) n, (select ${mobileModels.map(([model]) => model)}::text[], ${mobileModels.map(([, os]) => os)}::text[]) m (model, os)
    ), known as (
      select serial_number as device_id, last_seen_at as reported_at, device_type as model, null as os, null as city, null::float8 as latitude, null::float8 as longitude
      from device join device_state on device_id = id where device.organization_id = ${organizationId}
      union all
      select device_id, now() - make_interval(mins => n * 41 % 4000), model, os, city[place], latitude[place] + n % 9 * 0.004, longitude[place] - n % 7 * 0.004
      from mobile, (select ${places.map(([name]) => name)}::text[], ${places.map(([, latitude]) => latitude)}::float8[],
        ${places.map(([, , longitude]) => longitude)}::float8[]) p (city, latitude, longitude)
    )
    insert into reported_device (organization_id, device_id, reported_at, model, os, city, latitude, longitude, days)
    select ${organizationId}, device_id, reported_at, model, os, city, latitude, longitude,
      datemultirange(daterange(least(since, last), last + 1)) - datemultirange(daterange(${today} - pause, ${today} - pause + rest))
        - case when number % 5 = 0 then sundays else '{}' end + datemultirange(daterange(last, last + 1))
    from known, (select range_agg(daterange(day, day + 1)) as sundays from generate_series(0, 370) n, lateral (values (${today} - n)) d (day)
      where extract(dow from day) = 0) s,
      lateral (values (abs(hashtext(device_id)))) h (number),
      lateral (values ((reported_at at time zone 'UTC')::date, ${today} - case when number % 100 < 72 then 400 else number / 100 % 330 end,
        number / 7 % 360, number / 13 % 20)) w (last, since, pause, rest)`.execute(db)
  const { rows } = await sql<{ serials: string[] }>`
    select array_agg(device_id order by device_id) as serials from (select device_id, row_number() over (order by device_id) as number from reported_device
      where organization_id = ${organizationId} and city is not null and abs(hashtext(device_id)) % 10 > 0) licensed
    group by (number - 1) / 100 order by 1`.execute(db)
  const licences = rows.map(({ serials }, number) => ({
    ...{ id: uuidv7(), organization_id: organizationId, licence_number: `LEC-DEMO-${prefix}-DECODE-${number + 1}`, type_id: 2 },
    ...{ purchase_order_number: `PO-${2026_0118 + number * 9}`, serial_numbers: serials },
    created_at: sql<Date>`now() - make_interval(days => ${300 - number * 40})`,
  }))
  await db.insertInto('licence').values(licences).execute()
  await sql`
    insert into decode_use as u (organization_id, serial_number, used_on)
    select organization_id, device_id, day from reported_device
    where organization_id = ${organizationId} and city is not null and abs(hashtext(device_id)) % 7 > 0 order by device_id
    on conflict (organization_id, serial_number) do update set used_on = excluded.used_on`.execute(db)
}
