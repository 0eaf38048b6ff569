import { type Insertable, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { text } from '../lib/database/rows.ts'
import type { ScannerAppUser } from '../lib/database/schema.ts'

// SQL: small letters as the database makes them, as its policy compares addresses in these.
const small = (address: string) => text(sql`lower(${address})`)

export const selectScannerAppUser = (db: Database, address: string) =>
  db.selectFrom('scanner_app_user').selectAll().where('address', '=', small(address)).executeTakeFirst()

export const upsertScannerAppUser = (db: Database, user: Insertable<ScannerAppUser>) => {
  const row = { ...user, address: small(user.address) }
  return db
    .insertInto('scanner_app_user')
    .values(row)
    .onConflict((conflict) => conflict.column('address').doUpdateSet(row))
    .execute()
}
