import { createHash } from 'node:crypto'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { sql } from 'kysely'
import type { Database } from '../database/database.ts'
import { Problem } from './problem.ts'

/** An answer as it is kept and given again. */
export interface KeptReply {
  status: number
  reply: unknown
}

/** A new record would come twice, and a change that must find the record as it was would find its own work, when the call is repeated. */
export const isIdempotentByKey = ({ method, etag }: Endpoint): boolean => method === 'POST' || (method !== 'GET' && etag !== undefined)

/** What makes two requests the same: method, address, and body (of an upload: its fields and content hash). */
export const requestHash = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/**
 * Runs `write` once for each caller and key, inside the transaction `db`, and keeps its answer for 24 hours.
 * Same key and request: the first answer again. Same key, another request: Problem 422. Still running: Problem 409.
 * Because the answer commits together with what was written, a crash leaves both or none.
 */
export async function once(
  db: Database,
  { caller, key, hash }: { caller: string; key: string; hash: string },
  write: () => Promise<KeptReply>,
): Promise<KeptReply> {
  const lock = await sql<{ free: boolean }>`select pg_try_advisory_xact_lock(hashtextextended(${`${caller} ${key}`}, 0)) as free`.execute(
    db,
  )
  if (!lock.rows[0]?.free) throw new Problem(409, 'The same request is still being carried out. Ask again in a moment.')
  const kept = await db
    .selectFrom('idempotency_key')
    .select(['request_hash', 'status', 'reply'])
    .where('caller', '=', caller)
    .where('key', '=', key)
    .where('created_at', '>', sql<Date>`now() - interval '24 hours'`)
    .executeTakeFirst()
  if (kept && kept.request_hash !== hash) throw new Problem(422, 'This Idempotency-Key was used for another request.')
  if (kept) return { status: kept.status, reply: kept.reply ?? undefined }
  const result = await write()
  const row = {
    request_hash: hash,
    status: result.status,
    reply: result.reply === undefined ? null : JSON.stringify(result.reply),
    created_at: sql<Date>`now()`,
  }
  await db
    .insertInto('idempotency_key')
    .values({ caller, key, ...row })
    .onConflict((conflict) => conflict.columns(['caller', 'key']).doUpdateSet(row))
    .execute()
  return result
}
