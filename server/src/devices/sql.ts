import type { DeviceFilter } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { foldCounts } from '../lib/database/fold.ts'
import { isOffline } from '../lib/database/offline.ts'
import { prepared } from '../lib/database/prepared.ts'
import { boolean, day, instant, integer, orNull, type RowOf, read, real, text } from '../lib/database/rows.ts'
import { isInZones, type ZoneScope } from '../lib/database/zone-scope.ts'
import { isWarrantyDue } from './standing-sql.ts'

export type Metric = 'offline' | 'low_battery' | 'warranty_due' | 'drifted'

export function findMetric(filter: DeviceFilter): Metric | undefined {
  if (filter.onlyOffline) return 'offline'
  if (filter.onlyBadBattery) return 'low_battery'
  if (filter.onlyWarrantyExpired) return 'warranty_due'
  return filter.onlyDrifted ? 'drifted' : undefined
}

export const ownColumns = {
  device_type: text(sql`d.device_type`),
  serial_number: text(sql`d.serial_number`),
  host_name: orNull(text(sql`host.name`)),
  warranty_until: orNull(day(sql`d.warranty_until`)),
  battery_health: orNull(real(sql`d.battery_health`)),
  last_seen_at: instant(sql`coalesce(d.last_seen_at, host.readers_seen_at)`),
  last_updated_at: instant(sql`d.last_updated_at`),
  drifted: boolean(sql`d.drifted`),
  simulated: boolean(sql`d.simulated`),
}
export const columns = {
  ...ownColumns,
  zone_name: orNull(text(sql`zone.name`)),
  current_config: orNull(text(sql`configuration.label`)),
  current_firmware: orNull(text(sql`firmware.version`)),
}
export type DeviceRow = RowOf<typeof columns>

export const rowColumns = sql`d.id, d.device_type, d.serial_number, d.zone_id, d.host_id, d.firmware_id, d.configuration_id, d.warranty_until, d.battery_health,
  d.last_seen_at, d.last_updated_at, d.drifted, d.simulated`

const named = {
  zone: ['zone', 'zone_id', 'name'],
  host: ['host', 'host_id', 'name, readers_seen_at'],
  firmware: ['reported_firmware', 'firmware_id', 'version, version_sort'],
  configuration: ['reported_configuration', 'configuration_id', 'label'],
} as const
export type Named = keyof typeof named
const allNames: readonly Named[] = ['zone', 'host', 'firmware', 'configuration']

/** SQL: joins names to any number of readers `d`. */
export const joinNames = (organizationId: number): RawBuilder<unknown> =>
  sql.join(
    allNames.map((alias) => {
      const [table, reference] = named[alias]
      const [of, id] = [sql.ref(`${alias}.organization_id`), sql.ref(`${alias}.id`)]
      return sql`left join ${sql.table(table)} ${sql.ref(alias)} on ${of} = ${organizationId} and ${id} = ${sql.ref(`d.${reference}`)}`
    }),
    sql` `,
  )

// SQL: finds a row by its key, whatever the planner estimates. A kept plan would read all host PCs of a large organization, as most
// organizations have few.
function findByKey(organizationId: number, alias: Named, id: RawBuilder<unknown>): RawBuilder<unknown> {
  const [table, , shown] = named[alias]
  return sql`lateral (select ${sql.raw(`id, ${shown}`)} from ${sql.table(table)} where organization_id = ${organizationId} and id = ${id} limit 1)`
}

/** SQL: joins names to a few readers `d`, in a plan that is kept. */
export const lookUpNames = (organizationId: number, names: readonly Named[]): RawBuilder<unknown> =>
  sql.join(
    names.map((alias) => {
      const found = findByKey(organizationId, alias, sql.ref(`d.${named[alias][1]}`))
      return sql`left join ${found} ${sql.ref(alias)} on true`
    }),
    sql` `,
  )

