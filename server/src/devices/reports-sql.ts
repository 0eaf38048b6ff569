import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { prepared } from '../lib/database/prepared.ts'
import type { Host } from '../lib/http/caller.ts'
import { warrantyDueUntil } from './standing-sql.ts'

/** What readers report of firmware and configuration, stored once for all of them. `detail`: the order of a version, the hash of a configuration. */
export interface ReportedName {
  isFirmware: boolean
  name: string
  detail: string
}

export const selectReportedNames = async (db: Database, organizationId: number, names: readonly ReportedName[]) => {
  const [firmware, configurations] = [names.filter(({ isFirmware }) => isFirmware), names.filter(({ isFirmware }) => !isFirmware)]
  const { rows } = await sql<{ isFirmware: boolean; name: string; detail: string; id: number }>`
    select true as "isFirmware", version as name, version_order as detail, id from reported_firmware
    where organization_id = ${organizationId} and version = any(${firmware.map(({ name }) => name)}::text[])
    union all
    select false, label, content_hash, id from reported_configuration
    where organization_id = ${organizationId} and (content_hash, label) in (
      select * from unnest(${configurations.map(({ detail }) => detail)}::text[], ${configurations.map(({ name }) => name)}::text[]))`.execute(
    db,
  )
  return rows
}

export const insertReportedNames = (db: Database, organizationId: number, names: readonly ReportedName[]) => {
  const rows = sql`unnest(${names.map(({ isFirmware }) => isFirmware)}::boolean[], ${names.map(({ name }) => name)}::text[],
    ${names.map(({ detail }) => detail)}::text[]) as r (is_firmware, name, detail)`
  return sql`
    with firmware as (
      insert into reported_firmware (organization_id, version, version_order) select ${organizationId}, name, detail from ${rows} where is_firmware
      order by name on conflict do nothing)
    insert into reported_configuration (organization_id, label, content_hash) select ${organizationId}, name, detail from ${rows} where not is_firmware
    order by detail, name on conflict do nothing`.execute(db)
}

interface DesiredRow {
  isFirmware: boolean
  deviceType: string
  publication: string
  contentHash: string
  fileName: string | null
  versionOrder: string | null
}

export const selectDesiredOfZone = async (db: Database, { organizationId, zoneId }: Host): Promise<DesiredRow[]> => {
  const select = (isFirmware: boolean, table: string) => sql`
    select ${isFirmware}::boolean as "isFirmware", d.device_type as "deviceType", p.id as publication, p.content_hash as "contentHash",
      p.file_name as "fileName", p.version_order as "versionOrder"
    from ${sql.table(table)} d join publication p on p.organization_id = ${organizationId} and p.id = d.publication_id
    where d.organization_id = ${organizationId} and d.zone_id = ${zoneId}`
  return (await sql<DesiredRow>`${select(false, 'desired_configuration')} union all ${select(true, 'desired_firmware')}`.execute(db)).rows
}

// A publish waits until the readers are stored, and then finds those that drifted from what it replaces.
export async function lockDesiredOfZone(db: Database, { organizationId, zoneId }: Host): Promise<void> {
  for (const table of ['desired_configuration', 'desired_firmware'])
    await sql`select from ${sql.table(table)} where organization_id = ${organizationId} and zone_id = ${zoneId} for share`.execute(db)
}

/** A reported reader as it is stored. */
export interface ReportRow {
  serial_number: string
  device_type: string
  zone_id: number
  host_id: number
  firmware_id: number | null
  configuration_id: number | null
  /** Rounded as it is stored. */
  battery_health: number | null
  warranty_until: string | null
  low_battery: boolean
  warranty_due: boolean
  configuration_drifted: boolean
  firmware_drifted: boolean
  simulated: boolean
}

const types: Record<keyof ReportRow, string> = {
  serial_number: 'text',
  device_type: 'device_model',
  zone_id: 'int',
  host_id: 'int',
  firmware_id: 'int',
  configuration_id: 'int',
  battery_health: 'real',
  warranty_until: 'date',
  low_battery: 'boolean',
  warranty_due: 'boolean',
  configuration_drifted: 'boolean',
  firmware_drifted: 'boolean',
  simulated: 'boolean',
}
export const reportColumns = Object.keys(types) as (keyof ReportRow)[]
const listColumns = () => sql.join(reportColumns.map((column) => sql.ref(column)))

/** `isSeenWithHost`: it has no time of its own and is of this host. */
interface StoredReader extends ReportRow {
  isSeenWithHost: boolean
}

export const selectStoredReaders = async (
  db: Database,
  { organizationId, hostId }: Host,
  serials: readonly string[],
): Promise<StoredReader[]> =>
  (
    await sql<StoredReader>`
      select ${listColumns()}, battery_health::float8 as battery_health, (host_id = ${hostId} and last_seen_at is null) is true as "isSeenWithHost"
      from device where organization_id = ${organizationId} and serial_number = any(${serials}::text[]) ${prepared}`.execute(db)
  ).rows

