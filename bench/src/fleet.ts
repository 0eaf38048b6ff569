import type pg from 'pg'

export const organizationId = '0198c0de-00aa-7000-8000-0000000000aa'

/** Names as SQL expressions of a number `n`. */
export interface FleetNames {
  zone: string
  host: string
  configuration: string
}

const plainNames: FleetNames = {
  zone: `'Zone ' || lpad(n::text, greatest(3, length(n::text)), '0')`,
  host: `'HOST-' || lpad(n::text, greatest(4, length(n::text)), '0')`,
  configuration: `'CFG ' || left(md5(n::text), 8)`,
}

interface FleetOptions {
  /** Created where it does not exist. */
  organization?: string
  zones?: number
  names?: FleetNames
}

const zoneId = (n: string) => `('0198c0de-00bb-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`
const hostId = (n: string) => `('0198c0de-00cc-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/** The most readers of a host PC, as many as a real one has. For more the portal asks for another PC. */
const readersPerHost = 150

/**
 * Fills one organization with readers whose battery, last check-in and warranty fit together as in real fleets: an old reader has a worn
 * battery, a short warranty, and is likelier to lie in a drawer. Some have no battery, host, firmware or warranty. Most were seen with
 * their host; one in twenty has a time of its own. Sizes of zones follow a power law. Readers of a host are stored together, as check-ins
 * store them.
 */
export async function createFleet(
  client: pg.Client,
  readers: number,
  { organization = organizationId, zones = 120, names = plainNames }: FleetOptions = {},
): Promise<void> {
  await client.query('insert into organization (public_id, name) values ($1, $2) on conflict (public_id) do nothing', [
    organization,
    'Bench',
  ])
  const { rows } = await client.query<{ id: number }>('select id from organization where public_id = $1', [organization])
  const id = rows[0]!.id
  await client.query('select setseed(0.25)')
  await client.query(
    `create temp table plan as
     select n, zone, dense_rank() over (order by zone, nth / ${readersPerHost})::int - 1 as host, random() as age, random() as a, random() as b, random() as c
     from (select n, zone, row_number() over (partition by zone order by n) - 1 as nth
       from (select n, 1 + floor($2::int * power((n - 1)::float8 / $1::int, 1.6))::int as zone from generate_series(1, $1::int) n) n) n
     order by n`,
    [readers, zones],
  )
  await createPlaces(client, id, { zones, names })
  await client.query(
    `insert into device (organization_id, serial_number, device_type, zone_id, host_id, last_seen_at, offline, warranty_until, warranty_due, low_battery, battery_health,
       firmware_id, configuration_id, last_updated_at)
     select $1::int, '27P' || lpad((n::bigint * 7919 % 100000007)::text, 8, '0'),
       ((array['CR1100','CR2700','A271/2','CR1500','CR5200','V1300','V4500'])[1 + floor(power(a, 1.5) * 7)])::device_model,
       h.zone_id, case when b < 0.02 then null else h.id end, own.seen_at, coalesce(own.seen_at < now() - interval '72 hours', false),
       own.warranty, coalesce(own.warranty <= (now() at time zone 'UTC')::date + interval '3 months', false), coalesce(own.battery < 25, false), own.battery,
       f.id, g.id, now() - age * interval '200 days'
     from plan p cross join lateral (select
       case when b < 0.02 then now() - a * a * interval '2 days'
         when b < 0.02 + 0.12 * age and c < 0.5 then now() - interval '3 days' - c * interval '90 days' end as seen_at,
       case when c < 0.05 then null else current_date + (900 - 1100 * age + 60 * b)::int end as warranty,
       case when a < 0.3 then null else 100 - 85 * age * (0.5 + b * 0.6) end as battery) own
     join host h on h.organization_id = $1 and h.public_id = ${hostId('p.host')}
     join reported_configuration g on g.organization_id = $1 and g.content_hash = (n % 9)::text
     left join reported_firmware f on f.organization_id = $1
       and f.version = case when c <= 0.97 then '4.' || (12 - floor(age * 6)) || '.' || (n % 4) end
     order by n`,
    [id],
  )
  await client.query('drop table plan')
  await client.query(`update host set has_low_battery = true, has_warranty_due = true where organization_id = $1`, [id])
}

/**
 * Other organizations of every size: the largest has 10,000 readers, a tenth have three. On average each has three host PCs and two zones.
 */
export async function createOthers(client: pg.Client, organizations: number): Promise<void> {
  await client.query(
    `create temp table other as
     with made as (
       insert into organization (public_id, name) select gen_random_uuid(), 'Other ' || lpad(n::text, 5, '0') from generate_series(1, $1::int) n returning id, name)
     select id, case when number > 0.9 * $1 then 3 else round(10000 / power(number, 0.6))::int end as readers
     from (select id, row_number() over (order by name) as number from made) made`,
    [organizations],
  )
  await client.query(
    `insert into zone (public_id, organization_id, name) select gen_random_uuid(), id, 'Zone ' || n from other, generate_series(1, 1 + readers / 200) n`,
  )
  await client.query(
    `insert into licence (id, organization_id, licence_number) select gen_random_uuid(), id, 'LEC-OTHER-' || id from other`,
  )
  await client.query(
    `insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, last_seen_at, readers_seen_at)
     select gen_random_uuid(), o.id, z.id, l.id, 'PC-' || z.name, 'UTC', '1.0.0', seen_at, seen_at
     from other o join zone z on z.organization_id = o.id join licence l on l.organization_id = o.id
     cross join lateral (select now() - z.id % 1440 * interval '1 minute' as seen_at) clock`,
  )
  await client.query(
    `insert into reported_configuration (organization_id, label, content_hash) select id, 'CFG ' || n, n::text from other, generate_series(0, 3) n`,
  )
  await client.query(
    `insert into reported_firmware (organization_id, version, version_order)
     select id, '4.' || n || '.0', '000000000004.' || lpad(n::text, 12, '0') || '.000000000000' from other, generate_series(5, 9) n`,
  )
  await client.query(
    `insert into device (organization_id, serial_number, device_type, zone_id, host_id, battery_health, low_battery, warranty_until, firmware_id, configuration_id, last_updated_at)
     select o.id, 'S' || lpad(n::text, 8, '0'), (array['CR1100', 'CR2700', 'CR5200'])[1 + n % 3]::device_model, h.zone_id, h.id, 5 + n % 95, n % 95 < 20,
       current_date + 100 + n % 900, f.id, c.id, now()
     from (select other.*, n from other cross join generate_series(1, readers) n) o
     join (select *, row_number() over (partition by organization_id order by id) - 1 as nth, count(*) over (partition by organization_id) as hosts from host) h
       on h.organization_id = o.id and h.nth = o.n % h.hosts
     left join (select *, row_number() over (partition by organization_id order by id) - 1 as nth from reported_firmware) f
       on f.organization_id = o.id and f.nth = o.n % 6
     left join (select *, row_number() over (partition by organization_id order by id) - 1 as nth from reported_configuration) c
       on c.organization_id = o.id and c.nth = o.n % 5`,
  )
  await client.query('update host set has_low_battery = true where organization_id in (select id from other)')
  await client.query('drop table other')
}

interface Places {
  zones: number
  names: FleetNames
}

/** Zones, their host PCs, some of which were not heard of for long, and what the readers report. */
async function createPlaces(client: pg.Client, id: number, { zones, names }: Places): Promise<void> {
  await client.query(
    `insert into zone (public_id, organization_id, name) select ${zoneId('n')}, $1::int, ${names.zone} from generate_series(1, $2::int) n`,
    [id, zones],
  )
  await client.query(`insert into licence (id, organization_id, licence_number) values (gen_random_uuid(), $1, 'LEC-BENCH-FLEET')`, [id])
  await client.query(
    `insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, last_seen_at, readers_seen_at)
     select ${hostId('n')}, $1::int, z.id, l.id, ${names.host}, 'America/New_York', '1.0.0', seen_at, seen_at
     from (select distinct host as n, zone, max(host) over () + 1 as hosts from plan) p
     cross join lateral (select now() - power(400.0 * n / hosts, 2) * interval '1 second' as seen_at) as clock
     join zone z on z.organization_id = $1 and z.public_id = ${zoneId('p.zone')}
     join licence l on l.organization_id = $1 and l.licence_number = 'LEC-BENCH-FLEET'
     order by n`,
    [id],
  )
  await client.query(
    `insert into reported_configuration (organization_id, label, content_hash)
     select $1::int, ${names.configuration}, n::text from generate_series(0, 8) n on conflict do nothing`,
    [id],
  )
  await client.query(
    `insert into reported_firmware (organization_id, version, version_order)
     select $1::int, '4.' || minor || '.' || patch, '000000000004.' || lpad(minor::text, 12, '0') || '.' || lpad(patch::text, 12, '0')
     from generate_series(5, 12) minor, generate_series(0, 3) patch on conflict do nothing`,
    [id],
  )
}
