import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import type { DeviceColumn } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { sql } from 'kysely'
import { reader, type TestOrganization } from './makers.ts'
import type { TestServer } from './server.ts'

/** A reader as tests think of it; times are relative to now, as it becomes offline or due by time alone. */
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
  /** Whether a check-in has found that it runs something else than it had. */
  hasDrifted?: boolean
}

export interface StoredReader extends FleetReader {
  id: string
}

/**
 * Puts readers on the books as check-ins of long ago would have left them: a host reports them, then time, place and drift are set.
 * Nothing that time alone brings is marked.
 */
export async function insertFleet(
  { app, zone, host }: TestServer,
  organization: TestOrganization,
  readers: readonly FleetReader[],
): Promise<StoredReader[]> {
  if (readers.length === 0) return []
  const { checkIn } = await host(await zone(undefined, organization))
  const reports = readers.map(({ serial, model, firmware, battery }) =>
    reader(serial, { deviceType: model, firmware, batteryHealth: battery, warrantyUntil: null }),
  )
  const { body, text } = await checkIn(reports)
  if (body.accepted !== readers.length) throw new Error(`A check-in did not take the fleet: ${text}`)
  const { rows } = await sql<{ id: string; serial_number: string }>`
    with placed as (
      update device d set zone_name = r.zone, host_name = r.host, configuration_drifted = r.drifted,
        warranty_until = (now() at time zone 'UTC')::date + r.warranty
      from unnest(${readers.map(({ serial }) => serial)}::text[], ${readers.map((one) => one.zone)}::text[], ${readers.map((one) => one.host)}::text[],
        ${readers.map(({ hasDrifted = false }) => hasDrifted)}::boolean[], ${readers.map(({ warranty }) => warranty)}::int[],
        ${readers.map(({ unseen }) => unseen * 3600)}::float8[]) as r (serial, zone, host, drifted, warranty, unseen)
      where d.organization_id = ${organization.id} and d.serial_number = r.serial
      returning d.id, d.serial_number, r.unseen
    )
    update device_state s set last_seen_at = now() - make_interval(secs => p.unseen) from placed p where s.device_id = p.id
    returning p.id, p.serial_number`.execute(app.db)
  const ids = new Map(rows.map(({ id, serial_number }) => [serial_number, id]))
  return readers.map((one) => ({ ...one, id: ids.get(one.serial)! }))
}

const keys: Record<DeviceColumn, (reader: StoredReader) => string | number | null> = {
  DeviceType: ({ model }) => model,
  DeviceSerialNumber: ({ serial }) => serial,
  Location: ({ zone }) => zone?.toLowerCase() ?? null,
  Host: ({ host }) => host?.toLowerCase() ?? null,
  DeviceFirmwareVersion: ({ firmware }) => firmware && versionOrder(firmware),
  LastSeen: ({ unseen }) => -unseen,
  BatteryHealth: ({ battery }) => battery,
}

/** The order of a sort, worked out the slow way: without a value last in both directions, ties by id in the direction. */
export function inOrder(readers: readonly StoredReader[], column: DeviceColumn, direction: 'Ascending' | 'Descending'): StoredReader[] {
  const key = keys[column]
  const sign = direction === 'Ascending' ? 1 : -1
  const compare = (a: string | number, b: string | number) => (a < b ? -sign : a > b ? sign : 0)
  return [...readers].sort((a, b) => {
    const [left, right] = [key(a), key(b)]
    if (left === null || right === null) return Number(left === null) - Number(right === null) || compare(a.id, b.id)
    return compare(left, right) || compare(a.id, b.id)
  })
}

/** Whether a day so many days from now is at most three months away; of a longer month's last days, the shorter's last. */
export function isWithinThreeMonths(days: number): boolean {
  const now = new Date()
  const [year, month, day] = [now.getUTCFullYear(), now.getUTCMonth(), now.getUTCDate()]
  const lastOfMonth = new Date(Date.UTC(year, month + 4, 0)).getUTCDate()
  return Date.UTC(year, month, day + days) <= Date.UTC(year, month + 3, Math.min(day, lastOfMonth))
}

/** What each tile shows, worked out the slow way. */
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
