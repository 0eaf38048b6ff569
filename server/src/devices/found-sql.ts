import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { rememberPage } from '../lib/database/places.ts'
import { hashing } from '../lib/database/planning.ts'
import { integer, read } from '../lib/database/rows.ts'
import { type List, orders, place, type Shown } from './order-sql.ts'
import { columns, type DeviceRow, joinNames, joinNamesOfPage, type Metric, rowColumns } from './sql.ts'
import { isWarrantyDue } from './standing-sql.ts'

const isOfTile: Record<Metric, RawBuilder<boolean>> = {
  low_battery: sql`d.low_battery`,
  drifted: sql`d.drifted`,
  offline: sql`(d.offline or ${isOffline(sql`coalesce(d.last_seen_at, host.readers_seen_at)`)})`,
  warranty_due: sql`(d.warranty_due or ${isWarrantyDue(sql`d.warranty_until`)})`,
}

const isFound = ({ organizationId, metric, conditions, words }: Shown): RawBuilder<boolean> =>
  sql.join(
    [sql<boolean>`d.organization_id = ${organizationId}`, ...(metric === undefined ? [] : [isOfTile[metric]]), ...conditions, ...words],
    sql` and `,
  )

// SQL: what `isFound` needs besides readers `d`.
const joinHost = ({ organizationId, metric }: Shown) =>
  metric === 'offline' ? sql`left join host on host.organization_id = ${organizationId} and host.id = d.host_id` : sql``

/**
 * @param most where the count stops
 * @param among how many readers are looked at; undefined: all
 */
export async function countFound(db: Database, shown: Shown, most: number, among?: number): Promise<number> {
  const { organizationId } = shown
  const limit = most === Number.POSITIVE_INFINITY ? sql`all` : sql.lit(most)
  // In the order in which they are stored: each page of the table is read once.
  const readers =
    among === undefined
      ? sql`device`
      : sql`(select * from device where organization_id = ${organizationId} order by organization_id, id limit ${sql.lit(among)})`
  const [row] = await read(
    db,
    { count: integer(sql`count(*)`) },
    (list) => sql`select ${list} from (select from ${readers} d ${joinHost(shown)} where ${isFound(shown)} limit ${limit}) found`,
  )
  return row?.count ?? 0
}

/** SQL: all that are found, with their names, in the order of `selectPage`. */
export function fromFound({ shown, sort: { ColumnName, Direction } }: Pick<List, 'shown' | 'sort'>): RawBuilder<unknown> {
  const { key, grp, nullable } = orders[ColumnName]
  const direction = Direction === 'Descending' ? sql`desc` : sql`asc`
  return sql`device d ${joinNames(shown.organizationId)} where ${isFound(shown)}
    order by ${nullable ? sql`(${key} is null), ` : sql``}${key} ${direction}, ${grp} ${direction}, d.id ${direction}`
}

/** Reads the first page and the count in one search. Returns undefined where more than `most` are found. */
export async function selectFew(
  db: Database,
  { name, shown, sort: { ColumnName, Direction } }: List,
  { size, most }: { size: number; most: number },
): Promise<{ rows: DeviceRow[]; total: number } | undefined> {
  const { organizationId } = shown
  const { key, grp, nullable, names } = orders[ColumnName]
  const direction = Direction === 'Descending' ? sql`desc` : sql`asc`
  const order = sql`${nullable ? sql`(d.key is null), ` : sql``}d.key ${direction}, d.grp ${direction}, d.id ${direction}`
  const few = sql`select ${rowColumns} from device d ${joinHost(shown)} where ${isFound(shown)} limit ${sql.lit(most + 1)}`
  const named = sql`
    select ${rowColumns}, ${key} as key, ${grp} as grp, count(*) over () as total from few d ${joinNamesOfPage(organizationId, sql`few`, names)}`
  const rows = await read(
    db,
    { ...columns, place, total: integer(sql`d.total`) },
    (list) => sql`
      with few as materialized (${few}), page as materialized (select * from (${named}) d order by ${order} limit ${sql.lit(size)})
      select ${list} from page d ${joinNamesOfPage(organizationId, sql`page`)} order by ${order} ${hashing}`,
  )
  const total = rows[0]?.total ?? 0
  return total > most ? undefined : { rows: rememberPage(db, name, { offset: 0, size }, rows), total }
}
