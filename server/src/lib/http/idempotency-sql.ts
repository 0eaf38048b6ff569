import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { boolean, instant, read } from '../database/rows.ts'

// `organizationId`: 0 for a call without one.
export interface Key {
  organizationId: number
  caller: string
  key: string
}

/** Locks the key until the transaction ends. Returns false where another transaction holds it. */
export async function tryLockKey(db: Database, { organizationId, caller, key }: Key): Promise<boolean> {
  const free = boolean(sql`pg_try_advisory_xact_lock(hashtextextended(${`${organizationId} ${caller} ${key}`}, 0))`)
  const [lock] = await read(db, { free }, (list) => sql`select ${list}`)
  return lock?.free === true
}

export const selectStoredReply = (db: Database, { organizationId, caller, key }: Key) =>
  db
    .selectFrom('idempotency_key')
    .select(['request_hash', 'status', 'reply'])
    .where('organization_id', '=', organizationId)
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('created_at', '>', instant(sql`now() - interval '24 hours'`))
    .executeTakeFirst()

export async function upsertStoredReply(
  db: Database,
  { organizationId, caller, key }: Key,
  values: { request_hash: string; status: number; reply: string | null },
): Promise<void> {
  const row = { ...values, created_at: instant(sql`now()`) }
  await db
    .insertInto('idempotency_key')
    .values({ organization_id: organizationId, caller, key, ...row })
    .onConflict((conflict) => conflict.columns(['organization_id', 'caller', 'key']).doUpdateSet(row))
    .execute()
}