/** SQL: joins names to readers `d` of `page`; each name is looked up once. */
export const joinNamesOfPage = (
  organizationId: number,
  page: RawBuilder<unknown>,
  names: readonly Named[] = allNames,
): RawBuilder<unknown> =>
  sql.join(
    names.map((alias) => {
      const reference = named[alias][1]
      const found = findByKey(organizationId, alias, sql`asked.id`)
      return sql`left join (
        with found as materialized (select one.* from (select distinct ${sql.ref(reference)} as id from ${page}) asked cross join ${found} one)
        select * from found) ${sql.ref(alias)} on ${sql.ref(`${alias}.id`)} = ${sql.ref(`d.${reference}`)}`
    }),
    sql` `,
  )

// `is true` keeps the planner off the index of zones: there are fewer unmarked readers than readers in a zone.
const isInZonesToo = (zones: ZoneScope['zones'], zone: RawBuilder<unknown>) => sql`(${isInZones({ zones }, zone)}) is true`

// SQL: how many readers became due by time that the sweep has not marked yet.
const unmarked = {
  offline: ({ organizationId, zones }: ZoneScope) => sql`
    (select count(*) from device
      where organization_id = ${organizationId} and last_seen_at is not null and not offline and ${isOffline(sql`last_seen_at`)}
        and ${isInZonesToo(zones, sql`zone_id`)})
    + (select count(*) from host join device d on d.organization_id = ${organizationId} and d.host_id = host.id
      where host.organization_id = ${organizationId} and not host.readers_offline and ${isOffline(sql`host.readers_seen_at`)}
        and d.last_seen_at is null and not d.offline and ${isInZonesToo(zones, sql`d.zone_id`)})`,
  warranty_due: ({ organizationId, zones }: ZoneScope) => sql`
    (select count(*) from device where organization_id = ${organizationId} and not warranty_due and ${isWarrantyDue(sql`warranty_until`)}
      and ${isInZonesToo(zones, sql`zone_id`)})`,
}

const writeUnmarked = (scope: ZoneScope, metric: Metric | undefined) =>
  metric === 'offline' || metric === 'warranty_due' ? unmarked[metric](scope) : sql`0`

type Tile = 'total' | 'simulated' | Metric
const sum = (tile: Tile) => sql`coalesce(sum(${sql.ref(tile)}), 0)`
const sumWithUnmarked = (scope: ZoneScope, metric: Metric) => integer(sql`${sum(metric)} + ${writeUnmarked(scope, metric)}`)

// For some zones the totals are sums of what is kept for each.
const fromTotals = (scope: ZoneScope) =>
  scope.zones === null
    ? sql`device_total where organization_id = ${scope.organizationId}`
    : sql`device_count where organization_id = ${scope.organizationId} and ${isInZones(scope, sql`zone_id`)}`

/** Of all tiles. Those that became due by time are counted, whether the sweep has marked them or not. */
export async function selectTotals(db: Database, scope: ZoneScope): Promise<Record<'all' | 'simulated' | Metric, number>> {
  const columns = {
    all: integer(sum('total')),
    simulated: integer(sum('simulated')),
    low_battery: integer(sum('low_battery')),
    drifted: integer(sum('drifted')),
    offline: sumWithUnmarked(scope, 'offline'),
    warranty_due: sumWithUnmarked(scope, 'warranty_due'),
  }
  const [row] = await read(db, columns, (list) => sql`select ${list} from ${fromTotals(scope)} ${prepared}`)
  return row!
}

/** `shown`: readers of the tile. `unmarked`: those of them that became due by time and that the sweep has not marked yet. */
export interface TileTotals {
  all: number
  shown: number
  unmarked: number
}

