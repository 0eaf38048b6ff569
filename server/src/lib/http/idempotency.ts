import { createHash } from 'node:crypto'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import type { Database } from '../database/database.ts'
import { type Key, selectStoredReply, tryLockKey, upsertStoredReply } from './idempotency-sql.ts'
import { Problem } from './problem.ts'

export interface StoredReply {
  status: number
  reply: unknown
}

/**
 * Whether a repeat would do harm without a key: add a second record, or fail at the ETag that the first call changed. A call that changes
 * nothing, such as a dry run, is just made again.
 */
export const isIdempotentByKey = ({ method, etag, audit, changes }: Endpoint): boolean =>
  (method === 'POST' && !(typeof audit === 'object' && changes?.length === 0)) || (method !== 'GET' && etag !== undefined)

export const hashRequest = (...parts: unknown[]): string => createHash('sha256').update(JSON.stringify(parts)).digest('hex')

/** What a person may do in the organization of the call. `zones`: null where they are not limited to some. */
export interface Rights {
  permissions: ReadonlySet<string>
  zones: readonly number[] | null
}

// Stored beside the hash of the request. Older replies have none.
const describeRights = ({ permissions, zones }: Rights): string =>
  `${zones === null ? '*' : hashRequest(...zones)} ${[...permissions].sort().join(',')}`

/** Whether the caller may still do all that they might then. */
function covers({ permissions, zones }: Rights, storedZones: string, storedPermissions: string): boolean {
  const hasZones = zones === null || hashRequest(...zones) === storedZones
  return hasZones && storedPermissions.split(',').every((permission) => permission === '' || permissions.has(permission))
}

/**
 * Runs `write` once per organization, caller and key. The reply is stored for 24 hours in the transaction of the write, so a crash leaves
 * both or none. A repeat is answered only with the rights that the caller has now: a Problem 403 where they have lost some. Throws a
 * Problem 422 for a key of another request, 409 while the same request runs.
 */
export async function runOnce(
  db: Database,
  { hash, rights, ...key }: Key & { hash: string; rights: Rights | null },
  write: () => Promise<StoredReply>,
): Promise<StoredReply> {
  if (!(await tryLockKey(db, key))) throw new Problem(409, 'The same request is still in progress. Try again in a moment.')
  const stored = await selectStoredReply(db, key)
  const [request, zones, permissions = ''] = stored?.request_hash.split(' ') ?? []
  if (stored && request !== hash) throw new Problem(422, 'This Idempotency-Key was used for another request.')
  if (stored && zones !== undefined && (rights === null || !covers(rights, zones, permissions)))
    throw new Problem(403, 'This was done, but since then your role permits less. Look at what was done before you repeat it.')
  if (stored) return { status: stored.status, reply: stored.reply ?? undefined }
  const result = await write()
  const reply = result.reply === undefined ? null : JSON.stringify(result.reply)
  await upsertStoredReply(db, key, {
    request_hash: rights === null ? hash : `${hash} ${describeRights(rights)}`,
    status: result.status,
    reply,
  })
  return result
}
