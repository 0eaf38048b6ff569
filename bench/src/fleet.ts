import type pg from 'pg'

export const organizationId = '0198c0de-00aa-7000-8000-0000000000aa'

/** Names as SQL expressions of a number `n`. */
export interface FleetNames {
  zone: string
  host: string
  configuration: string
}

const plainNames: FleetNames = {
  zone: `'Zone ' || lpad(n::text, 3, '0')`,
  host: `'HOST-' || lpad((n % 400)::text, 4, '0')`,
  configuration: `'CFG ' || left(md5((n % 9)::text), 8)`,
}

interface FleetOptions {
  /** Made where it is not there. */
  organization?: string
  zones?: number
  names?: FleetNames
}

const zoneId = (n: string) => `('0198c0de-00bb-7000-8000-' || lpad(to_hex(${n}), 12, '0'))::uuid`

/**
 * Fills one organization with readers whose battery, last check-in and warranty hang together, as in real fleets: an old reader
 * has a tired battery, a short warranty and is likelier to lie in a drawer. Some have no battery, host, firmware or warranty.
 */
export async function createFleet(
  client: pg.Client,
  readers: number,
  { organization = organizationId, zones = 120, names = plainNames }: FleetOptions = {},
): Promise<void> {
  await client.query('insert into organization (id, name) values ($1, $2) on conflict (id) do nothing', [organization, 'Bench'])
  await client.query(
    `insert into zone (id, organization_id, name) select ${zoneId('n')}, $1, ${names.zone} from generate_series(1, $2::int) n`,
    [organization, zones],
  )
  await client.query('select setseed(0.25)')
  await client.query(
    `create temp table plan as select n, random() as age, random() as a, random() as b, random() as c,
       ('0198c0de-' || lpad(to_hex(n / 65536), 4, '0') || '-7' || lpad(to_hex(n % 4096), 3, '0') || '-8000-' || lpad(to_hex(n), 12, '0'))::uuid as id
     from generate_series(1, $1::int) n`,
    [readers],
  )
  await client.query(
    `insert into device (id, organization_id, serial_number, device_type, zone_id, zone_name, host_name, warranty_until, low_battery, firmware_order)
     select p.id, $1, '27P' || lpad((n * 7)::text, 8, '0'), (array['CR1100','CR2700','A271/2','CR1500','CR5200','V1300','V4500'])[1 + floor(power(a, 1.5) * 7)],
       z.id, z.name, case when b < 0.02 then null else ${names.host} end,
       case when c < 0.05 then null else current_date + (900 - 1100 * age + 60 * b)::int end,
       case when a < 0.3 then false else 100 - 85 * age * (0.5 + b * 0.6) < 25 end,
       case when c > 0.97 then null else '000000000004.' || lpad((12 - floor(age * 6))::text, 12, '0') || '.' || lpad((n % 4)::text, 12, '0') end
     from plan p join zone z on z.organization_id = $1 and z.id = ${zoneId('1 + n % $2::int')}`,
    [organization, zones],
  )
  await client.query(
    `insert into device_state (device_id, organization_id, last_seen_at, battery_health, current_config, current_firmware, firmware_order, last_updated_at, low_battery)
     select p.id, $1, now() - case when b < 0.12 * age then interval '3 days' + c * interval '90 days' else a * a * interval '2 days' end,
       case when a < 0.3 then null else 100 - 85 * age * (0.5 + b * 0.6) end, ${names.configuration},
       case when c > 0.97 then null else '4.' || (12 - floor(age * 6)) || '.' || (n % 4) end,
       d.firmware_order,
       now() - age * interval '200 days', d.low_battery
     from plan p join device d on d.id = p.id`,
    [organization],
  )
}
