import { createHash } from 'node:crypto'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import type { Database } from '../database/database.ts'
import { type Key, selectStoredReply, tryLockKey, upsertStoredReply } from './idempotency-sql.ts'
import { Problem } from './problem.ts'

export interface StoredReply {
  status: number
  reply: unknown
}

/** Whether a repeated call without a key would add a second record, or fail at the ETag of its own change. A call that changes nothing, such as a dry run, is only made again. */
export const isIdempotentByKey = ({ method, etag, audit, changes }: Endpoint): boolean =>
  (method === 'POST' && !(typeof audit === 'object' && changes?.length === 0)) || (method !== 'GET' && etag !== undefined)

export const hashRequest = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/**
 * Runs `write` once per organization, caller and key. The reply is stored for 24 hours, in the transaction of the write, so that a crash leaves both or none.
 * Throws a Problem 422 for a key that was used for another request, 409 while the same request runs.
 */
export async function runOnce(
  db: Database,
  { hash, ...key }: Key & { hash: string },
  write: () => Promise<StoredReply>,
): Promise<StoredReply> {
  if (!(await tryLockKey(db, key))) throw new Problem(409, 'The same request is still in progress. Try again in a moment.')
  const stored = await selectStoredReply(db, key)
  if (stored && stored.request_hash !== hash) throw new Problem(422, 'This Idempotency-Key was used for another request.')
  if (stored) return { status: stored.status, reply: stored.reply ?? undefined }
  const result = await write()
  const reply = result.reply === undefined ? null : JSON.stringify(result.reply)
  await upsertStoredReply(db, key, { request_hash: hash, status: result.status, reply })
  return result
}
