import { type SqlBool, sql } from 'kysely'
import type { Database } from '../lib/database/database.ts'
import { instant, text } from '../lib/database/rows.ts'

export const selectRequiresPasskeys = (db: Database, organizationId: number) =>
  db.selectFrom('organization').select('requires_passkeys').where('id', '=', organizationId).executeTakeFirstOrThrow()

export const updateRequiresPasskeys = (db: Database, organizationId: number, requires: boolean) =>
  db.updateTable('organization').set({ requires_passkeys: requires }).where('id', '=', organizationId).execute()

const isOpen = sql<SqlBool>`passkey_recovery.expires_at > now()`

const recoveries = (db: Database, organizationId: number) =>
  db
    .selectFrom('passkey_recovery')
    .innerJoin('member', (join) =>
      join
        .onRef('member.organization_id', '=', 'passkey_recovery.organization_id')
        .onRef('member.user_id', '=', 'passkey_recovery.user_id'),
    )
    .innerJoin('user', 'user.id', 'passkey_recovery.user_id')
    .select(['passkey_recovery.id', 'passkey_recovery.user_id', 'user.email', 'requested_at', 'expires_at', 'confirmed_at'])
    .select(text(sql`trim(concat_ws(' ', "user".first_name, "user".last_name))`).as('name'))
    .where('passkey_recovery.organization_id', '=', organizationId)
    .where(isOpen)

export type RecoveryRow = Awaited<ReturnType<typeof selectRecoveries>>[number]

export const selectRecoveries = (db: Database, organizationId: number, limit: number) =>
  recoveries(db, organizationId).orderBy('requested_at').orderBy('passkey_recovery.id').limit(limit).execute()

export const selectRecovery = (db: Database, organizationId: number, id: string) =>
  recoveries(db, organizationId).where('passkey_recovery.id', '=', id).executeTakeFirst()

const hoursFromNow = (hours: number) => instant(sql`now() + make_interval(hours => ${hours})`)

interface NewRecovery {
  organization_id: number
  id: string
  user_id: string
  browser: string
}

export async function upsertRecovery(db: Database, { id, browser, ...key }: NewRecovery, hours: number): Promise<void> {
  const values = { id, browser, requested_at: instant(sql`now()`), expires_at: hoursFromNow(hours), confirmed_at: null }
  await db
    .insertInto('passkey_recovery')
    .values({ ...key, ...values })
    .onConflict((conflict) => conflict.columns(['organization_id', 'user_id']).doUpdateSet(values))
    .execute()
}

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

export const deleteMemberRecovery = (db: Database, organizationId: number, userId: string) =>
  db.deleteFrom('passkey_recovery').where('organization_id', '=', organizationId).where('user_id', '=', userId).execute()

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
