import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { isWarrantyDue } from './standing-sql.ts'

export interface ReportRow {
  id: string
  serial_number: string
  device_type: string
  warranty_until: string | null
  battery_health: number | null
  low_battery: boolean
  config_hash: string | null
  config_file: string | null
  config_label: string | null
  firmware: string | null
  firmware_order: string | null
  /** The desired ones that the reader had before it was read. */
  publication: string | null
  firmware_publication: string | null
}

const unnestColumn = (rows: readonly ReportRow[], name: keyof ReportRow, type: string) =>
  sql`${rows.map((row) => row[name])}::${sql.raw(type)}[]`

export const upsertDevices = (db: Database, host: Host & { simulated: boolean }, rows: readonly ReportRow[]) =>
  sql`
    insert into device as d (id, organization_id, serial_number, device_type, zone_id, zone_name, host_id, host_name, warranty_until, low_battery,
      warranty_due, firmware_order, configuration_drifted, firmware_drifted, simulated)
    select r.id, ${host.organizationId}, r.serial_number, r.device_type, zone.id, zone.name, ${host.hostId}, ${host.name}, r.warranty_until,
      r.low_battery, coalesce(${isWarrantyDue(sql`r.warranty_until`)}, false), r.firmware_order,
      coalesce(r.publication = p.id, false) and (p.content_hash, p.file_name) is distinct from (r.config_hash, r.config_file),
      coalesce(r.firmware_publication = f.id and f.version_order <> coalesce(r.firmware_order, ''), false), ${host.simulated}::boolean
    from unnest(${unnestColumn(rows, 'id', 'uuid')}, ${unnestColumn(rows, 'serial_number', 'text')}, ${unnestColumn(rows, 'device_type', 'text')},
      ${unnestColumn(rows, 'warranty_until', 'date')}, ${unnestColumn(rows, 'low_battery', 'boolean')}, ${unnestColumn(rows, 'config_hash', 'text')},
      ${unnestColumn(rows, 'config_file', 'text')}, ${unnestColumn(rows, 'publication', 'uuid')}, ${unnestColumn(rows, 'firmware_order', 'text')},
      ${unnestColumn(rows, 'firmware_publication', 'uuid')})
      as r (id, serial_number, device_type, warranty_until, low_battery, config_hash, config_file, publication, firmware_order, firmware_publication)
    join zone on zone.id = ${host.zoneId}
    left join desired_configuration c on c.zone_id = zone.id and c.device_type = r.device_type
    left join publication p on p.id = c.publication_id
    left join desired_firmware g on g.zone_id = zone.id and g.device_type = r.device_type
    left join publication f on f.id = g.publication_id
    on conflict (organization_id, serial_number) do update set
      device_type = excluded.device_type, zone_id = excluded.zone_id, zone_name = excluded.zone_name, host_id = excluded.host_id,
      host_name = excluded.host_name, warranty_until = excluded.warranty_until, offline = false, low_battery = excluded.low_battery,
      warranty_due = excluded.warranty_due, firmware_order = excluded.firmware_order, configuration_drifted = excluded.configuration_drifted,
      firmware_drifted = excluded.firmware_drifted, simulated = excluded.simulated
    where (d.device_type, d.zone_id, d.zone_name, d.host_id, d.host_name, d.warranty_until, d.offline, d.low_battery, d.warranty_due,
        d.firmware_order, d.configuration_drifted, d.firmware_drifted, d.simulated)
      is distinct from (excluded.device_type, excluded.zone_id, excluded.zone_name, excluded.host_id, excluded.host_name,
        excluded.warranty_until, false, excluded.low_battery, excluded.warranty_due, excluded.firmware_order, excluded.configuration_drifted,
        excluded.firmware_drifted, excluded.simulated)`.execute(db)

export const upsertDeviceStates = (db: Database, organizationId: string, rows: readonly ReportRow[]) =>
  sql`
    insert into device_state as s (device_id, organization_id, last_seen_at, battery_health, current_config, config_hash, current_firmware,
      firmware_order, last_updated_at, low_battery, warranty_due, drifted)
    select d.id, d.organization_id, now(), r.battery_health, r.config_label, r.config_hash, r.firmware, r.firmware_order, now(), d.low_battery,
      d.warranty_due, d.drifted
    from unnest(${unnestColumn(rows, 'serial_number', 'text')}, ${unnestColumn(rows, 'battery_health', 'real')}, ${unnestColumn(rows, 'config_label', 'text')},
      ${unnestColumn(rows, 'config_hash', 'text')}, ${unnestColumn(rows, 'firmware', 'text')}, ${unnestColumn(rows, 'firmware_order', 'text')})
      as r (serial_number, battery_health, config_label, config_hash, firmware, firmware_order)
    join device d on d.organization_id = ${organizationId} and d.serial_number = r.serial_number
    on conflict (device_id) do update set
      last_seen_at = excluded.last_seen_at, battery_health = excluded.battery_health, current_config = excluded.current_config,
      config_hash = excluded.config_hash, current_firmware = excluded.current_firmware, firmware_order = excluded.firmware_order,
      last_updated_at = case when (s.config_hash, s.current_firmware) is distinct from (excluded.config_hash, excluded.current_firmware)
        then excluded.last_updated_at else s.last_updated_at end,
      offline = false, low_battery = excluded.low_battery, warranty_due = excluded.warranty_due, drifted = excluded.drifted`.execute(db)
