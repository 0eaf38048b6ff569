import { offlineHours, warrantyMonths } from '@lectern/contract/devices/devices.ts'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

/** Whether a reader has not checked in for over 72 hours (spec §9). */
export const unseen = (lastSeen: ReturnType<typeof sql>) => sql<boolean>`${lastSeen} < now() - make_interval(hours => ${offlineHours})`

/** Whether a warranty has expired or ends within three months; days are UTC (spec §9). */
export const warrantyDue = (date: ReturnType<typeof sql>) =>
  sql<boolean>`${date} <= (now() at time zone 'UTC')::date + make_interval(months => ${warrantyMonths})`

/** Most readers of one organization that one sweep marks. */
const batch = 5_000

/**
 * Marks readers that became offline, or whose warranty became due, by the passing of time alone. Queries are exact without it:
 * they add what is due but not marked; the sweep keeps that set small. Any number of servers may sweep at once. Answers how many it marked.
 */
export async function sweepStanding(db: Database): Promise<number> {
  const offline = await mark(
    db,
    'offline',
    unseen(sql`s.last_seen_at`),
    (organization) => sql`
    select device_id as id from device_state where organization_id = ${organization} and not offline and ${unseen(sql`last_seen_at`)} limit ${batch}`,
  )
  const warranty = await mark(
    db,
    'warranty_due',
    warrantyDue(sql`d.warranty_until`),
    (organization) => sql`
    select id from device where organization_id = ${organization} and not warranty_due and ${warrantyDue(sql`warranty_until`)} limit ${batch}`,
  )
  return offline + warranty
}

/** Marks what is due, one transaction an organization. */
async function mark(
  db: Database,
  flag: 'offline' | 'warranty_due',
  still: RawBuilder<boolean>,
  due: (organization: RawBuilder<unknown>) => RawBuilder<unknown>,
): Promise<number> {
  const { rows } = await sql<{ id: string }>`select o.id from organization o where exists (${due(sql`o.id`)})`.execute(db)
  let marked = 0
  for (const { id } of rows)
    marked += await db.transaction().execute((transaction) => updateMark(transaction, flag, still, due(sql`${id}`)))
  return marked
}

/** Locks what a check-in locks, in its order, device before device_state; whom it finds locked, it leaves to the next sweep. */
async function updateMark(
  db: Database,
  flag: 'offline' | 'warranty_due',
  still: RawBuilder<boolean>,
  due: RawBuilder<unknown>,
): Promise<number> {
  const column = sql.ref(flag)
  const locked = await sql<{ id: string }>`select id from device where id in (${due}) order by id for no key update skip locked`.execute(db)
  // A check-in may have come between: only a reader that is still due is marked.
  const { rows } = await sql<{ id: string }>`
    update device_state s set ${column} = true from device d
    where s.device_id = any(${locked.rows.map((row) => row.id)}::uuid[]) and d.id = s.device_id and ${still}
    returning d.id`.execute(db)
  await sql`update device set ${column} = true where id = any(${rows.map((row) => row.id)}::uuid[])`.execute(db)
  return rows.length
}
