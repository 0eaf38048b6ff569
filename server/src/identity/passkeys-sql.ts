import type { Passkey } from '@lectern/idp/storage.ts'
import { type Selectable, type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { instant } from '../lib/database/rows.ts'
import type { IdpPasskey } from '../lib/database/schema.ts'

const toSeconds = (time: Date): number => Math.floor(time.getTime() / 1000)

const toPasskey = (row: Selectable<IdpPasskey>): Passkey => ({
  id: row.id,
  accountId: row.account_id,
  publicKey: row.public_key,
  counter: Number(row.counter),
  transports: row.transports,
  name: row.name,
  createdAt: toSeconds(row.created_at),
  lastUsedAt: row.last_used_at && toSeconds(row.last_used_at),
})

export async function selectPasskeys(db: Database, accountId: string): Promise<Passkey[]> {
  const rows = await db
    .selectFrom('idp_passkey')
    .selectAll()
    .where('account_id', '=', accountId)
    .orderBy('created_at')
    .orderBy('id')
    .execute()
  return rows.map(toPasskey)
}

export async function selectPasskey(db: Database, id: string): Promise<Passkey | undefined> {
  const row = await db.selectFrom('idp_passkey').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toPasskey(row)
}

export async function insertPasskey(db: Database, passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<boolean> {
  const { id, accountId, publicKey, counter, transports, name } = passkey
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('idp_passkey')
    .values({ id, account_id: accountId, public_key: publicKey, counter, transports, name })
    .onConflict((conflict) => conflict.column('id').doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

export async function updateUsed(db: Database, id: string, counter: number): Promise<boolean> {
  const { numUpdatedRows } = await db
    .updateTable('idp_passkey')
    .set({ counter, last_used_at: instant(sql`now()`) })
    .where('id', '=', id)
    // Authenticators without a counter always report 0.
    .where(sql<SqlBool>`(counter < ${counter}::bigint or (counter = 0 and ${counter}::bigint = 0))`)
    .executeTakeFirstOrThrow()
  return numUpdatedRows === 1n
}

export const updateName = (db: Database, accountId: string, id: string, name: string) =>
  db.updateTable('idp_passkey').set({ name }).where('account_id', '=', accountId).where('id', '=', id).execute()

// Runs in a transaction: of two deletions at once, neither may count on the other's passkey.
export async function deletePasskey(db: Database, accountId: string, id: string, keepsLast: boolean): Promise<boolean> {
  const own = await db.selectFrom('idp_passkey').select('id').where('account_id', '=', accountId).orderBy('id').forUpdate().execute()
  if (!own.some((passkey) => passkey.id === id) || (keepsLast && own.length === 1)) return false
  await db.deleteFrom('idp_passkey').where('id', '=', id).execute()
  return true
}

/** Returns false where the account has no other passkey. */
export async function deleteOtherPasskeys(db: Database, accountId: string, keptId: string | null): Promise<boolean> {
  const { numDeletedRows } = await db
    .deleteFrom('idp_passkey')
    .where('account_id', '=', accountId)
    .where('id', 'is distinct from', keptId)
    .executeTakeFirstOrThrow()
  return numDeletedRows > 0n
}
