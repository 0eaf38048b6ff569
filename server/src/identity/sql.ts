import type { Account } from '@lectern/idp/storage.ts'
import { type Insertable, type Selectable, sql, type Updateable } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import type { IdpAccount } from '../lib/database/schema.ts'

const toAccount = (row: Selectable<IdpAccount>): Account => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified,
  passwordHash: row.password_hash,
  permissions: row.permissions,
  name: row.name,
  blocked: row.blocked,
})

export async function selectAccount(db: Database, id: string): Promise<Account | undefined> {
  const row = await db.selectFrom('idp_account').selectAll().where('id', '=', id).executeTakeFirst()
  return row && toAccount(row)
}

export async function selectAccountByEmail(db: Database, email: string): Promise<Account | undefined> {
  const row = await db.selectFrom('idp_account').selectAll().where(sql`lower(email)`, '=', email).executeTakeFirst()
  return row && toAccount(row)
}

export const selectAccounts = (db: Database) =>
  db.selectFrom('idp_account').select(['email', 'email_verified', 'blocked', 'permissions']).orderBy('email').execute()

export async function insertAccount(db: Database, account: Omit<Insertable<IdpAccount>, 'id'>): Promise<Account | undefined> {
  const row = await db
    .insertInto('idp_account')
    .values({ id: uuidv7(), ...account })
    .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
    .returningAll()
    .executeTakeFirst()
  return row && toAccount(row)
}

export const updateAccount = (db: Database, id: string, changes: Updateable<IdpAccount>) =>
  db.updateTable('idp_account').set(changes).where('id', '=', id).execute()

export const deleteAccount = (db: Database, id: string) => db.deleteFrom('idp_account').where('id', '=', id).execute()

export const selectMessages = (db: Database) =>
  db.selectFrom('idp_message').select(['recipient', 'subject', 'body', 'created_at']).orderBy('created_at').execute()
