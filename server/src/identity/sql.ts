import type { Account } from '@lectern/idp/storage.ts'
import { type Insertable, type Selectable, type SqlBool, sql, type Updateable } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { cleanAddress, listForms } from '../lib/address.ts'
import type { Database } from '../lib/database/database.ts'
import { prepared } from '../lib/database/prepared.ts'
import { float, instant } from '../lib/database/rows.ts'
import type { IdpAccount } from '../lib/database/schema.ts'
import type { LogoutToken } from './tokens.ts'

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

/** Finds the account under both forms of its domain: older addresses were stored in either. */
export async function selectAccountByEmail(db: Database, email: string): Promise<Account | undefined> {
  const row = await db
    .selectFrom('idp_account')
    .selectAll()
    .where(sql`lower(email)`, 'in', listForms(email))
    .orderBy('id')
    .executeTakeFirst()
  return row && toAccount(row)
}

export const selectAccounts = (db: Database) =>
  db.selectFrom('idp_account').select(['email', 'email_verified', 'blocked', 'permissions']).orderBy('email').execute()

export async function insertAccount(db: Database, account: Omit<Insertable<IdpAccount>, 'id'>): Promise<Account | undefined> {
  const row = await db
    .insertInto('idp_account')
    .values({ id: uuidv7(), ...account, email: cleanAddress(account.email) })
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

// Longer than an access token lives.
const endKept = sql`interval '31 days'`

/** Returns false where the logout token was used before. */
export async function insertEndedSession(db: Database, { issuer, jti, subject, sid, endedAt }: LogoutToken): Promise<boolean> {
  const row = { issuer, jti, subject: subject ?? null, sid: sid ?? null, ended_at: instant(sql`to_timestamp(${endedAt})`) }
  const { numInsertedOrUpdatedRows } = await db
    .insertInto('ended_session')
    .values({ ...row, expires_at: instant(sql`now() + ${endKept}`) })
    .onConflict((conflict) => conflict.columns(['issuer', 'jti']).doNothing())
    .executeTakeFirstOrThrow()
  return numInsertedOrUpdatedRows === 1n
}

/** `ended_at`: epoch seconds. */
export const selectEndedSessions = (
  db: Database,
  issuer: string,
  { subjects, sids }: { subjects: readonly string[]; sids: readonly string[] },
) => {
  const ends = db
    .selectFrom('ended_session')
    .select(['subject', 'sid', float(sql`extract(epoch from ended_at)`).as('ended_at')])
    .where('issuer', '=', issuer)
  return ends
    .where(sql<SqlBool>`subject = any(${subjects}::text[])`)
    .unionAll(ends.where(sql<SqlBool>`sid = any(${sids}::text[])`))
    .modifyEnd(prepared)
    .execute()
}
