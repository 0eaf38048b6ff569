import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import type { DeviceColumn } from '@lectern/contract/devices/devices.ts'
import { compareVersions } from '@lectern/contract/firmware/versions.ts'
import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { reader, type TestOrganization } from './makers.ts'
import type { TestServer } from './server.ts'

/** A reader of a test's fleet. Times are relative to now, as readers become offline or due by time alone. */
export interface FleetReader {
  serial: string
  model: DeviceModel
  zone: string | null
  host: string | null
  battery: number | null
  firmware: string | null
  /** Hours since it was seen last. */
  unseen: number
  /** Days until its warranty ends. */
  warranty: number | null
  /** Whether a check-in has found that it runs something else than before. */
  hasDrifted?: boolean
}

/** `groups`: orders readers of one sort key, before their ids. */
export interface StoredReader extends FleetReader {
  id: number
  groups: Partial<Record<DeviceColumn, number>>
}

/**
 * Stores readers as check-ins of long ago would have left them: a host reports them, then time, place and drift are set. Marks that time
 * alone brings are not set. A host has the time of its first reader, and each other reader its own.
 */
export async function insertFleet(
  server: TestServer,
  organization: TestOrganization,
  readers: readonly FleetReader[],
): Promise<StoredReader[]> {
  if (readers.length === 0) return []
  const home = await server.zone(undefined, organization)
  const { checkIn } = await server.host(home)
  const reports = readers.map(({ serial, model, firmware, battery }) =>
    reader(serial, { deviceType: model, firmware, batteryHealth: battery, warrantyUntil: null }),
  )
  const { body, text } = await checkIn(reports)
  if (body.accepted !== readers.length) throw new Error(`A check-in did not take the fleet: ${text}`)
  const { db } = server.app
  await insertPlaces(db, organization, home.key, readers)
  const { rows } = await sql<{ id: number; serial_number: string; zone_id: number; host_id: number; firmware_id: number; own: boolean }>`
    update device d set warranty_until = (now() at time zone 'UTC')::date + r.warranty, zone_id = z.id, host_id = h.id,
      last_seen_at = nullif(now_then.at - make_interval(secs => r.unseen), h.readers_seen_at)
    from unnest(${readers.map(({ serial }) => serial)}::text[], ${readers.map((one) => one.zone)}::text[], ${readers.map((one) => one.host)}::text[],
      ${readers.map(({ warranty }) => warranty)}::int[], ${readers.map(({ unseen }) => unseen * 3600)}::float8[]) as r (serial, zone, host, warranty, unseen)
    cross join (select enrolled_at as at from host where organization_id = ${organization.key} limit 1) now_then
    left join zone z on z.organization_id = ${organization.key} and lower(z.name) = lower(r.zone)
    left join host h on h.organization_id = ${organization.key} and h.name = r.host and h.agent_version = 'fleet'
    where d.organization_id = ${organization.key} and d.serial_number = r.serial
    returning d.id, d.serial_number, d.zone_id, d.host_id, d.firmware_id, d.last_seen_at is not null as own`.execute(db)
  // A reader that loses its zone has not drifted, but some here have drifted without a zone.
  const drifted = readers.flatMap(({ serial, hasDrifted = false }) => (hasDrifted ? [serial] : []))
  await sql`update device set configuration_drifted = true where organization_id = ${organization.key} and serial_number = any(${drifted}::text[])`.execute(
    db,
  )
  const stored = new Map(rows.map((row) => [row.serial_number, row]))
  return readers.map((one) => {
    const { id, zone_id, host_id, firmware_id, own } = stored.get(one.serial)!
    return { ...one, id, groups: { Location: zone_id, Host: host_id, DeviceFirmwareVersion: firmware_id, LastSeen: own ? 0 : host_id } }
  })
}

/** Makes the zones and hosts that the readers name. Names of zones differ in more than case. All times are from one instant. */
async function insertPlaces(db: Database, { key }: TestOrganization, home: number, readers: readonly FleetReader[]): Promise<void> {
  const zones = new Map(readers.flatMap(({ zone }) => (zone === null ? [] : [[zone.toLowerCase(), zone]])))
  const hosts = new Map(readers.toReversed().flatMap(({ host, unseen }) => (host === null ? [] : [[host, unseen]])))
  await sql`insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${key}::int, name from unnest(${[...zones.values()]}::text[]) name`.execute(
    db,
  )
  await sql`
    insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, readers_seen_at,
      has_low_battery, has_drifted)
    select gen_random_uuid(), ${key}::int, ${home}::int, first.licence_id, name, 'UTC', 'fleet', first.enrolled_at - make_interval(secs => unseen), true, true
    from (select licence_id, enrolled_at from host where organization_id = ${key} limit 1) first,
      unnest(${[...hosts.keys()]}::text[], ${[...hosts.values()].map((unseen) => unseen * 3600)}::float8[]) as r (name, unseen)`.execute(db)
}

const keys: Record<DeviceColumn, (reader: StoredReader, versions: readonly string[]) => string | number | null> = {
  DeviceType: ({ model }) => model,
  DeviceSerialNumber: ({ serial }) => serial,
  Location: ({ zone }) => zone?.toLowerCase() ?? null,
  Host: ({ host }) => host?.toLowerCase() ?? null,
  DeviceFirmwareVersion: ({ firmware }, versions) => firmware && versions.findIndex((one) => compareVersions(one, firmware) === 0),
  LastSeen: ({ unseen }) => -unseen,
  BatteryHealth: ({ battery }) => battery,
}

/**
 * The order of a sort, computed the slow way: readers without a value last in both directions, ties by group and id in the sort's
 * direction.
 */
export function inOrder(readers: readonly StoredReader[], column: DeviceColumn, direction: 'Ascending' | 'Descending'): StoredReader[] {
  const versions = [...new Set(readers.flatMap(({ firmware }) => firmware ?? []))].sort(compareVersions)
  const key = (reader: StoredReader) => keys[column](reader, versions)
  const sign = direction === 'Ascending' ? 1 : -1
  const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0)
  const group = ({ groups }: StoredReader) => groups[column] ?? 0
  return [...readers].sort((a, b) => {
    const [left, right] = [key(a), key(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null) || compare(a.id, b.id)
    return compare(left, right) || compare(group(a), group(b)) || compare(a.id, b.id)
  })
}

/** Whether a day so many days from now is at most three months away. In a shorter month, its last day counts for later ones. */
export function isWithinThreeMonths(days: number): boolean {
  const now = new Date()
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const lastOfMonth = new Date(Date.UTC(year, month + 4, 0)).getUTCDate()
  return Date.UTC(year, month, day + days) <= Date.UTC(year, month + 3, Math.min(day, lastOfMonth))
}

/** What each tile shows, computed the slow way. */
export const tiles = {
  all: { query: {}, shows: () => true },
  offline: { query: { onlyOffline: true }, shows: ({ unseen }: FleetReader) => unseen > 72 },
  battery: { query: { onlyBadBattery: true }, shows: ({ battery }: FleetReader) => battery !== null && battery < 25 },
  warranty: {
    query: { onlyWarrantyExpired: true },
    shows: ({ warranty }: FleetReader) => warranty !== null && isWithinThreeMonths(warranty),
  },
  drifted: { query: { onlyDrifted: true }, shows: ({ hasDrifted = false }: FleetReader) => hasDrifted },
} satisfies Record<string, { query: object; shows: (reader: FleetReader) => boolean }>
