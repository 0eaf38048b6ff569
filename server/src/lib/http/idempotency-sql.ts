import { sql } from 'kysely'
import type { Database } from '../database/database.ts'

interface Key {
  caller: string
  key: string
}

/** Locks the key until the transaction ends. Returns false where another transaction holds it. */
export async function tryLockKey(db: Database, { caller, key }: Key): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`
    select pg_try_advisory_xact_lock(hashtextextended(${`${caller} ${key}`}, 0)) as free`.execute(db)
  return rows[0]?.free === true
}

export const selectStoredReply = (db: Database, { caller, key }: Key) =>
  db
    .selectFrom('idempotency_key')
    .select(['request_hash', 'status', 'reply'])
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst()

export async function upsertStoredReply(
  db: Database,
  { caller, key }: Key,
  values: { request_hash: string; status: number; reply: string | null },
): Promise<void> {
  const row = { ...values, created_at: sql<Date>`now()` }
  await db
    .insertInto('idempotency_key')
    .values({ caller, key, ...row })
    .onConflict((conflict) => conflict.columns(['caller', 'key']).doUpdateSet(row))
    .execute()
}
