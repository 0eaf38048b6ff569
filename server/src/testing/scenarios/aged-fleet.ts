import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { sweepStanding } from '../../devices/devices.ts'
import type { Database } from '../../lib/database/database.ts'

/**
 * Gives every organization a fleet like real ones: an old reader has a worn battery, an expired warranty and old firmware, and was seen
 * long ago. There are 50 zones with two hosts each. A twelfth of the readers has no warranty, a third no battery, some no zone or host.
 * Most were seen with their host, at most two days ago; the oldest have times of their own.
 */
export async function fillAgedFleet(db: Database, readers: number): Promise<void> {
  await sql`
    insert into zone (public_id, organization_id, name) select gen_random_uuid(), o.id, 'Zone ' || n from organization o, generate_series(1, 49) n`.execute(
    db,
  )
  await sql`
    with l as (
      insert into licence (id, organization_id, licence_number) select gen_random_uuid(), id, 'LEC-' || id from organization returning id, organization_id
    )
    insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, readers_seen_at)
    select gen_random_uuid(), z.organization_id, z.id, l.id, 'HOST-' || substr(z.name, 6) || '-' || n, 'UTC', '1',
      now() - make_interval(mins => (substr(z.name, 6)::int * 29 + n * 7) * 2)
    from zone z join l on l.organization_id = z.organization_id, generate_series(1, 2) n
    order by z.id, n`.execute(db)
  await sql`
    insert into firmware_release (id, device_type, version, version_order, notes, file_name, content_hash, size, created_by)
    values (${uuidv7()}, 'CR2700', '5.0.0', ${versionOrder('5.0.0')}, '', 'f.crvfw', '', 1, '')`.execute(db)
  // Versions that readers run; none is below 4.0.0.
  const versions = [
    '5.0.0',
    ...Array.from({ length: 14 }, (_, number) => `4.${number}.0`),
    ...Array.from({ length: 60 }, (_, number) => `3.${number}.0`),
  ]
  await sql`
    insert into reported_firmware (organization_id, version, version_order)
    select o.id, v.* from organization o, unnest(${versions}::text[], ${versions.map(versionOrder)}::text[]) v`.execute(db)
  await sql`
    insert into reported_configuration (organization_id, label, content_hash) select id, 'CFG ' || n, n from organization, generate_series(1, 12) n`.execute(
    db,
  )
  await sql`
    insert into device (organization_id, serial_number, device_type, warranty_until, low_battery, configuration_drifted, firmware_drifted, zone_id, host_id,
      firmware_id, configuration_id, battery_health, last_seen_at)
    select o.id, serial, (array['CR2700', 'CR1500', 'A271/2', 'V4500'])[1 + n % 4]::device_model,
      case when n % 12 <> 0 then current_date + (1200 - age * 2) end, low, age > 975, age between 951 and 975, z.id, h.id,
      f.id, c.id, case when low then 5 + age % 20 when n % 3 <> 0 then 100 - age / 14 end,
      case when age > 900 or h.id is null then now() - make_interval(mins => age * case when age > 950 then 20 else 4 end) end
    from organization o cross join generate_series(1, ${readers}::int) n
      cross join lateral (values ('S' || lpad((n * 7919 % 1000003)::text, 7, '0'), n % 1000, n % 3 <> 0 and n % 1000 > 900)) r (serial, age, low)
    left join zone z on z.organization_id = o.id and z.name = 'Zone ' || n % 50
    left join host h on h.organization_id = o.id and h.name = 'HOST-' || n % 50 || '-' || 1 + n % 2
    left join reported_firmware f on f.organization_id = o.id
      and f.version = case when n % 12 = 0 then '5.0.0' when age % 40 <> 0 then '4.' || 12 - age / 90 || '.0' end
    left join reported_configuration c on c.organization_id = o.id and c.label = 'CFG ' || 1 + n % 12`.execute(db)
  await sweepStanding(db)
  // Readers of a host PC are stored together, as check-ins store them.
  await sql`cluster host using host_pkey`.execute(db)
  await sql`cluster device using device_host`.execute(db)
}
