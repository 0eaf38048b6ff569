import type { DeviceColumn, DeviceSort } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Place, Start } from './places.ts'
import type { DeviceRow, Metric } from './sql.ts'

export type Sql = RawBuilder<unknown>
export type PageRow = DeviceRow & { place: Place }

interface Order {
  key: RawBuilder<unknown>
  type: string
  group: RawBuilder<unknown> | null
  nullable: boolean
}

export const orders: Record<DeviceColumn, Order> = {
  DeviceType: { key: sql`d.device_type`, type: 'device_model', group: null, nullable: false },
  DeviceSerialNumber: { key: sql`d.serial_number`, type: 'text', group: null, nullable: false },
  Location: { key: sql`lower(zone.name)`, type: 'text', group: null, nullable: true },
  Host: { key: sql`lower(host.name)`, type: 'text', group: sql`d.host_id`, nullable: true },
  DeviceFirmwareVersion: { key: sql`firmware.version_order`, type: 'text', group: sql`d.firmware_id`, nullable: true },
  LastSeen: {
    key: sql`coalesce(d.last_seen_at, host.readers_seen_at)`,
    type: 'timestamptz',
    group: sql`case when d.last_seen_at is null then d.host_id else 0 end`,
    nullable: false,
  },
  BatteryHealth: { key: sql`d.battery_health`, type: 'real', group: null, nullable: true },
}

export interface Shown {
  organizationId: number
  metric: Metric | undefined
  conditions: readonly RawBuilder<boolean>[]
}

/** Readers in an order. Lists of the same name have the same readers in the same order. */
export interface List {
  name: string
  shown: Shown
  sort: DeviceSort
}

/** Readers' places in the order of when they were seen change with each check-in. */
export const isMoving = (column: DeviceColumn): boolean => column === 'LastSeen'

export interface InOrder {
  column: DeviceColumn
  isDescending: boolean
}

export const beyond = ({ isDescending }: InOrder) => (isDescending ? sql`<` : sql`>`)
export const castKey = ({ column }: InOrder, { key }: Place) => sql`${key}::${sql.raw(orders[column].type)}`
export const isNew = ({ seen }: Start): RawBuilder<boolean>[] => (seen.length === 0 ? [] : [sql`d.id <> all(${seen}::bigint[])`])

export function isAfterAny(reading: InOrder, start: Start): RawBuilder<boolean>[] {
  const { key, group } = orders[reading.column]
  const grp = group ? sql`coalesce(${group}, 0)` : sql`0`
  const { place } = start
  if (!place) return isNew(start)
  const inGroup = sql`(${grp}, d.id) ${beyond(reading)} (${place.grp}::int, ${place.id}::bigint)`
  if (place.key === null) return [sql`${key} is null and ${inGroup}`, ...isNew(start)]
  const there = castKey(reading, place)
  return [sql`(${key} is null or ${key} ${beyond(reading)} ${there} or (${key} = ${there} and ${inGroup}))`, ...isNew(start)]
}
