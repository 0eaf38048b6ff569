import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { personName } from '../lib/database/person-name.ts'

export interface RolloutIds {
  organizationId: number
  id: string
}

export interface RolloutRow {
  id: string
  published_at: Date
  published_by: string | null
  rolls_back: string | null
  rolled_back_by: string | null
}

const rolloutColumns = sql`r.id, r.published_at, ${personName('u')} as published_by, r.rolls_back,
  (select b.id from rollout b where b.organization_id = r.organization_id and b.rolls_back = r.id order by b.id desc limit 1) as rolled_back_by`

export async function selectRollouts(db: Database, organizationId: number, page: { offset: number; size: number }): Promise<RolloutRow[]> {
  const { rows } = await sql<RolloutRow>`
    select ${rolloutColumns} from (
      select * from rollout where organization_id = ${organizationId} order by published_at desc, id desc offset ${page.offset} limit ${page.size}
    ) r left join "user" u on u.id = r.published_by order by r.published_at desc, r.id desc`.execute(db)
  return rows
}

export async function countRollouts(db: Database, organizationId: number): Promise<number> {
  const count = db.selectFrom('rollout').select(sql<number>`count(*)`.as('count')).where('organization_id', '=', organizationId)
  return (await count.executeTakeFirstOrThrow()).count
}

interface LimitRow {
  above_percent: number | null
  stop_time: string | null
  later_percent: number | null
  later_stop_time: string | null
}

export async function selectRollout(db: Database, organizationId: number, id: string): Promise<(RolloutRow & LimitRow) | undefined> {
  const { rows } = await sql<RolloutRow & LimitRow>`
    select ${rolloutColumns}, r.halt_above_percent as above_percent, r.stop_time, o.halt_above_percent as later_percent, o.stop_time as later_stop_time
    from rollout r join organization o on o.id = r.organization_id left join "user" u on u.id = r.published_by
    where r.id = ${id} and r.organization_id = ${organizationId}`.execute(db)
  return rows[0]
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