const isSeenWith = ({ organizationId, hostId }: Host) =>
  sql<boolean>`organization_id = ${organizationId} and host_id = ${hostId} and last_seen_at is null`

/** The readers of a host that left it: by name, or all but those that it has. */
export type Gone = { gone: readonly string[] } | { here: readonly string[] }

const hasLeft = (host: Host, left: Gone) =>
  sql<boolean>`${isSeenWith(host)} and ${
    'gone' in left ? sql`serial_number = any(${left.gone}::text[])` : sql`serial_number <> all(${left.here}::text[])`
  }`

// In the order of serial numbers, so that two hosts that report the same readers wait for each other instead of deadlocking.
export const lockDevices = (db: Database, host: Host, written: readonly string[], left: Gone | null) =>
  sql`
    select from device where organization_id = ${host.organizationId} and (serial_number = any(${written}::text[]) ${left ? sql`or ${hasLeft(host, left)}` : sql``})
    order by serial_number for no key update`.execute(db)

export const upsertDevices = (db: Database, organizationId: number, rows: readonly ReportRow[]) =>
  sql`
    insert into device as d (organization_id, last_seen_at, ${listColumns()})
    select ${organizationId}, null, r.*
    from unnest(${sql.join(reportColumns.map((column) => sql`${rows.map((row) => row[column])}::${sql.raw(types[column])}[]`))}) as r (${listColumns()})
    order by serial_number collate "C"
    on conflict (organization_id, serial_number) do update set
      ${sql.join(reportColumns.map((column) => sql`${sql.ref(column)} = ${sql.ref(`excluded.${column}`)}`))},
      offline = false, last_seen_at = null,
      last_updated_at = case when (d.configuration_id, d.firmware_id) is distinct from (excluded.configuration_id, excluded.firmware_id)
        then excluded.last_updated_at else d.last_updated_at end`.execute(db)

/** Readers that left the host keep the time at which they were seen with it. */
export const updateGone = (db: Database, host: Host, left: Gone) =>
  sql`
    update device set last_seen_at = (select readers_seen_at from host where organization_id = ${host.organizationId} and id = ${host.hostId})
    where ${hasLeft(host, left)}`.execute(db)

export const updateOnline = (db: Database, host: Host) =>
  sql`
    update device set offline = false where organization_id = ${host.organizationId} and id = any(array(
      select id from device where ${isSeenWith(host)} and offline order by serial_number for no key update))`.execute(db)

// `wasSeenToday`: its readers were, on this day of UTC. `dueUntil`: warranties that end until then are due.
interface LockedHost {
  digest: string | null
  areReadersOffline: boolean
  wasSeenToday: boolean
  dueUntil: string
}

export const lockHost = async (db: Database, { organizationId, hostId }: Host): Promise<LockedHost | undefined> =>
  (
    await sql<LockedHost>`
      select reported_digest as digest, readers_offline as "areReadersOffline",
        ((readers_seen_at at time zone 'UTC')::date = (now() at time zone 'UTC')::date) is true as "wasSeenToday",
        (${warrantyDueUntil})::date as "dueUntil"
      from host where organization_id = ${organizationId} and id = ${hostId} for no key update ${prepared}`.execute(db)
  ).rows[0]

export const countSeenWithHost = async (db: Database, host: Host): Promise<number> =>
  (await sql<{ count: number }>`select count(*)::int as count from device where ${isSeenWith(host)}`.execute(db)).rows[0]!.count

export const selectSeenWithHost = async (db: Database, host: Host) =>
  (
    await sql<{ serialNumber: string; deviceType: string }>`
      select serial_number as "serialNumber", device_type as "deviceType" from device where ${isSeenWith(host)}`.execute(db)
  ).rows

interface HostState {
  time_zone: string
  agent_version: string
  driver: string | null
}

// Which tiles need not ask the host for readers.
interface ReaderMarks {
  has_low_battery: boolean
  has_warranty_due: boolean
  has_drifted: boolean
}

export const selectMarks = async (db: Database, host: Host): Promise<ReaderMarks> =>
  (
    await sql<ReaderMarks>`
      select coalesce(bool_or(low_battery), false) as has_low_battery, coalesce(bool_or(warranty_due), false) as has_warranty_due,
        coalesce(bool_or(drifted), false) as has_drifted
      from device where ${isSeenWith(host)}`.execute(db)
  ).rows[0]!

/** @param readers the digest and new marks of readers that were seen; null where none was */
export const updateHostSeen = (
  db: Database,
  { organizationId, hostId }: Host,
  state: HostState,
  readers: ({ reported_digest: string | null } & Partial<ReaderMarks>) | null,
) =>
  db
    .updateTable('host')
    .set({
      ...{ ...state, last_seen_at: sql<Date>`now()`, reported_digest: null },
      ...(readers && { ...readers, readers_seen_at: sql<Date>`now()`, readers_offline: false }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', hostId)
    .modifyEnd(prepared)
    .execute()
