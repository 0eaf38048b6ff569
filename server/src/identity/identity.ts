import { hashPassword } from '@lectern/idp/sign-in/passwords.ts'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'

export interface NewAccount {
  email: string
  password: string
  name: string
  permissions: readonly string[]
}

/** Makes sure an account of the embedded provider is there; one that exists stays as it is. Answers its id, the subject of its tokens. */
export async function ensureAccount(db: Database, { email, password, name, permissions }: NewAccount): Promise<string> {
  const known = await selectAccount(db, email)
  if (known) return known.id
  const id = uuidv7()
  const row = { id, email, email_verified: true, password_hash: await hashPassword(password), name, permissions: [...permissions] }
  await db.insertInto('idp_account').values(row).execute()
  return id
}

/** The account of an e-mail, or undefined. */
export const selectAccount = (db: Database, email: string) =>
  db
    .selectFrom('idp_account')
    .select(['id', 'email', 'permissions', 'blocked'])
    .where('email', '=', email.trim().toLowerCase())
    .executeTakeFirst()
