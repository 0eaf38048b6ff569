import type { DeviceSort } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { isOffline } from '../lib/database/offline.ts'
import { isAfterAny, isMoving, type List, orders, type PageRow, type Shown, type Sql } from './order-sql.ts'
import { findPageStart, type Range, rememberPage } from './places.ts'
import { columns, type DeviceRow, joinNames, type Metric } from './sql.ts'
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

export async function countFound(db: Database, shown: Shown): Promise<number> {
  const host =
    shown.metric === 'offline' ? sql`left join host on host.organization_id = ${shown.organizationId} and host.id = d.host_id` : sql``
  const { rows } = await sql<{ count: number }>`select count(*)::int as count from device d ${host} where ${isFound(shown)}`.execute(db)
  return rows[0]?.count ?? 0
}

function writeOrderOfFound({ ColumnName, Direction }: DeviceSort): Sql {
  const { key, group, nullable } = orders[ColumnName]
  const direction = Direction === 'Descending' ? sql`desc` : sql`asc`
  return sql`${nullable ? sql`(${key} is null), ` : sql``}${key} ${direction}, ${group ? sql`${group} ${direction}, ` : sql``}d.id ${direction}`
}

/** In the order of `selectPage`. Finds them all, and sorts them. */
export const queryFound = (shown: Shown, sort: DeviceSort): RawBuilder<DeviceRow> =>
  sql<DeviceRow>`select ${columns} from device d ${joinNames(shown.organizationId)} where ${isFound(shown)} order by ${writeOrderOfFound(sort)}`

/** The same as `selectPage`, where few are found. */
export async function selectFoundPage(db: Database, list: List, page: Range): Promise<DeviceRow[]> {
  const { shown, sort } = list
  const { offset, size } = page
  const start = findPageStart(db, list.name, offset, isMoving(sort.ColumnName))
  const { key, group } = orders[sort.ColumnName]
  const after = start ? isAfterAny({ column: sort.ColumnName, isDescending: sort.Direction === 'Descending' }, start) : []
  const { rows } = await sql<PageRow>`
    select ${columns}, json_build_object('key', (${key})::text, 'grp', coalesce(${group ?? sql`0`}, 0), 'id', d.id::text) as place
    from device d ${joinNames(shown.organizationId)} where ${isFound({ ...shown, conditions: [...shown.conditions, ...after] })}
    order by ${writeOrderOfFound(sort)} limit ${sql.lit(size)} offset ${sql.lit(offset - (start?.offset ?? 0))}`.execute(db)
  return rememberPage(db, list.name, page, rows)
}
