import type { DeviceColumn, DeviceSort } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { columns, type DeviceRow, joinNames, type Metric, type Totals } from './sql.ts'
import { isWarrantyDue } from './standing-sql.ts'

interface Order {
  key: RawBuilder<unknown>
  group: RawBuilder<unknown> | null
  nullable: boolean
}

interface Groups {
  table: RawBuilder<unknown>
  key: RawBuilder<unknown>
  reference: RawBuilder<unknown>
}

const orders: Record<DeviceColumn, Order> = {
  DeviceType: { key: sql`d.device_type`, group: null, nullable: false },
  DeviceSerialNumber: { key: sql`d.serial_number`, group: null, nullable: false },
  Location: { key: sql`lower(zone.name)`, group: sql`d.zone_id`, nullable: true },
  Host: { key: sql`lower(host.name)`, group: sql`d.host_id`, nullable: true },
  DeviceFirmwareVersion: { key: sql`firmware.version_order`, group: sql`d.firmware_id`, nullable: true },
  LastSeen: {
    key: sql`coalesce(d.last_seen_at, host.readers_seen_at)`,
    group: sql`case when d.last_seen_at is null then d.host_id else 0 end`,
    nullable: false,
  },
  BatteryHealth: { key: sql`d.battery_health`, group: null, nullable: true },
}

const groups: Partial<Record<DeviceColumn, Groups>> = {
  Location: { table: sql`zone`, key: sql`lower(name)`, reference: sql`d.zone_id` },
  Host: { table: sql`host`, key: sql`lower(name)`, reference: sql`d.host_id` },
  DeviceFirmwareVersion: { table: sql`reported_firmware`, key: sql`version_order`, reference: sql`d.firmware_id` },
  LastSeen: { table: sql`host`, key: sql`readers_seen_at`, reference: sql`d.host_id` },
}

export interface Shown {
  organizationId: number
  metric: Metric | undefined
  conditions: readonly RawBuilder<boolean>[]
}

const isShown = ({ organizationId, metric, conditions }: Shown, ...more: readonly RawBuilder<boolean>[]): RawBuilder<boolean> =>
  sql.join(
    [
      sql<boolean>`d.organization_id = ${organizationId}`,
      ...(metric === undefined ? [] : [sql<boolean>`${sql.ref(`d.${metric}`)}`]),
      ...more,
      ...conditions,
    ],
    sql` and `,
  )

interface Page {
  offset: number
  size: number
  total: number
  unmarked: Totals['unmarked']
}

/**
 * A page, readers without a value last in both directions. It reads indexes of exactly the tile's readers in the order of the sort, from the
 * nearer end.
 */
export async function selectPage(db: Database, shown: Shown, sort: DeviceSort, page: Page): Promise<DeviceRow[]> {
  const size = Math.min(page.size, page.total - page.offset)
  if (size <= 0) return []
  const fromEnd = page.total - page.offset - size
  const backwards = fromEnd < page.offset
  const skip = backwards ? fromEnd : page.offset
  const direction = (sort.Direction === 'Descending') !== backwards ? sql`desc` : sql`asc`
  const { nullable } = orders[sort.ColumnName]
  const branches = [
    ...readInOrder(shown, sort.ColumnName, direction, sql.lit(skip + size)),
    ...readUnmarked(shown, orders[sort.ColumnName], page.unmarked),
  ]
  // Missing values last; read from the other end they come first.
  const missing = nullable ? sql`(page.key is null) ${backwards ? sql`desc` : sql`asc`}, ` : sql``
  const order = sql`${missing}page.key ${direction}, page.grp ${direction}, page.id ${direction}`
  const { rows } = await sql<DeviceRow>`
    select ${columns} from (
      select id, key, grp from (${sql.join(branches, sql` union all `)}) page order by ${order} limit ${sql.lit(size)} offset ${sql.lit(skip)}
    ) page join device d on d.organization_id = ${shown.organizationId} and d.id = page.id ${joinNames(shown.organizationId)}
    order by ${order}`.execute(db)
  return backwards ? rows.reverse() : rows
}

type Sql = RawBuilder<unknown>

function readInOrder(shown: Shown, column: DeviceColumn, direction: Sql, limit: Sql): Sql[] {
  const { key, nullable } = orders[column]
  const grouped = groups[column]
  if (column === 'LastSeen' && grouped) {
    const own = sql<boolean>`d.last_seen_at is not null`
    return [
      readGroups(shown, grouped, direction, limit, [sql`d.last_seen_at is null`]),
      readIndex(isShown(shown, own), sql`d.last_seen_at`, direction, limit),
    ]
  }
  if (grouped)
    return [
      readGroups(shown, grouped, direction, limit, []),
      sql`(select d.id, null as key, null::int as grp from device d where ${isShown(shown, sql`${grouped.reference} is null`)}
        order by ${grouped.reference} ${direction}, d.id ${direction} limit ${limit})`,
    ]
  if (!nullable) return [readIndex(isShown(shown), key, direction, limit)]
  return [
    readIndex(isShown(shown, sql`${key} is not null`), key, direction, limit),
    readIndex(isShown(shown, sql`${key} is null`), key, direction, limit),
  ]
}

