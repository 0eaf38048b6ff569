import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/person-name.ts'
import { instant, integer, orNull, type RowOf, read, text } from '../lib/database/rows.ts'

export interface RolloutIds {
  organizationId: number
  id: string
}

const columns = {
  id: text(sql`r.id`),
  published_at: instant(sql`r.published_at`),
  published_by: personName('u'),
  rolls_back: orNull(text(sql`r.rolls_back`)),
  rolled_back_by: orNull(
    text(sql`select b.id from rollout b where b.organization_id = r.organization_id and b.rolls_back = r.id order by b.id desc limit 1`),
  ),
}
export type RolloutRow = RowOf<typeof columns>

export const selectRollouts = (db: Database, organizationId: number, page: { offset: number; size: number }): Promise<RolloutRow[]> =>
  read(
    db,
    columns,
    (list) => sql`
      select ${list} from (
        select * from rollout where organization_id = ${organizationId} order by published_at desc, id desc offset ${page.offset} limit ${page.size}
      ) r left join "user" u on u.id = r.published_by order by r.published_at desc, r.id desc`,
  )

export async function countRollouts(db: Database, organizationId: number): Promise<number> {
  const count = db.selectFrom('rollout').select(integer(sql`count(*)`).as('count')).where('organization_id', '=', organizationId)
  return (await count.executeTakeFirstOrThrow()).count
}

const limitColumns = {
  above_percent: orNull(integer(sql`r.halt_above_percent`)),
  stop_time: orNull(text(sql`r.stop_time`)),
  later_percent: orNull(integer(sql`o.halt_above_percent`)),
  later_stop_time: orNull(text(sql`o.stop_time`)),
}

export async function selectRollout(db: Database, organizationId: number, id: string) {
  const [row] = await read(
    db,
    { ...columns, ...limitColumns },
    (list) => sql`
      select ${list} from rollout r join organization o on o.id = r.organization_id left join "user" u on u.id = r.published_by
      where r.id = ${id} and r.organization_id = ${organizationId}`,
  )
  return row
}

export const lockZones = (db: Database, organizationId: number, rolloutId: string) =>
  db
    .selectFrom('zone')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where(
      'id',
      'in',
      db
        .selectFrom('publication')
        .select('zone_id')
        .where('organization_id', '=', organizationId)
        .where('rollout_id', '=', rolloutId)
        .$castTo<{ zone_id: number }>(),
    )
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
