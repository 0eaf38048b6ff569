import { type RawBuilder, sql } from 'kysely'
import type pg from 'pg'
import type { Database } from '../lib/database/database.ts'
import { boolean, read, text } from '../lib/database/rows.ts'

export async function selectUnreferenced(db: Database, hashes: readonly string[]): Promise<string[]> {
  const rows = await read(
    db,
    { hash: text(sql`hash`) },
    (list) => sql`
      select ${list} from unnest(${hashes}::text[]) as hash
      where not exists (select from publication where content_hash = hash and zone_id is not null)
        and not exists (select from firmware_release where content_hash = hash)
        and not exists (select from upload where content_hash = hash)`,
  )
  return rows.map(({ hash }) => hash)
}

export async function selectReferenced(client: pg.ClientBase): Promise<string[]> {
  const { rows } = await client.query<{ hash: string }>(`
    select content_hash as hash from publication where content_hash is not null and zone_id is not null
    union select content_hash from firmware_release where content_hash is not null
    union select content_hash from upload`)
  return rows.map(({ hash }) => hash)
}

async function tryLock(db: Database, key: RawBuilder<unknown>): Promise<boolean> {
  const [lock] = await read(db, { free: boolean(sql`pg_try_advisory_xact_lock(${key})`) }, (list) => sql`select ${list}`)
  return lock?.free === true
}

const lockKey = (hash: string) => sql`hashtextextended(${`content ${hash}`}, 0)`

export const lockContent = (db: Database, hash: string) => sql`select pg_advisory_xact_lock_shared(${lockKey(hash)})`.execute(db)

/** Takes an exclusive lock until the transaction ends. Returns false where another transaction holds any. */
export const tryLockContentAlone = (db: Database, hash: string) => tryLock(db, lockKey(hash))

const sweepKey = sql`hashtextextended('sweep contents', 0)`

/** Takes the lock until the transaction ends. Returns false where another server has it. */
export const tryLockSweep = (db: Database) => tryLock(db, sweepKey)

/** Takes the lock of `tryLockSweep`, and waits for it. */
export const lockSweep = (db: Database) => sql`select pg_advisory_xact_lock(${sweepKey})`.execute(db)
