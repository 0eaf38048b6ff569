import { sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'

export async function selectUnreferenced(db: Database, hashes: readonly string[]): Promise<string[]> {
  const { rows } = await sql<{ hash: string }>`
    select hash from unnest(${hashes}::text[]) as hash
    where not exists (select from publication where content_hash = hash and zone_id is not null)
      and not exists (select from firmware_release where content_hash = hash)`.execute(db)
  return rows.map(({ hash }) => hash)
}

const lockKey = (hash: string) => sql`hashtextextended(${`content ${hash}`}, 0)`

export const lockContent = (db: Database, hash: string) => sql`select pg_advisory_xact_lock_shared(${lockKey(hash)})`.execute(db)

/** An exclusive lock, until the transaction ends. Returns false where another transaction has one. */
export async function tryLockContentAlone(db: Database, hash: string): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(${lockKey(hash)}) as free`.execute(db)
  return rows[0]?.free === true
}

/** Until the transaction ends. Returns false where another server is at it. */
export async function tryLockSweep(db: Database): Promise<boolean> {
  const { rows } = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtextextended('sweep contents', 0)) as free`.execute(db)
  return rows[0]?.free === true
}
