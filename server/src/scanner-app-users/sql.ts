import type { Insertable } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import type { ScannerAppUser } from '../lib/database/schema.ts'

export const selectScannerAppUser = (db: Database, address: string) =>
  db.selectFrom('scanner_app_user').selectAll().where('address', '=', address).executeTakeFirst()

export const upsertScannerAppUser = (db: Database, user: Insertable<ScannerAppUser>) =>
  db
    .insertInto('scanner_app_user')
    .values(user)
    .onConflict((conflict) => conflict.column('address').doUpdateSet(user))
    .execute()
