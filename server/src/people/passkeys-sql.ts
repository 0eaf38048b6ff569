import { type Insertable, type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { instant, integer, read, text } from '../lib/database/rows.ts'
import type { PasskeyRecovery } from '../lib/database/schema.ts'

export const selectRequiresPasskeys = (db: Database, organizationId: number) =>
  db.selectFrom('organization').select('requires_passkeys').where('id', '=', organizationId).executeTakeFirstOrThrow()

export const updateRequiresPasskeys = (db: Database, organizationId: number, requires: boolean) =>
  db.updateTable('organization').set({ requires_passkeys: requires }).where('id', '=', organizationId).execute()

const isOpen = sql<SqlBool>`passkey_recovery.expires_at > now()`

const recoveries = (db: Database, organizationId: number) =>
  db
    .selectFrom('passkey_recovery')
    .select(['id', 'user_id', 'browser', 'requested_at', 'expires_at', 'confirmed_at', 'code_hash', 'address', 'agent', 'wrong_codes'])
    .where('organization_id', '=', organizationId)
    .where(isOpen)

export type RecoveryRow = Awaited<ReturnType<typeof selectRecoveries>>[number]

export const selectRecoveries = (db: Database, organizationId: number, limit: number) =>
  recoveries(db, organizationId).orderBy('requested_at').orderBy('id').limit(limit).execute()

export const selectRecovery = (db: Database, organizationId: number, id: string) =>
  recoveries(db, organizationId).where('id', '=', id).executeTakeFirst()

const hoursFromNow = (hours: number) => instant(sql`now() + make_interval(hours => ${hours})`)

type NewRecovery = Omit<Insertable<PasskeyRecovery>, 'requested_at' | 'expires_at' | 'confirmed_at' | 'wrong_codes'>

export const insertRecovery = (db: Database, row: NewRecovery, hours: number) =>
  db
    .insertInto('passkey_recovery')
    .values({ ...row, expires_at: hoursFromNow(hours) })
    .execute()

/** Counts a person's open requests in all organizations. No other is added until the transaction ends. */
export async function countOpen(db: Database, userId: string): Promise<number> {
  await sql`select pg_advisory_xact_lock(hashtextextended(${`recoveries ${userId}`}, 0))`.execute(db)
  const [row] = await read(
    db,
    { amount: integer(sql`count(distinct browser)`) },
    (list) => sql`select ${list} from passkey_recovery where user_id = ${userId} and ${isOpen}`,
  )
  return row!.amount
}

export const updateWrongCodes = (db: Database, organizationId: number, id: string) =>
  db
    .updateTable('passkey_recovery')
    .set({ wrong_codes: integer(sql`wrong_codes + 1`) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .returning('wrong_codes')
    .executeTakeFirst()

/** Deletes a person's requests in all organizations: the one of a browser, or those of all other browsers. */
export const deleteRequests = (db: Database, userId: string, { of, not }: { of?: string; not?: string }) =>
  db
    .deleteFrom('passkey_recovery')
    .where('user_id', '=', userId)
    .$if(of !== undefined, (query) => query.where('browser', '=', of!))
    .$if(not !== undefined, (query) => query.where('browser', '<>', not!))
    .execute()

export const selectMemberNames = (db: Database, organizationId: number, userIds: readonly string[]) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.id', 'user.email', text(sql`trim(concat_ws(' ', "user".first_name, "user".last_name))`).as('name')])
    .where('member.organization_id', '=', organizationId)
    .where(sql<SqlBool>`member.user_id = any(${userIds}::uuid[])`)
    .execute()

export const updateConfirmed = (db: Database, organizationId: number, id: string, hours: number) =>
  db
    .updateTable('passkey_recovery')
    .set({ confirmed_at: instant(sql`now()`), expires_at: hoursFromNow(hours) })
    .where('organization_id', '=', organizationId)
    .where('id', '=', id)
    .execute()

export const deleteRecovery = (db: Database, organizationId: number, id: string) =>
  db.deleteFrom('passkey_recovery').where('organization_id', '=', organizationId).where('id', '=', id).execute()

export async function selectIsConfirmed(db: Database, organizationId: number, userId: string, browser: string, locked: boolean) {
  const query = db
    .selectFrom('passkey_recovery')
    .select('id')
    .where('organization_id', '=', organizationId)
    .where('user_id', '=', userId)
    .where('browser', '=', browser)
    .where('confirmed_at', 'is not', null)
    .where(isOpen)
  return (await (locked ? query.forUpdate() : query).executeTakeFirst()) !== undefined
}

export const selectOtherManagers = (db: Database, organizationId: number, userId: string, limit: number) =>
  db
    .selectFrom('member')
    .innerJoin('user', 'user.id', 'member.user_id')
    .select(['user.email', text(sql`trim(concat_ws(' ', "user".first_name, "user".last_name))`).as('name')])
    .where('member.organization_id', '=', organizationId)
    .where('member.user_id', '<>', userId)
    .where('member.built_in_role', '=', 'manager')
    .orderBy('member.joined_at')
    .orderBy('member.user_id')
    .limit(limit)
    .execute()
