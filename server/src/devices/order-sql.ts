import type { DeviceColumn, DeviceSort } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { ListName, Place, Start } from '../lib/database/places.ts'
import { json } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import type { Metric, Named } from './sql.ts'

export type Sql = RawBuilder<unknown>

interface Order {
  key: Sql
  type: string
  /** Readers of one key are ordered by this, then by id; 0 where there is nothing to order them by. */
  grp: Sql
  nullable: boolean
  /** No two readers of an organization have the same key. */
  isUnique?: true
  /** The names that `key` reads columns of. */
  names: readonly Named[]
  /** Check-ins change the order all the time. */
  isMoving?: true
}

const alone = sql`0::int`

export const orders: Record<DeviceColumn, Order> = {
  DeviceType: { key: sql`d.device_type`, type: 'device_model', grp: alone, nullable: false, names: [] },
  DeviceSerialNumber: { key: sql`d.serial_number`, type: 'text', grp: alone, nullable: false, isUnique: true, names: [] },
  Location: { key: sql`lower(zone.name)`, type: 'text', grp: alone, nullable: true, names: ['zone'] },
  Host: { key: sql`lower(host.name)`, type: 'text', grp: sql`coalesce(d.host_id, 0)`, nullable: true, names: ['host'] },
  DeviceFirmwareVersion: {
    key: sql`firmware.version_sort`,
    type: 'text',
    grp: sql`coalesce(d.firmware_id, 0)`,
    nullable: true,
    names: ['firmware'],
  },
  LastSeen: {
    key: sql`coalesce(d.last_seen_at, host.readers_seen_at)`,
    type: 'timestamptz',
    grp: sql`case when d.last_seen_at is null then d.host_id else 0 end`,
    nullable: false,
    names: ['host'],
    isMoving: true,
  },
  BatteryHealth: { key: sql`d.battery_health`, type: 'real', grp: alone, nullable: true, names: [] },
}

/** SQL: the place of reader `d` in its order. */
export const place = json<Place>(sql`json_build_object('key', d.key::text, 'grp', d.grp, 'id', d.id::text)`)

/** `conditions` include those of the scope's zones. `words`: what is searched for. */
export interface Shown extends ZoneScope {
  metric: Metric | undefined
  conditions: readonly RawBuilder<boolean>[]
  words: readonly RawBuilder<boolean>[]
}

export const toShown = ({ organizationId, zones }: ZoneScope, metric: Metric | undefined): Shown => ({
  organizationId,
  zones,
  metric,
  conditions: zones === null ? [] : [isInZones({ zones }, sql`d.zone_id`)],
  words: [],
})

export const isShown = (
  { organizationId, metric, conditions, words }: Shown,
  ...more: readonly RawBuilder<boolean>[]
): RawBuilder<boolean> =>
  sql.join(
    [
      sql<boolean>`d.organization_id = ${organizationId}`,
      ...(metric === undefined ? [] : [sql<boolean>`${sql.ref(`d.${metric}`)}`]),
      ...more,
      ...conditions,
      ...words,
    ],
    sql` and `,
  )

/** A list of readers in an order. Two lists of one name have the same readers in the same order. */
export interface List {
  name: ListName
  shown: Shown
  sort: DeviceSort
}

export interface Reading {
  shown: Shown
  column: DeviceColumn
  isDescending: boolean
  isBackwards: boolean
  start: Start | undefined
  /** Undefined where all are read. */
  limit: number | undefined
  /** Whether connections keep its plan, for all organizations. */
  isKept: boolean
  picked: Sql
}
