import { type RawBuilder, sql } from 'kysely'
import type { Database } from '../../lib/database/database.ts'
import { until } from '../until.ts'

/** Runs `look` while `work` waits for a lock that another transaction takes by `take`. That transaction ends before the work does. */
export async function whileWaiting<T>(
  db: Database,
  take: RawBuilder<unknown>,
  work: () => Promise<unknown>,
  look: (other: Database) => Promise<T>,
): Promise<T> {
  const other = await db.startTransaction().execute()
  await take.execute(other)
  const working = work()
  const waits = sql<{ waits: boolean }>`
    select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`
  await until(async () => (await waits.execute(db)).rows[0]!.waits)
  const seen = await look(other)
  await other.commit().execute()
  await working
  return seen
}

/** Counts rows of `from` that no transaction has locked. */
export const countFree = async (db: Database, from: RawBuilder<unknown>): Promise<number> =>
  (await sql`select from ${from} for no key update skip locked`.execute(db)).rows.length
