import type { Storage } from '@lectern/idp/storage.ts'
import { type Selectable, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import type { IdpAccount } from '../lib/database/schema.ts'

const secondsFromNow = (seconds: number) => sql<Date>`now() + make_interval(secs => ${seconds})`

const toAccount = (row: Selectable<IdpAccount>) => ({
  id: row.id,
  email: row.email,
  emailVerified: row.email_verified,
  passwordHash: row.password_hash,
  permissions: row.permissions,
  name: row.name,
  blocked: row.blocked,
})

/** The embedded provider's memory in PostgreSQL, so that a restart signs nobody out and replicas share it. */
export function createProviderStorage(db: Database): Storage {
  const records = (model: string) => db.selectFrom('idp_record').select(['payload', 'consumed_at']).where('model', '=', model)
  const found = (row: { payload: unknown; consumed_at: Date | null } | undefined) => {
    if (!row) return undefined
    const payload = row.payload as Record<string, unknown>
    return row.consumed_at ? { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : payload
  }
  return {
    async upsertRecord(model, id, record, expiresIn) {
      const values = {
        payload: JSON.stringify(record),
        expires_at: expiresIn === undefined ? null : secondsFromNow(expiresIn),
        consumed_at: null,
      }
      await db
        .insertInto('idp_record')
        .values({ model, id, ...values })
        .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values))
        .execute()
    },
    findRecord: async (model, id) => found(await records(model).where('id', '=', id).executeTakeFirst()),
    findRecordByUid: async (model, uid) => found(await records(model).where(sql`payload ->> 'uid'`, '=', uid).executeTakeFirst()),
    async consumeRecord(model, id) {
      const update = db.updateTable('idp_record').set({ consumed_at: sql<Date>`now()` }).where('model', '=', model).where('id', '=', id)
      const { numUpdatedRows } = await update.where('consumed_at', 'is', null).executeTakeFirstOrThrow()
      return numUpdatedRows > 0n
    },
    async deleteRecord(model, id) {
      await db.deleteFrom('idp_record').where('model', '=', model).where('id', '=', id).execute()
    },
    async deleteRecordsByGrant(model, grantId) {
      await db.deleteFrom('idp_record').where('model', '=', model).where(sql`payload ->> 'grantId'`, '=', grantId).execute()
    },
    async deleteRecordsByAccount(accountId) {
      await db.deleteFrom('idp_record').where(sql`payload ->> 'accountId'`, '=', accountId).execute()
    },

    loadKeys: async () => (await db.selectFrom('idp_key').select('jwk').execute()).map(({ jwk }) => jwk as Record<string, string>),
    async saveFirstKey(key) {
      await db
        .insertInto('idp_key')
        .values({ jwk: JSON.stringify(key) })
        .onConflict((conflict) => conflict.column('singleton').doNothing())
        .execute()
    },

    async findAccount(id) {
      const row = await db.selectFrom('idp_account').selectAll().where('id', '=', id).executeTakeFirst()
      return row && toAccount(row)
    },
    async findAccountByEmail(email) {
      const row = await db.selectFrom('idp_account').selectAll().where(sql`lower(email)`, '=', email).executeTakeFirst()
      return row && toAccount(row)
    },
    async createAccount({ email, emailVerified, passwordHash, permissions, name, blocked }) {
      const row = await db
        .insertInto('idp_account')
        .values({
          id: uuidv7(),
          email,
          email_verified: emailVerified,
          password_hash: passwordHash,
          permissions,
          name: name ?? null,
          blocked: blocked ?? false,
        })
        .onConflict((conflict) => conflict.expression(sql`lower(email)`).doNothing())
        .returningAll()
        .executeTakeFirst()
      return row && toAccount(row)
    },
    async setPassword(accountId, passwordHash) {
      await db.updateTable('idp_account').set({ password_hash: passwordHash }).where('id', '=', accountId).execute()
    },
    async setEmailVerified(accountId) {
      await db.updateTable('idp_account').set({ email_verified: true }).where('id', '=', accountId).execute()
    },
    async keepMessage({ to, subject, text }, expiresIn) {
      await db
        .insertInto('idp_message')
        .values({ id: uuidv7(), recipient: to, subject, body: text, expires_at: secondsFromNow(expiresIn) })
        .execute()
    },
  }
}

/** Deletes what has expired. */
export async function sweepProvider(db: Database): Promise<void> {
  const now = sql<Date>`now()`
  await db.deleteFrom('idp_record').where('expires_at', '<', now).execute()
  await db.deleteFrom('idp_message').where('expires_at', '<', now).execute()
}
