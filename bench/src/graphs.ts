import type pg from 'pg'
import { organizationId } from './fleet.ts'
import { settle } from './lists.ts'
import { judge, measure, printHeading } from './measure.ts'
import type { Portal } from './portal.ts'

const devices = Number(process.env.DEVICES ?? 100_000)
const others = 4
const allowed = 400
const batch = 500
const kinds = [
  'unique-devices-by-time',
  'most-frequent-device-models',
  'total-devices-by-os',
  'unique-devices-by-location',
  'license-counts',
]

/** The graphs over a year in which every device reported daily, for one large organization and for all; and what a report costs. */
export async function benchGraphs(portal: Portal): Promise<void> {
  const { client, userId } = portal
  process.stdout.write(`filling one organization with a year of ${devices} devices, and ${others} with a tenth of that\n`)
  await fillYear(client)
  await client.query(
    `with o as (select id from organization where public_id = $1), g as (insert into "group" (organization_id, name) select id, 'Bench' from o returning id)
     insert into member (organization_id, user_id, group_id, built_in_role) select o.id, $2, g.id, 'manager' from o, g`,
    [organizationId, userId],
  )
  await settle(client)
  printHeading('365 days')
  const { rows: signedIn } = await measure(portal, 'who is asking, which is part of each', '/api/lectern/country')
  let worst = 0
  for (const scope of [`organization/${organizationId}`, 'global'])
    for (const kind of kinds)
      worst = Math.max(worst, (await measure(portal, `${scope.slice(0, 12)}, ${kind}`, `/api/lectern/data/graphs/${scope}/${kind}`)).rows)
  judge('', 'rows of the worst graph, beside who is asking', worst - signedIn, { most: allowed })
  await reportAll(portal, 'a first report of today', 0)
  await reportAll(portal, 'the same again', 0)
  await reportAll(portal, 'late reports of other days', 40)
}

/** Every device has reported on each day up to yesterday. There are more cities than the map shows; half of the devices are licensed. */
async function fillYear(client: pg.Client): Promise<void> {
  await client.query(
    `insert into organization (public_id, name) select case n when 0 then $1 else gen_random_uuid()::text end, 'Bench ' || n from generate_series(0, $2::int) n`,
    [organizationId, others],
  )
  const today = `(now() at time zone 'UTC')::date`
  for (let from = 1; from <= devices; from += 10_000)
    await client.query(
      `insert into reported_device (organization_id, device_id, reported_at, model, os, city, latitude, longitude, days)
       select o.id, 'D' || n, now() - interval '1 day', 'Model ' || floor(power(random(), 3) * 60), 'OS ' || floor(power(random(), 2) * 30),
         'City ' || floor(power(random(), 2) * 900), -60 + n % 120, -180 + n % 360, datemultirange(daterange(${today} - 380, ${today}))
       from organization o, generate_series($1::int, least($1::int + 9999, case o.public_id when $2 then $3::int else $3::int / 10 end)) n`,
      [from, organizationId, devices],
    )
  await client.query(
    `insert into licence (id, organization_id, licence_number, serial_numbers)
     select gen_random_uuid(), organization_id, 'LEC-' || gen_random_uuid(), array_agg(device_id) from reported_device where length(device_id) % 2 = 0
     group by organization_id, hashtext(device_id) % 100`,
  )
  await client.query(
    `insert into decode_use (organization_id, serial_number, used_on) select organization_id, device_id, day from reported_device where length(city) = 8
     on conflict (organization_id, serial_number) do update set used_on = excluded.used_on`,
  )
}

/** Ten thousand records through the API, one batch after the other. */
async function reportAll({ send }: Portal, what: string, daysAgo: number): Promise<void> {
  const location = { city: 'City 1', latitude: 47.6, longitude: -122.3 }
  const batches = Math.min(20, devices / batch)
  const start = performance.now()
  for (let number = 0; number < batches; number++) {
    const at = new Date(Math.floor(Date.now() / 86_400_000) * 86_400_000 - (daysAgo && daysAgo + number) * 86_400_000).toISOString()
    const records = Array.from({ length: batch }, (_, device) => ({
      deviceId: `D${number * batch + device + 1}`,
      model: 'Model 1',
      os: 'OS 1',
      location,
      at,
      decodes: 1,
    }))
    await send('/api/mdl', { method: 'POST', body: JSON.stringify({ records }), headers: { 'content-type': 'application/json' } })
  }
  const seconds = (performance.now() - start) / 1000
  process.stdout.write(
    `${what}: ${Math.round((batches * batch) / seconds)} records/s, ${((seconds * 1000) / batches).toFixed(0)} ms a batch of ${batch}\n`,
  )
}
