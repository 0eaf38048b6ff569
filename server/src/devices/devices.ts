import { lowBatteryPercent } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import { configurationLabel } from '@lectern/contract/publications/publications.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { warrantyDue } from './standing.ts'

/**
 * Stores what a host says of its readers, each serial number once, in two statements: one for what describes them
 * (written only where it changed) and one for what changes with every check-in.
 */
export async function storeReports(db: Database, host: Host, reports: readonly ReportedDevice[]): Promise<void> {
  const bySerial = new Map(reports.map((report) => [report.serialNumber, report]))
  if (bySerial.size === 0) return
  // In one order everywhere, so that two hosts reporting the same readers wait for each other instead of deadlocking.
  const devices = [...bySerial.values()].sort((a, b) => (a.serialNumber < b.serialNumber ? -1 : 1))
  const serials = devices.map((device) => device.serialNumber)
  const batteries = devices.map((device) => device.batteryHealth)
  const warranties = devices.map((device) => device.warrantyUntil)
  const hashes = devices.map(({ configuration }) => configuration?.contentHash ?? null)
  const firmwareOrders = devices.map(({ firmware }) => firmware && versionOrder(firmware))

  await sql`
    insert into device as d (id, organization_id, serial_number, device_type, zone_id, zone_name, host_id, host_name, warranty_until, low_battery,
      warranty_due, firmware_order, configuration_drifted, firmware_drifted)
    select r.id, ${host.organizationId}, r.serial_number, r.device_type, zone.id, zone.name, ${host.hostId}, ${host.name}, r.warranty_until,
      coalesce(r.battery_health < ${lowBatteryPercent}, false), coalesce(${warrantyDue(sql`r.warranty_until`)}, false), r.firmware_order,
      coalesce(r.publication = p.id, false) and (p.content_hash, p.file_name) is distinct from (r.config_hash, r.file_name),
      coalesce(r.firmware_publication = f.id and f.version_order <> coalesce(r.firmware_order, ''), false)
    from unnest(${devices.map(() => uuidv7())}::uuid[], ${serials}::text[], ${devices.map((device) => device.deviceType)}::text[],
      ${warranties}::date[], ${batteries}::real[], ${hashes}::text[], ${devices.map(({ configuration }) => configuration?.fileName ?? null)}::text[],
      ${devices.map(({ publication }) => publication ?? null)}::uuid[], ${firmwareOrders}::text[],
      ${devices.map(({ firmwarePublication }) => firmwarePublication ?? null)}::uuid[])
      as r (id, serial_number, device_type, warranty_until, battery_health, config_hash, file_name, publication, firmware_order, firmware_publication)
    join zone on zone.id = ${host.zoneId}
    left join desired_configuration c on c.zone_id = zone.id and c.device_type = r.device_type
    left join publication p on p.id = c.publication_id
    left join desired_firmware g on g.zone_id = zone.id and g.device_type = r.device_type
    left join publication f on f.id = g.publication_id
    on conflict (organization_id, serial_number) do update set
      device_type = excluded.device_type, zone_id = excluded.zone_id, zone_name = excluded.zone_name, host_id = excluded.host_id,
      host_name = excluded.host_name, warranty_until = excluded.warranty_until, offline = false, low_battery = excluded.low_battery,
      warranty_due = excluded.warranty_due, firmware_order = excluded.firmware_order, configuration_drifted = excluded.configuration_drifted, firmware_drifted = excluded.firmware_drifted
    where (d.device_type, d.zone_id, d.zone_name, d.host_id, d.host_name, d.warranty_until, d.offline, d.low_battery, d.warranty_due,
        d.firmware_order, d.configuration_drifted, d.firmware_drifted)
      is distinct from (excluded.device_type, excluded.zone_id, excluded.zone_name, excluded.host_id, excluded.host_name,
        excluded.warranty_until, false, excluded.low_battery, excluded.warranty_due, excluded.firmware_order, excluded.configuration_drifted,
        excluded.firmware_drifted)
  `.execute(db)

  const labels = devices.map(({ configuration }) => configuration && configurationLabel(configuration.fileName, configuration.contentHash))
  await sql`
    insert into device_state as s (device_id, organization_id, last_seen_at, battery_health, current_config, config_hash, current_firmware,
      firmware_order, last_updated_at, low_battery, warranty_due, drifted)
    select d.id, d.organization_id, now(), r.battery_health, r.config, r.config_hash, r.firmware, r.firmware_order, now(), d.low_battery, d.warranty_due,
      d.drifted
    from unnest(${serials}::text[], ${batteries}::real[], ${labels}::text[], ${hashes}::text[],
      ${devices.map((device) => device.firmware)}::text[], ${firmwareOrders}::text[])
      as r (serial_number, battery_health, config, config_hash, firmware, firmware_order)
    join device d on d.organization_id = ${host.organizationId} and d.serial_number = r.serial_number
    on conflict (device_id) do update set
      last_seen_at = excluded.last_seen_at, battery_health = excluded.battery_health, current_config = excluded.current_config,
      config_hash = excluded.config_hash, current_firmware = excluded.current_firmware, firmware_order = excluded.firmware_order,
      last_updated_at = case when (s.config_hash, s.current_firmware) is distinct from (excluded.config_hash, excluded.current_firmware)
        then excluded.last_updated_at else s.last_updated_at end,
      offline = false, low_battery = excluded.low_battery, warranty_due = excluded.warranty_due, drifted = excluded.drifted
  `.execute(db)
}
