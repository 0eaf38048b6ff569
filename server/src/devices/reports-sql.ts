import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import type { Host } from '../lib/http/caller.ts'
import { isWarrantyDue } from './standing-sql.ts'

export interface ReportRow {
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

export interface Reports {
  host: Host
  rows: readonly ReportRow[]
  simulated: boolean
}

const unnestColumn = (rows: readonly ReportRow[], name: keyof ReportRow, type: string) =>
  sql`${rows.map((row) => row[name])}::${sql.raw(type)}[]`

const reported = ({ host: { organizationId, zoneId, hostId }, rows, simulated }: Reports) => sql`
  select r.serial_number, r.device_type, ${zoneId}::int as zone_id, ${hostId}::int as host_id, f.id as firmware_id, c.id as configuration_id,
    r.battery_health, r.warranty_until, r.low_battery, coalesce(${isWarrantyDue(sql`r.warranty_until`)}, false) as warranty_due,
    coalesce(r.publication = p.id, false) and (p.content_hash, p.file_name) is distinct from (r.config_hash, r.config_file) as configuration_drifted,
    coalesce(r.firmware_publication = g.id and g.version_order <> coalesce(r.firmware_order, ''), false) as firmware_drifted,
    ${simulated}::boolean as simulated, (r.firmware is not null and f.id is null) or (r.config_label is not null and c.id is null) as is_unknown
  from unnest(${unnestColumn(rows, 'serial_number', 'text')}, ${unnestColumn(rows, 'device_type', 'device_model')},
    ${unnestColumn(rows, 'warranty_until', 'date')}, ${unnestColumn(rows, 'battery_health', 'real')}, ${unnestColumn(rows, 'low_battery', 'boolean')},
    ${unnestColumn(rows, 'config_hash', 'text')}, ${unnestColumn(rows, 'config_file', 'text')}, ${unnestColumn(rows, 'config_label', 'text')},
    ${unnestColumn(rows, 'firmware', 'text')}, ${unnestColumn(rows, 'firmware_order', 'text')}, ${unnestColumn(rows, 'publication', 'uuid')},
    ${unnestColumn(rows, 'firmware_publication', 'uuid')})
    as r (serial_number, device_type, warranty_until, battery_health, low_battery, config_hash, config_file, config_label, firmware, firmware_order,
      publication, firmware_publication)
  left join reported_firmware f on f.organization_id = ${organizationId} and f.version = r.firmware
  left join reported_configuration c on c.organization_id = ${organizationId} and c.content_hash = r.config_hash and c.label = r.config_label
  left join desired_configuration dc on dc.organization_id = ${organizationId} and dc.zone_id = ${zoneId} and dc.device_type = r.device_type
  left join publication p on p.organization_id = ${organizationId} and p.id = dc.publication_id
  left join desired_firmware df on df.organization_id = ${organizationId} and df.zone_id = ${zoneId} and df.device_type = r.device_type
  left join publication g on g.organization_id = ${organizationId} and g.id = df.publication_id`

const reportedColumns = [
  ...['device_type', 'zone_id', 'host_id', 'firmware_id', 'configuration_id', 'battery_health', 'warranty_until', 'low_battery'],
  ...['warranty_due', 'configuration_drifted', 'firmware_drifted', 'simulated'],
]
const listColumns = (alias: string) => sql.join(reportedColumns.map((column) => sql.ref(`${alias}.${column}`)))

/** `isSeenWithHost`: it has no time of its own and is of this host. `isUnknown`: its firmware or configuration is not stored yet. */
export interface Compared {
  serialNumber: string
  isSeenWithHost: boolean
  isChanged: boolean
  isUnknown: boolean
  isBatteryLow: boolean
  isWarrantyDue: boolean
  hasDrifted: boolean
}

export async function compareReports(db: Database, reports: Reports): Promise<Compared[]> {
  const { rows } = await sql<Compared>`
    select r.serial_number as "serialNumber", (d.host_id = r.host_id and d.last_seen_at is null) is true as "isSeenWithHost",
      d.id is null or d.offline or r.is_unknown or (${listColumns('d')}) is distinct from (${listColumns('r')}) as "isChanged", r.is_unknown as "isUnknown",
      r.low_battery as "isBatteryLow", r.warranty_due as "isWarrantyDue", r.configuration_drifted or r.firmware_drifted as "hasDrifted"
    from (${reported(reports)}) r
    left join device d on d.organization_id = ${reports.host.organizationId} and d.serial_number = r.serial_number`.execute(db)
  return rows
}

export async function insertReported(db: Database, { host: { organizationId }, rows }: Reports): Promise<void> {
  await sql`
    insert into reported_firmware (organization_id, version, version_order)
    select distinct ${organizationId}::int, r.* from unnest(${unnestColumn(rows, 'firmware', 'text')}, ${unnestColumn(rows, 'firmware_order', 'text')})
      as r (firmware, firmware_order)
    where r.firmware is not null and not exists (
      select from reported_firmware f where f.organization_id = ${organizationId} and f.version = r.firmware)
    order by 2 on conflict do nothing`.execute(db)
  await sql`
    insert into reported_configuration (organization_id, label, content_hash)
    select distinct ${organizationId}::int, r.* from unnest(${unnestColumn(rows, 'config_label', 'text')}, ${unnestColumn(rows, 'config_hash', 'text')})
      as r (label, content_hash)
    where r.label is not null and not exists (
      select from reported_configuration c where c.organization_id = ${organizationId} and c.content_hash = r.content_hash and c.label = r.label)
    order by 3, 2 on conflict do nothing`.execute(db)
}

// In the order of serial numbers, so that two hosts that report the same readers wait for each other instead of deadlocking.
export function lockDevices(
  db: Database,
  { host: { organizationId, hostId }, rows }: Reports,
  written: readonly string[],
  andMissing: boolean,
) {
  const missing = andMissing
    ? sql`or host_id = ${hostId} and last_seen_at is null and serial_number <> all(${rows.map((row) => row.serial_number)}::text[])`
    : sql``
  return sql`
    select from device where organization_id = ${organizationId} and (serial_number = any(${written}::text[]) ${missing})
    order by serial_number for no key update`.execute(db)
}

export const upsertDevices = (db: Database, reports: Reports, hasOwnTime: boolean) =>
  sql`
    insert into device as d (organization_id, serial_number, last_seen_at, ${sql.join(reportedColumns.map((column) => sql.ref(column)))})
    select ${reports.host.organizationId}, r.serial_number, ${hasOwnTime ? sql`now()` : sql`null`}, ${listColumns('r')} from (${reported(reports)}) r
    order by r.serial_number collate "C"
    on conflict (organization_id, serial_number) do update set
      ${sql.join(reportedColumns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))},
      offline = false, last_seen_at = excluded.last_seen_at,
      last_updated_at = case when (d.configuration_id, d.firmware_id) is distinct from (excluded.configuration_id, excluded.firmware_id)
        then excluded.last_updated_at else d.last_updated_at end`.execute(db)

/** Readers that were seen with the host and are not in its reports keep the time before. */
export const updateMissing = (db: Database, { host: { organizationId, hostId }, rows }: Reports) =>
  sql`
    update device set last_seen_at = (select readers_seen_at from host where organization_id = ${organizationId} and id = ${hostId})
    where organization_id = ${organizationId} and host_id = ${hostId} and last_seen_at is null
      and serial_number <> all(${rows.map((row) => row.serial_number)}::text[])`.execute(db)

export const lockHost = (db: Database, { organizationId, hostId }: Host) =>
  sql`select from host where organization_id = ${organizationId} and id = ${hostId} for no key update`.execute(db)

export async function countSeenWithHost(db: Database, { organizationId, hostId }: Host): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device where organization_id = ${organizationId} and host_id = ${hostId} and last_seen_at is null`.execute(
    db,
  )
  return rows[0]?.count ?? 0
}

interface HostState {
  time_zone: string
  agent_version: string
  driver: string | null
}

export interface ReaderMarks {
  has_low_battery: boolean
  has_warranty_due: boolean
  has_drifted: boolean
}

export const updateHostSeen = (db: Database, { organizationId, hostId }: Host, state: HostState, marks: ReaderMarks | null) =>
  db
    .updateTable('host')
    .set({ ...state, last_seen_at: sql<Date>`now()` })
    .$if(marks !== null, (host) => host.set({ ...marks, readers_seen_at: sql<Date>`now()`, readers_offline: false }))
    .where('organization_id', '=', organizationId)
    .where('id', '=', hostId)
    .execute()
