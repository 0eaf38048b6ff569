import type { DeviceColumn, DeviceFilter, DeviceSort } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { containsPattern } from '../lib/like.ts'
import { isWarrantyDue } from './standing-sql.ts'

interface Sort {
  table: 'device' | 'device_state'
  key: RawBuilder<unknown>
  nullable: boolean
}

const sorts: Record<DeviceColumn, Sort> = {
  DeviceType: { table: 'device', key: sql`device_type`, nullable: false },
  DeviceSerialNumber: { table: 'device', key: sql`serial_number`, nullable: false },
  Location: { table: 'device', key: sql`lower(zone_name)`, nullable: true },
  Host: { table: 'device', key: sql`lower(host_name)`, nullable: true },
  DeviceFirmwareVersion: { table: 'device_state', key: sql`device_state.firmware_order`, nullable: true },
  LastSeen: { table: 'device_state', key: sql`last_seen_at`, nullable: false },
  BatteryHealth: { table: 'device_state', key: sql`battery_health`, nullable: true },
}

type Metric = 'offline' | 'low_battery' | 'warranty_due' | 'drifted'

export function findMetric(filter: DeviceFilter): Metric | undefined {
  if (filter.onlyOffline) return 'offline'
  if (filter.onlyBadBattery) return 'low_battery'
  if (filter.onlyWarrantyExpired) return 'warranty_due'
  return filter.onlyDrifted ? 'drifted' : undefined
}

export interface DeviceRow {
  device_type: string
  serial_number: string
  zone_name: string | null
  host_name: string | null
  warranty_until: string | null
  current_config: string | null
  current_firmware: string | null
  battery_health: number | null
  last_seen_at: Date
  last_updated_at: Date
  drifted: boolean
  simulated: boolean
}

const columns = sql`device_type, serial_number, zone_name, host_name, warranty_until, current_config, current_firmware, battery_health, last_seen_at, last_updated_at, device.drifted, device.simulated`

/** `unmarked` counts readers that became due by time and that the sweep has not marked yet; the other figures include them. */
export interface Totals extends Record<'all' | 'simulated' | Metric, number> {
  unmarked: { offline: number; warranty_due: number }
}

export async function selectTotals(db: Database, organizationId: string): Promise<Totals> {
  const { rows } = await sql<Record<'all' | 'simulated' | Metric | 'unmarked_offline' | 'unmarked_warranty', number>>`
    select coalesce(sum(total), 0)::int as all, coalesce(sum(low_battery), 0)::int as low_battery, coalesce(sum(drifted), 0)::int as drifted,
      coalesce(sum(offline), 0)::int as offline, coalesce(sum(warranty_due), 0)::int as warranty_due,
      (select count(*)::int from device where organization_id = ${organizationId} and simulated) as simulated,
      (select count(*)::int from device_state where organization_id = ${organizationId} and not offline and ${isOffline(sql`last_seen_at`)}) as unmarked_offline,
      (select count(*)::int from device where organization_id = ${organizationId} and not warranty_due and ${isWarrantyDue(sql`warranty_until`)}) as unmarked_warranty
    from device_count where organization_id = ${organizationId}`.execute(db)
  const { all, simulated, low_battery, drifted, offline, warranty_due, unmarked_offline, unmarked_warranty } = rows[0]!
  return {
    all,
    simulated,
    low_battery,
    drifted,
    offline: offline + unmarked_offline,
    warranty_due: warranty_due + unmarked_warranty,
    unmarked: { offline: unmarked_offline, warranty_due: unmarked_warranty },
  }
}

interface Page {
  offset: number
  size: number
  totals: Totals
}

/**
 * A page of all readers or of one tile, readers without a value last in both directions. At a million readers it reads an index of exactly
 * the tile's readers in the order of the sort, from the nearer end.
 */
