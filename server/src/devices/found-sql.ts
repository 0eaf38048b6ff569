import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { integer, read } from '../lib/database/rows.ts'
import { type List, orders, type Shown } from './order-sql.ts'
import { joinNames, type Metric } from './sql.ts'
import { isWarrantyDue } from './standing-sql.ts'

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

export async function countFound(db: Database, shown: Shown, most = Number.POSITIVE_INFINITY): Promise<number> {
  const host =
    shown.metric === 'offline' ? sql`left join host on host.organization_id = ${shown.organizationId} and host.id = d.host_id` : sql``
  const limit = most === Number.POSITIVE_INFINITY ? sql`all` : sql.lit(most)
  const found = sql`select from device d ${host} where ${isFound(shown)} limit ${limit}`
  const [row] = await read(db, { count: integer(sql`count(*)`) }, (list) => sql`select ${list} from (${found}) found`)
  return row?.count ?? 0
}

/** All that are found, with their names, in the order of `selectPage`. */
export function fromFound(
  { shown, sort: { ColumnName, Direction } }: Pick<List, 'shown' | 'sort'>,
  names = joinNames(shown.organizationId),
): RawBuilder<unknown> {
  const { key, grp, nullable } = orders[ColumnName]
  const direction = Direction === 'Descending' ? sql`desc` : sql`asc`
  return sql`device d ${names} where ${isFound(shown)}
    order by ${nullable ? sql`(${key} is null), ` : sql``}${key} ${direction}, ${grp} ${direction}, d.id ${direction}`
}