/** Of one tile: it does not look for what became due on the others. */
export async function selectTileTotals(db: Database, scope: ZoneScope, metric: Metric | undefined): Promise<TileTotals> {
  const columns = { all: integer(sum('total')), marked: integer(sum(metric ?? 'total')), unmarked: integer(writeUnmarked(scope, metric)) }
  const [row] = await read(db, columns, (list) => sql`select ${list} from ${fromTotals(scope)} ${prepared}`)
  const { all, marked, unmarked } = row!
  return { all, shown: marked + unmarked, unmarked }
}

const isReported = boolean(sql`(d.last_seen_at is null and host.revoked_at is null and host.id is not null)`)

/** `is_reported`: it was in the last check-in of a host PC that is not removed. */
export async function selectDevice(db: Database, scope: ZoneScope, serialNumber: string, { locks = false } = {}) {
  const { organizationId } = scope
  const [row] = await read(
    db,
    { ...columns, is_reported: isReported },
    (list) => sql`
      select ${list} from device d ${joinNames(organizationId)}
      where d.organization_id = ${organizationId} and d.serial_number = ${serialNumber}
        and ${isInZones(scope, sql`d.zone_id`)} ${locks ? sql`for update of d` : sql``}`,
  )
  return row
}

export const deleteDeviceRow = (db: Database, organizationId: number, serialNumber: string) =>
  db.deleteFrom('device').where('organization_id', '=', organizationId).where('serial_number', '=', serialNumber).execute()

export async function selectModelCounts(
  db: Database,
  scope: ZoneScope,
  model: string,
): Promise<{ readers: number; simulated: number; zones: number }> {
  const counts = {
    readers: integer(sql`coalesce(sum(total), 0)`),
    simulated: integer(sql`coalesce(sum(simulated), 0)`),
    zones: integer(sql`count(*) filter (where total > 0 and zone_id <> 0)`),
  }
  const [row] = await read(
    db,
    counts,
    (list) => sql`
      select ${list} from (
        select zone_id, sum(total) as total, sum(simulated) as simulated from device_count
        where organization_id = ${scope.organizationId} and device_type = ${model} and ${isInZones(scope, sql`zone_id`)} group by zone_id
      ) c`,
  )
  return row!
}

/**
 * Counts from the stored counts.
 * @param order the version as `versionOrder` writes it
 */
export async function countRunning(db: Database, scope: ZoneScope, model: string, order: string): Promise<number> {
  const { organizationId } = scope
  const [row] = await read(
    db,
    { count: integer(sql`coalesce(sum(total), 0)`) },
    (list) => sql`
      select ${list} from firmware_count
      where organization_id = ${organizationId} and device_type = ${model} and ${isInZones(scope, sql`zone_id`)} and firmware_id in (
        select id from reported_firmware where organization_id = ${organizationId} and version_order = ${order})`,
  )
  return row?.count ?? 0
}

/** Stores the last id of this day. Ids that are given after the day's last sweep count for the next day. */
export const upsertLastId = (db: Database) =>
  sql`
    insert into device_id_day as d (day, last_id)
    select (now() at time zone 'UTC')::date, last_id from (select coalesce(pg_sequence_last_value(pg_get_serial_sequence('device', 'id')::regclass), 0) as last_id) s
    where last_id > (select max(last_id) from device_id_day)
    on conflict (day) do update set last_id = excluded.last_id where d.last_id < excluded.last_id`.execute(db)

export async function foldDeviceCounts(db: Database): Promise<void> {
  const tiles = ['total', 'offline', 'low_battery', 'warranty_due', 'drifted', 'simulated']
  await foldCounts(db, { table: 'device_count', keys: ['zone_id', 'device_type'], sums: tiles })
  await foldCounts(db, { table: 'device_total', keys: [], sums: tiles })
  await foldCounts(db, { table: 'firmware_total', keys: ['firmware_id'], sums: tiles.filter((tile) => tile !== 'simulated') })
  await foldCounts(db, { table: 'firmware_count', keys: ['zone_id', 'device_type', 'firmware_id'], sums: ['total'] })
}
