import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { configurationLabel } from '../lib/database/names.ts'
import { prepared } from '../lib/database/prepared.ts'
import { boolean, day, float, instant, integer, orNull, type RowOf, read, text } from '../lib/database/rows.ts'
import type { Host } from '../lib/http/caller.ts'
import { warrantyDueUntil } from './standing-sql.ts'

/**
 * A name of firmware or a configuration as readers report it, stored once for all readers. `detail`: the order of a version, the hash of a
 * configuration.
 */
export interface ReportedName {
  isFirmware: boolean
  name: string
  detail: string
}

const nameColumns = { isFirmware: boolean(sql`is_firmware`), name: text(sql`name`), detail: text(sql`detail`), id: integer(sql`id`) }

export const selectReportedNames = (db: Database, organizationId: number, names: readonly ReportedName[]) => {
  const [firmware, configurations] = [names.filter(({ isFirmware }) => isFirmware), names.filter(({ isFirmware }) => !isFirmware)]
  return read(
    db,
    nameColumns,
    (list) => sql`
      select ${list} from (
        select true as is_firmware, version as name, version_order as detail, id from reported_firmware
        where organization_id = ${organizationId} and version = any(${firmware.map(({ name }) => name)}::text[])
        union all
        select false, label, content_hash, id from reported_configuration
        where organization_id = ${organizationId} and (content_hash, label) in (
          select * from unnest(${configurations.map(({ detail }) => detail)}::text[], ${configurations.map(({ name }) => name)}::text[]))
      ) reported`,
  )
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

const desiredColumns = {
  kind: text<'configuration' | 'firmware'>(sql`p.kind`),
  deviceType: text(sql`p.device_type`),
  publication: text(sql`p.id`),
  contentHash: text(sql`p.content_hash`),
  fileName: orNull(text(sql`p.file_name`)),
  versionOrder: orNull(text(sql`p.version_order`)),
}

export const selectDesiredOfZone = (db: Database, { organizationId, zoneId }: Host) =>
  read(
    db,
    desiredColumns,
    (list) => sql`
      select ${list} from publication p where p.organization_id = ${organizationId} and p.zone_id = ${zoneId} and p.replaced_at is null`,
  )

// A publish waits until the readers are stored. It then finds those that have drifted from what it replaces.
export const lockDesiredOfZone = (db: Database, { organizationId, zoneId }: Host) =>
  sql`select from desired where organization_id = ${organizationId} and zone_id = ${zoneId} for share`.execute(db)

/** A reported reader as it is stored. */
export interface ReportRow {
  serial_number: string
  device_type: string
  zone_id: number
  host_id: number
  firmware_id: number | null
  configuration_id: number | null
  /** Rounded, as it is stored. */
  battery_health: number | null
  warranty_until: string | null
  low_battery: boolean
  warranty_due: boolean
  configuration_drifted: boolean
  firmware_drifted: boolean
  simulated: boolean
  /** The bits of `kindBits`, added up; null: everything. */
  can: number | null
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
  can: 'smallint',
}
export const reportColumns = Object.keys(types) as (keyof ReportRow)[]
const listColumns = () => sql.join(reportColumns.map((column) => sql.ref(column)))

/** `isSeenWithHost`: the reader has no time of its own and is at this host. */
const storedColumns = (hostId: number) => ({
  serial_number: text(sql`serial_number`),
  device_type: text(sql`device_type`),
  zone_id: orNull(integer(sql`zone_id`)),
  host_id: orNull(integer(sql`host_id`)),
  firmware_id: orNull(integer(sql`firmware_id`)),
  configuration_id: orNull(integer(sql`configuration_id`)),
  battery_health: orNull(float(sql`battery_health`)),
  warranty_until: orNull(day(sql`warranty_until`)),
  low_battery: boolean(sql`low_battery`),
  warranty_due: boolean(sql`warranty_due`),
  configuration_drifted: boolean(sql`configuration_drifted`),
  firmware_drifted: boolean(sql`firmware_drifted`),
  simulated: boolean(sql`simulated`),
  can: orNull(integer(sql`can`)),
  isSeenWithHost: boolean(sql`(host_id = ${hostId} and last_seen_at is null) is true`),
})

// Looks up one serial number at a time: a kept plan for any number of them would read all readers of a large organization.
export const selectStoredReaders = (db: Database, { organizationId, hostId }: Host, serials: readonly string[]) =>
  read(
    db,
    storedColumns(hostId),
    (list) => sql`
      select ${list} from unnest(${serials}::text[]) as asked (serial)
      cross join lateral (select * from device where device.organization_id = ${organizationId} and device.serial_number = asked.serial limit 1) stored
      ${prepared}`,
  )

const isSeenWith = ({ organizationId, hostId }: Host) =>
  sql<boolean>`organization_id = ${organizationId} and host_id = ${hostId} and last_seen_at is null`

/** Readers that left the host: `gone` by serial number, or all but `here`. */
export type Gone = { gone: readonly string[] } | { here: readonly string[] }

const hasLeft = (host: Host, left: Gone) =>
  sql<boolean>`${isSeenWith(host)} and ${
    'gone' in left ? sql`serial_number = any(${left.gone}::text[])` : sql`serial_number <> all(${left.here}::text[])`
  }`

const movedColumns = {
  serialNumber: text(sql`locked.serial_number`),
  hostId: orNull(integer(sql`locked.host_id`)),
  wasSeenWithHost: boolean(sql`(locked.last_seen_at is null)`),
  hostName: orNull(text(sql`host.name`)),
  zoneName: orNull(text(sql`zone.name`)),
}
/** A known reader, with the host and the zone where it was. */
export type MovedReader = RowOf<typeof movedColumns>

// Locks in the order of serial numbers, so that two hosts that report the same readers wait for each other instead of deadlocking. Returns
// those of the written that were at another host or zone. A reader that stays in its zone while its PC is set up anew has not moved.
export const lockDevices = (db: Database, host: Host, written: readonly string[], left: Gone | null): Promise<MovedReader[]> =>
  read(
    db,
    movedColumns,
    (list) => sql`
      with locked as materialized (
        select serial_number, host_id, zone_id, last_seen_at from device
        where organization_id = ${host.organizationId} and (serial_number = any(${written}::text[]) ${left ? sql`or ${hasLeft(host, left)}` : sql``})
        order by serial_number for no key update)
      select ${list} from locked
      left join host on host.organization_id = ${host.organizationId} and host.id = locked.host_id
      left join zone on zone.organization_id = ${host.organizationId} and zone.id = locked.zone_id
      where locked.host_id is distinct from ${host.hostId} and (locked.host_id is not null or locked.zone_id is distinct from ${host.zoneId})`,
  )

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

// Makes hosts whose last check-in had these readers send all their readers, as their digest says that they still have these. `lockHosts` has
// locked them, except where a reader has moved since.
export const forgetDigests = (db: Database, { organizationId }: Host, moved: readonly MovedReader[]) =>
  sql`
    update host set reported_digest = null
    where organization_id = ${organizationId} and id = any(${moved.filter((one) => one.wasSeenWithHost).map(({ hostId }) => hostId)}::int[])`.execute(
    db,
  )

/** Readers that left the host keep the time at which they were last seen with it. */
export const updateGone = (db: Database, host: Host, left: Gone) =>
  sql`
    update device set last_seen_at = (select readers_seen_at from host where organization_id = ${host.organizationId} and id = ${host.hostId})
    where ${hasLeft(host, left)}`.execute(db)

export const updateOnline = (db: Database, host: Host) =>
  sql`
    update device set offline = false where organization_id = ${host.organizationId} and id = any(array(
      select id from device where ${isSeenWith(host)} and offline order by serial_number for no key update))`.execute(db)

/** SQL: the numbers of a host's check-ins, as `HostSequence` has them. */
const sequenceColumns = {
  last: integer(sql`sequence`),
  leftFrom: integer(sql`left_from`),
  leftTo: integer(sql`left_to`),
  alternations: integer(sql`alternations`),
  onTwoPcs: boolean(sql`on_two_pcs_at is not null`),
}

// `wasSeenToday`: the host's readers have been seen on this day (UTC). `dueUntil`: the day until which warranties that end count as due.
const lockedColumns = {
  ...sequenceColumns,
  digest: orNull(text(sql`reported_digest`)),
  areReadersOffline: boolean(sql`readers_offline`),
  wasSeenToday: boolean(sql`((readers_seen_at at time zone 'UTC')::date = (now() at time zone 'UTC')::date) is true`),
  dueUntil: day(warrantyDueUntil),
}

/**
 * Locks the host together with those that have its readers, in the order of their ids, so that two that report each other's readers wait instead of
 * deadlocking. Locks nothing where there is no such host.
 */
export const lockHosts = (db: Database, { organizationId, hostId }: Host, serials: readonly string[]) =>
  sql`
    with other as materialized (
      select distinct stored.host_id from unnest(${serials}::text[]) as asked (serial)
      cross join lateral (
        select host_id, last_seen_at from device where device.organization_id = ${organizationId} and device.serial_number = asked.serial limit 1) stored
      where stored.host_id <> ${hostId} and stored.last_seen_at is null)
    select from host where organization_id = ${organizationId}
      and id in (select host_id from other union all select ${hostId}::int where exists (select from other))
    order by id for no key update ${prepared}`.execute(db)

// Returns undefined where the host was removed since its check-in began.
export async function lockHost(db: Database, { organizationId, hostId, zoneId }: Host) {
  const [host] = await read(
    db,
    lockedColumns,
    (list) => sql`
      select ${list} from host where organization_id = ${organizationId} and id = ${hostId} and zone_id = ${zoneId} and revoked_at is null
      for no key update ${prepared}`,
  )
  return host
}

export async function countSeenWithHost(db: Database, host: Host): Promise<number> {
  const [row] = await read(db, { count: integer(sql`count(*)`) }, (list) => sql`select ${list} from device where ${isSeenWith(host)}`)
  return row!.count
}

const seenColumns = { serialNumber: text(sql`serial_number`), deviceType: text(sql`device_type`) }

export const selectSeenWithHost = (db: Database, host: Host) =>
  read(db, seenColumns, (list) => sql`select ${list} from device where ${isSeenWith(host)}`)

/** A reader that reports another content of a kind than before. `previous`: 0 where it reported none. */
interface ContentChange {
  serialNumber: string
  kind: 'configuration' | 'firmware'
  runs: number
  previous: number
}

/** SQL: a roll back has taken publication `p` back, and nothing newer has replaced the roll back. */
const isTakenBack = sql`p.withdrawn_by is not null and exists (
  select from publication b where b.organization_id = p.organization_id and b.zone_id = p.zone_id and b.device_type = p.device_type and b.kind = p.kind
    and b.rollout_id = p.withdrawn_by and b.replaced_at is null)`

/**
 * Keeps what readers ran before a publication that they run now and have no outcome of: one that their zone desires, one that they get
 * back, or one that a roll back took back. Returns those of the last kind.
 */
export async function insertPrevious(db: Database, { organizationId, zoneId }: Host, changes: readonly ContentChange[]) {
  const rows = await read(
    db,
    { publication: text(sql`k.publication_id`), serialNumber: text(sql`d.serial_number`), isTakenBack: boolean(isTakenBack) },
    (list) => sql`
      with kept as (
        insert into previous_content (organization_id, publication_id, device_id, reported_id)
        select ${organizationId}, p.id, d.id, c.previous
        from unnest(${changes.map(({ serialNumber }) => serialNumber)}::text[], ${changes.map(({ kind }) => kind)}::content_kind[],
          ${changes.map(({ runs }) => runs)}::int[], ${changes.map(({ previous }) => previous)}::int[]) as c (serial, kind, runs, previous)
        cross join lateral (select * from device where device.organization_id = ${organizationId} and device.serial_number = c.serial limit 1) d
        join publication p on p.organization_id = ${organizationId} and p.zone_id = ${zoneId} and p.device_type = d.device_type and p.kind = c.kind
          and (p.replaced_at is null or ${isTakenBack})
        left join reported_firmware f on c.kind = 'firmware' and f.organization_id = ${organizationId} and f.id = c.runs
        left join reported_configuration r on c.kind = 'configuration' and r.organization_id = ${organizationId} and r.id = c.runs
        where case when c.kind = 'firmware' then f.version_order = p.version_order
          else r.content_hash = p.content_hash and r.label = ${configurationLabel('p')} end
          and (not p.for_readers or exists (
            select from publication_reader own where own.organization_id = ${organizationId} and own.publication_id = p.id and own.device_id = d.id))
          and not exists (
            select from outcome o where o.organization_id = ${organizationId} and o.publication_id = p.id and o.device_id = d.id)
        on conflict do nothing returning publication_id, device_id
      )
      select ${list} from kept k join publication p on p.organization_id = ${organizationId} and p.id = k.publication_id
      join device d on d.organization_id = ${organizationId} and d.id = k.device_id`,
  )
  return rows.filter((row) => row.isTakenBack)
}

interface HostState {
  time_zone: string
  agent_version: string
  driver: string | null
  knows_phases: boolean
  clock_ahead: number | null
  /** JSON; absent where it stays. */
  attached?: string | null
  withdrawals?: number
  sequence?: number
  left_from?: number
  left_to?: number
  alternations?: number
  on_two_pcs_at?: Date
  reported_digest?: string | null
}

// Marks of a host: the tiles on which it has no reader need not ask it.
const markColumns = {
  has_low_battery: boolean(sql`coalesce(bool_or(low_battery), false)`),
  has_warranty_due: boolean(sql`coalesce(bool_or(warranty_due), false)`),
  has_drifted: boolean(sql`coalesce(bool_or(drifted), false)`),
}
type ReaderMarks = RowOf<typeof markColumns>

export async function selectMarks(db: Database, host: Host): Promise<ReaderMarks> {
  const [marks] = await read(db, markColumns, (list) => sql`select ${list} from device where ${isSeenWith(host)}`)
  return marks!
}

/** @param marks new marks, for readers that were seen; null where none was */
export const updateHostSeen = (db: Database, { organizationId, hostId }: Host, state: HostState, marks: Partial<ReaderMarks> | null) =>
  db
    .updateTable('host')
    .set({
      ...state,
      last_seen_at: instant(sql`now()`),
      ...(marks && { ...marks, readers_seen_at: instant(sql`now()`), readers_offline: false }),
    })
    .where('organization_id', '=', organizationId)
    .where('id', '=', hostId)
    .modifyEnd(prepared)
    .execute()