/** Hosts without the mark have no reader of the tile that was seen with them. */
const hostMarks: Record<Metric, string> = {
  offline: 'readers_offline',
  low_battery: 'has_low_battery',
  warranty_due: 'has_warranty_due',
  drifted: 'has_drifted',
}

const readIndex = (condition: Sql, key: Sql, direction: Sql, limit: Sql): Sql =>
  sql`(select d.id, ${key} as key, 0 as grp from device d where ${condition} order by ${key} ${direction}, d.id ${direction} limit ${limit})`

function readGroups(shown: Shown, { table, key, reference }: Groups, direction: Sql, limit: Sql, more: RawBuilder<boolean>[]): Sql {
  const hosts = more.length > 0 && shown.metric !== undefined ? sql`and ${sql.ref(hostMarks[shown.metric])}` : sql``
  return sql`(select member.id, g.key, g.id as grp from (
      select id, ${key} as key from ${table} where organization_id = ${shown.organizationId} and ${key} is not null ${hosts} order by 2 ${direction}, 1 ${direction}
    ) g cross join lateral (
      select d.id from device d where ${isShown(shown, sql`${reference} = g.id`, ...more)} order by d.id ${direction} limit ${limit}
    ) member order by g.key ${direction}, g.id ${direction}, member.id ${direction} limit ${limit})`
}

function readUnmarked(shown: Shown, { key, group }: Order, unmarked: Totals['unmarked']): Sql[] {
  const { organizationId, metric } = shown
  const all = { ...shown, metric: undefined }
  const read = (from: Sql, condition: RawBuilder<boolean>) =>
    sql`(select d.id, ${key} as key, ${group ?? sql`0`} as grp from ${from} ${joinNames(organizationId)} where ${isShown(all, condition)})`
  if (metric === 'offline' && unmarked.offline > 0)
    return [
      read(sql`device d`, sql`d.last_seen_at is not null and not d.offline and ${isOffline(sql`d.last_seen_at`)}`),
      read(
        sql`host late join device d on d.organization_id = ${organizationId} and d.host_id = late.id`,
        sql`late.organization_id = ${organizationId} and not late.readers_offline and ${isOffline(sql`late.readers_seen_at`)}
          and d.last_seen_at is null and not d.offline`,
      ),
    ]
  if (metric === 'warranty_due' && unmarked.warranty_due > 0)
    return [read(sql`device d`, sql`not d.warranty_due and ${isWarrantyDue(sql`d.warranty_until`)}`)]
  return []
}

const isOfTile: Record<Metric, RawBuilder<boolean>> = {
  low_battery: sql`d.low_battery`,
  drifted: sql`d.drifted`,
  offline: sql`(d.offline or ${isOffline(sql`coalesce(d.last_seen_at, host.readers_seen_at)`)})`,
  warranty_due: sql`(d.warranty_due or ${isWarrantyDue(sql`d.warranty_until`)})`,
}

const isFound = ({ organizationId, metric, conditions }: Shown): RawBuilder<boolean> =>
  sql.join(
    [sql<boolean>`d.organization_id = ${organizationId}`, ...(metric === undefined ? [] : [isOfTile[metric]]), ...conditions],
    sql` and `,
  )

export async function countFound(db: Database, shown: Shown): Promise<number> {
  const host =
    shown.metric === 'offline' ? sql`left join host on host.organization_id = ${shown.organizationId} and host.id = d.host_id` : sql``
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device d ${host} where ${isFound(shown)}`.execute(db)
  return rows[0]?.count ?? 0
}

/** In the order of `selectPage`. Finds them all, and sorts them. */
export function queryFound(shown: Shown, sort: DeviceSort, page?: { offset: number; size: number }): RawBuilder<DeviceRow> {
  const { key, group, nullable } = orders[sort.ColumnName]
  const direction = sort.Direction === 'Descending' ? sql`desc` : sql`asc`
  return sql<DeviceRow>`
    select ${columns} from device d ${joinNames(shown.organizationId)} where ${isFound(shown)}
    order by ${nullable ? sql`(${key} is null), ` : sql``}${key} ${direction}, ${group ? sql`${group} ${direction}, ` : sql``}d.id ${direction}
    ${page ? sql`limit ${sql.lit(page.size)} offset ${sql.lit(page.offset)}` : sql``}`
}
