import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import type { DeviceColumn } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'

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

/** Puts readers on the books as check-ins of long ago would have left them: nothing that time alone brings is marked. */
export async function insertFleet(db: Database, organizationId: string, readers: readonly FleetReader[]): Promise<StoredReader[]> {
  const stored = readers.map((reader) => ({ ...reader, id: uuidv7() }))
  if (stored.length === 0) return stored
  const isLow = ({ battery }: FleetReader) => battery !== null && battery < 25
  const device = stored.map((reader) => ({
    id: reader.id,
    organization_id: organizationId,
    serial_number: reader.serial,
    device_type: reader.model,
    zone_name: reader.zone,
    host_name: reader.host,
    warranty_until: reader.warranty === null ? null : sql<string>`(now() at time zone 'UTC')::date + ${reader.warranty}::int`,
    low_battery: isLow(reader),
    firmware_order: reader.firmware && versionOrder(reader.firmware),
    configuration_drifted: reader.hasDrifted ?? false,
  }))
  const state = stored.map((reader) => ({
    device_id: reader.id,
    organization_id: organizationId,
    last_seen_at: sql<Date>`now() - make_interval(secs => ${reader.unseen * 3600})`,
    last_updated_at: sql<Date>`now()`,
    battery_health: reader.battery,
    current_firmware: reader.firmware,
    firmware_order: reader.firmware && versionOrder(reader.firmware),
    low_battery: isLow(reader),
    drifted: reader.hasDrifted ?? false,
  }))
  await db.transaction().execute(async (transaction) => {
    await transaction.insertInto('device').values(device).execute()
    await transaction.insertInto('device_state').values(state).execute()
  })
  return stored
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
