import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

/** A zone that a rollout's safety limit halts, and how it stands. */
export interface HaltRow {
  rollout_id: string
  zone_id: string
  failed: number
  readers: number
}

/** The rollouts of publications that have a limit. They are held, so that of two reports the later one sees what both have told. */
export async function lockLimited(db: Database, publications: readonly string[]): Promise<string[]> {
  const rows = await db
    .selectFrom('rollout')
    .select('id')
    .where('halt_above_percent', 'is not', null)
    .where('id', 'in', db.selectFrom('publication').select('rollout_id').where('id', 'in', publications))
    .orderBy('id')
    .forNoKeyUpdate()
    .execute()
  return rows.map(({ id }) => id)
}

/** What may go wrong in a zone before it is halted, in percent of its readers, and the time of day from which on no further reader begins. */
export interface Limits {
  halt_above_percent: number | null
  stop_time: string | null
}

/** A rollout's limits. They are held, so that nobody changes them or halts a zone by them meanwhile. */
export const lockLimits = (db: Database, rolloutId: string): Promise<Limits> =>
  db
    .selectFrom('rollout')
    .select(['halt_above_percent', 'stop_time'])
    .where('id', '=', rolloutId)
    .forNoKeyUpdate()
    .executeTakeFirstOrThrow()

export const updateLimits = (db: Database, rolloutId: string, limits: Limits) =>
  db.updateTable('rollout').set(limits).where('id', '=', rolloutId).execute()

/** What later rollouts of an organization get. Answers whether that is news. */
export async function updateLaterLimits(db: Database, organizationId: string, limits: Limits): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('organization')
    .set(limits)
    .where('id', '=', organizationId)
    .where(({ or, eb }) =>
      or([eb('halt_above_percent', 'is distinct from', limits.halt_above_percent), eb('stop_time', 'is distinct from', limits.stop_time)]),
    )
    .executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

/** Notes the zones in which more readers of what is still wanted failed than the limit lets, each once. Halted by hand, a zone is not halted again. */
export async function insertHalts(
  db: Database,
  rolloutIds: readonly string[],
  { zones, isResumed = false }: { zones?: readonly string[]; isResumed?: boolean } = {},
): Promise<HaltRow[]> {
  const some: RawBuilder<unknown> = zones ? sql`p.zone_id = any(${zones}::uuid[])` : sql`p.zone_id is not null`
  const { rows } = await sql<HaltRow>`
    insert into safety_halt (rollout_id, zone_id, organization_id, above_percent, failed, readers, is_resumed)
    select r.id, z.zone_id, r.organization_id, r.halt_above_percent, z.failed, z.readers, ${isResumed}
    from rollout r cross join lateral (
      select p.zone_id, sum(p.failed) as failed, sum(coalesce(c.total, 0) + p.gone) as readers
      from publication p
      left join device_count c on c.organization_id = p.organization_id and c.zone_id = p.zone_id and c.device_type = p.device_type
      where p.rollout_id = r.id and p.replaced_at is null and ${some}
      group by p.zone_id having bool_or(p.halted_at is null)
    ) z
    where r.id = any(${rolloutIds}::uuid[]) and z.failed * 100 > r.halt_above_percent * z.readers
    order by r.id, z.zone_id
    on conflict (rollout_id, zone_id) do nothing
    returning rollout_id, zone_id, failed, readers`.execute(db)
  return rows
}

/** Forgets the zones that somebody resumed beyond the limit. */
export const deleteResumed = (db: Database, rolloutId: string) =>
  db.deleteFrom('safety_halt').where('rollout_id', '=', rolloutId).where('is_resumed', '=', true).execute()

/** Forgets the zones that another limit than this one has halted. Answers them. */
export async function deleteFormer(db: Database, rolloutId: string, percent: number | null): Promise<string[]> {
  const rows = await db
    .deleteFrom('safety_halt')
    .where('rollout_id', '=', rolloutId)
    .where('above_percent', 'is distinct from', percent)
    .returning('zone_id')
    .execute()
  return rows.map(({ zone_id }) => zone_id)
}

/** Lets those of some zones that the limit has halted go on beyond it. Answers them. */
export async function updateResumed(db: Database, rolloutId: string, zones: readonly string[]): Promise<string[]> {
  const rows = await db
    .updateTable('safety_halt')
    .set({ is_resumed: true, at: sql<Date>`now()` })
    .where('rollout_id', '=', rolloutId)
    .where('zone_id', 'in', zones)
    .where('is_resumed', '=', false)
    .returning('zone_id')
    .execute()
  return rows.map(({ zone_id }) => zone_id)
}
