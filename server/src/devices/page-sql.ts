import type { DeviceColumn, DeviceSort } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { columns, type DeviceRow, joinNames, type Metric, rowColumns, type Totals } from './sql.ts'
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
  isUnique?: boolean
}

const orders: Record<DeviceColumn, Order> = {
  DeviceType: { key: sql`d.device_type`, group: null, nullable: false },
  DeviceSerialNumber: { key: sql`d.serial_number`, group: null, nullable: false },
  Location: { key: sql`lower(zone.name)`, group: null, nullable: true },
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
  Location: { table: sql`zone`, key: sql`lower(name)`, reference: sql`d.zone_id`, isUnique: true },
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
  // What a page passes over is read from an index alone; of the first page, rows are read where the index points.
  const reading = { shown, direction, limit: sql.lit(skip + size), picked: skip === 0 ? rowColumns : sql`d.id` }
  const branches = [...readInOrder(reading, sort.ColumnName), ...readUnmarked(reading, orders[sort.ColumnName], page.unmarked)]
  // Missing values last; read from the other end they come first.
  const missing = nullable ? sql`(d.key is null) ${backwards ? sql`desc` : sql`asc`}, ` : sql``
  const order = sql`${missing}d.key ${direction}, d.grp ${direction}, d.id ${direction}`
  const found = sql`select * from (${sql.join(branches, sql` union all `)}) d order by ${order} limit ${sql.lit(size)} offset ${sql.lit(skip)}`
  const { organizationId } = shown
  const whole =
    skip === 0
      ? found
      : sql`select ${rowColumns}, found.key, found.grp from (${found}) found join device d on d.organization_id = ${organizationId} and d.id = found.id`
  const { rows } = await sql<DeviceRow>`
    with page as materialized (${whole}) select ${columns} from page d ${joinNames(organizationId, sql`page`)} order by ${order}`.execute(
    db,
  )
  return backwards ? rows.reverse() : rows
}

type Sql = RawBuilder<unknown>

interface Reading {
  shown: Shown
  direction: Sql
  limit: Sql
  picked: Sql
}

function readInOrder(reading: Reading, column: DeviceColumn): Sql[] {
  const { shown, direction, limit, picked } = reading
  const { key, nullable } = orders[column]
  const grouped = groups[column]
  if (column === 'LastSeen' && grouped) {
    const own = sql<boolean>`d.last_seen_at is not null`
    return [readGroups(reading, grouped, [sql`d.last_seen_at is null`]), readIndex(reading, isShown(shown, own), sql`d.last_seen_at`)]
  }
  if (grouped)
    return [
      readGroups(reading, grouped, []),
      sql`(select ${picked}, null as key, 0 as grp from device d where ${isShown(shown, sql`${grouped.reference} is null`)}
        order by ${grouped.reference} ${direction}, d.id ${direction} limit ${limit})`,
    ]
  if (!nullable) return [readIndex(reading, isShown(shown), key)]
  return [readIndex(reading, isShown(shown, sql`${key} is not null`), key), readIndex(reading, isShown(shown, sql`${key} is null`), key)]
}

/** Hosts without the mark have no reader of the tile that was seen with them. */
const hostMarks: Record<Metric, string> = {
  offline: 'readers_offline',
  low_battery: 'has_low_battery',
  warranty_due: 'has_warranty_due',
  drifted: 'has_drifted',
}

const readIndex = ({ direction, limit, picked }: Reading, condition: Sql, key: Sql): Sql =>
  sql`(select ${picked}, ${key} as key, 0 as grp from device d where ${condition} order by ${key} ${direction}, d.id ${direction} limit ${limit})`

function readGroups(
  { shown, direction, limit, picked }: Reading,
  { table, key, reference, isUnique = false }: Groups,
  more: RawBuilder<boolean>[],
): Sql {
  const hosts = more.length > 0 && shown.metric !== undefined ? sql`and ${sql.ref(hostMarks[shown.metric])}` : sql``
  return sql`(select member.*, g.key, ${isUnique ? sql`0` : sql`g.id`} as grp from (
      select id, ${key} as key from ${table} where organization_id = ${shown.organizationId} and ${key} is not null ${hosts} order by 2 ${direction}${isUnique ? sql`` : sql`, 1 ${direction}`}
    ) g cross join lateral (
      select ${picked} from device d where ${isShown(shown, sql`${reference} = g.id`, ...more)} order by d.id ${direction} limit ${limit}
    ) member order by g.key ${direction}, ${isUnique ? sql`` : sql`g.id ${direction}, `}member.id ${direction} limit ${limit})`
}

function readUnmarked({ shown, picked }: Reading, { key, group }: Order, unmarked: Totals['unmarked']): Sql[] {
  const { organizationId, metric } = shown
  const all = { ...shown, metric: undefined }
  const read = (from: Sql, condition: RawBuilder<boolean>) =>
    sql`(select ${picked}, ${key} as key, ${group ?? sql`0`} as grp from ${from} ${joinNames(organizationId)} where ${isShown(all, condition)})`
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