export async function selectPage(
  db: Database,
  organizationId: string,
  metric: Metric | undefined,
  sort: DeviceSort,
  page: Page,
): Promise<DeviceRow[]> {
  const total = page.totals[metric ?? 'all']
  const size = Math.min(page.size, total - page.offset)
  if (size <= 0) return []
  const fromEnd = total - page.offset - size
  const backwards = fromEnd < page.offset
  const skip = backwards ? fromEnd : page.offset
  const { table, key, nullable } = sorts[sort.ColumnName]
  const direction = (sort.Direction === 'Descending') !== backwards ? sql`desc` : sql`asc`
  const id = table === 'device' ? sql`id` : sql`device_id`
  const tile =
    metric === undefined ? sql`organization_id = ${organizationId}` : sql`organization_id = ${organizationId} and ${sql.ref(metric)}`
  const readTile = (condition: RawBuilder<unknown>) =>
    sql`(select ${id} as id, ${key} as key from ${sql.table(table)} where ${tile} and ${condition} order by ${key} ${direction}, ${id} ${direction} limit ${skip + size})`
  const branches = [
    readTile(sql`${key} is not null`),
    ...(nullable ? [readTile(sql`${key} is null`)] : []),
    ...readUnmarked(organizationId, metric, key, page.totals),
  ]
  // Missing values last; read from the other end they come first.
  const missing = backwards ? sql`desc` : sql`asc`
  const order = sql`(key is null) ${missing}, key ${direction}, page.id ${direction}`
  const { rows } = await sql<DeviceRow>`
    select ${columns} from (
      select id, key from (${sql.join(branches, sql` union all `)}) page order by ${order} limit ${size} offset ${skip}
    ) page join device on device.id = page.id join device_state on device_state.device_id = page.id
    order by ${order}`.execute(db)
  return backwards ? rows.reverse() : rows
}

function readUnmarked(
  organizationId: string,
  metric: Metric | undefined,
  key: RawBuilder<unknown>,
  { unmarked }: Totals,
): RawBuilder<unknown>[] {
  if (metric === 'offline' && unmarked.offline > 0)
    return [
      sql`(select device_id as id, ${key} as key from device_state join device on id = device_id
        where device_state.organization_id = ${organizationId} and not device_state.offline and ${isOffline(sql`last_seen_at`)})`,
    ]
  if (metric === 'warranty_due' && unmarked.warranty_due > 0)
    return [
      sql`(select id, ${key} as key from device join device_state on device_id = id
        where device.organization_id = ${organizationId} and not device.warranty_due and ${isWarrantyDue(sql`warranty_until`)})`,
    ]
  return []
}

function matches(organizationId: string, filter: DeviceFilter): RawBuilder<unknown> {
  const words = filter.textFilter.split(/\s+/).filter((word) => word !== '')
  const conditions = words.map((word) => sql`search like lower(${containsPattern(word)})`)
  const metric = findMetric(filter)
  if (metric === 'low_battery' || metric === 'drifted') conditions.push(sql`device.${sql.ref(metric)}`)
  if (metric === 'offline') conditions.push(sql`(device.offline or ${isOffline(sql`last_seen_at`)})`)
  if (metric === 'warranty_due') conditions.push(sql`(device.warranty_due or ${isWarrantyDue(sql`warranty_until`)})`)
  return sql.join([sql`device.organization_id = ${organizationId}`, ...conditions], sql` and `)
}

export async function countMatches(db: Database, organizationId: string, filter: DeviceFilter): Promise<number> {
  const state = findMetric(filter) === 'offline' ? sql`join device_state on device_id = id` : sql``
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from device ${state} where ${matches(organizationId, filter)}`.execute(db)
  return rows[0]?.count ?? 0
}

export function matchQuery(
  organizationId: string,
  filter: DeviceFilter,
  sort: DeviceSort,
  page?: { offset: number; size: number },
): RawBuilder<DeviceRow> {
  const { key } = sorts[sort.ColumnName]
  const direction = sort.Direction === 'Descending' ? sql`desc` : sql`asc`
  return sql<DeviceRow>`
    select ${columns} from device join device_state on device_id = id where ${matches(organizationId, filter)}
    order by (${key} is null), ${key} ${direction}, id ${direction} ${page ? sql`limit ${page.size} offset ${page.offset}` : sql``}`
}

export async function selectDevice(db: Database, organizationId: string, serialNumber: string): Promise<DeviceRow | undefined> {
  const { rows } = await sql<DeviceRow>`
    select ${columns} from device join device_state on device_id = id
    where device.organization_id = ${organizationId} and serial_number = ${serialNumber}`.execute(db)
  return rows[0]
}

export const selectModelCounts = (db: Database, organizationId: string, model: string) =>
  db
    .selectFrom('device_count')
    .select(sql<number>`coalesce(sum(total), 0)::int`.as('readers'))
    .select(sql<number>`(count(*) filter (where total > 0 and zone_id is not null))::int`.as('zones'))
    .where('organization_id', '=', organizationId)
    .where('device_type', '=', model)
    .executeTakeFirstOrThrow()

/** @param order the version as `versionOrder` writes it. From the stored counts. */
export async function countRunning(db: Database, organizationId: string, model: string, order: string): Promise<number> {
  const { count } = await db
    .selectFrom('firmware_count')
    .select(sql<number>`coalesce(sum(total), 0)::int`.as('count'))
    .where('organization_id', '=', organizationId)
    .where('device_type', '=', model)
    .where('firmware_order', '=', order)
    .executeTakeFirstOrThrow()
  return count
}
