import type { webcrypto } from 'node:crypto'
import type { KeptSession, Message, StoredRecord } from '@lectern/idp/storage.ts'
import { type SqlBool, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import type { Database } from '../lib/database/database.ts'
import { prepared } from '../lib/database/prepared.ts'
import { instant, integer, json, read, real } from '../lib/database/rows.ts'

// A replaced key is kept for so long, as secrets of cookies come from it.
const keptKeyDays = 30

const secondsFromNow = (seconds: number) => instant(sql`now() + make_interval(secs => ${seconds})`)

const selectRecords = (db: Database, model: string) =>
  db.selectFrom('idp_record').select(['payload', 'consumed_at']).where('model', '=', model)

export const selectRecord = (db: Database, model: string, id: string) => selectRecords(db, model).where('id', '=', id).executeTakeFirst()

export const selectRecordByUid = (db: Database, model: string, uid: string) =>
  selectRecords(db, model).where(sql`payload ->> 'uid'`, '=', uid).executeTakeFirst()

// Leaves out grants whose sign-in has ended, or whose account is blocked or gone.
export const selectGrants = (db: Database, grants: readonly string[]) =>
  db
    .selectFrom('idp_record')
    .innerJoin('idp_account', (join) => join.on('idp_account.id', '=', sql`payload ->> 'accountId'`))
    .select(['idp_record.id', 'idp_account.id as account', 'permissions'])
    .where('model', '=', 'Grant')
    .where(sql<SqlBool>`idp_record.id = any(${grants}::text[])`)
    .where('blocked', '=', false)
    .where('expires_at', '>', instant(sql`now()`))
    .modifyEnd(prepared)
    .execute()

/** @param expiresIn seconds; undefined for a record without an end. */
export async function upsertRecord(db: Database, model: string, id: string, record: StoredRecord, expiresIn?: number): Promise<void> {
  const values = {
    payload: JSON.stringify(record),
    expires_at: expiresIn === undefined ? null : secondsFromNow(expiresIn),
  }
  await db
    .insertInto('idp_record')
    .values({ model, id, ...values })
    .onConflict((conflict) => conflict.columns(['model', 'id']).doUpdateSet(values).where('idp_record.consumed_at', 'is', null))
    .execute()
}

export async function updateConsumed(db: Database, model: string, id: string, by?: string): Promise<boolean> {
  const update = db
    .updateTable('idp_record')
    .set({ consumed_at: instant(sql`now()`), payload: json(sql`payload || ${JSON.stringify({ consumedBy: by })}`) })
    .where('model', '=', model)
    .where('id', '=', id)
  const { numUpdatedRows } = await update.where('consumed_at', 'is', null).executeTakeFirstOrThrow()
  return numUpdatedRows > 0n
}

export async function deleteRecord(db: Database, model: string, id: string): Promise<void> {
  await db.deleteFrom('idp_record').where('model', '=', model).where('id', '=', id).execute()
}

export async function deleteRecordsByGrant(db: Database, model: string, grantId: string): Promise<void> {
  await db.deleteFrom('idp_record').where('model', '=', model).where(sql`payload ->> 'grantId'`, '=', grantId).execute()
}

/** Includes sign-ins that are under way. */
export async function deleteRecordsByAccount(
  db: Database,
  accountId: string,
  { uid, grants }: KeptSession = { uid: '', grants: [] },
): Promise<void> {
  await sql`
    delete from idp_record
    where payload ? 'accountId' and payload ->> 'accountId' = ${accountId}
      and not (model = 'Session' and payload ->> 'uid' = ${uid})
      and not (model = 'Confirmation' and id = ${uid})
      and not (model = 'Grant' and id = any(${grants}::text[]))
      and coalesce(payload ->> 'grantId', '') <> all(${grants}::text[])`.execute(db)
  await sql`delete from idp_record where model = 'Interaction' and payload #>> '{result,login,accountId}' = ${accountId}`.execute(db)
}

// Newest first. `age`: seconds.
export const selectKeys = (db: Database) =>
  read(
    db,
    { jwk: json<webcrypto.JsonWebKey>(sql`jwk`), age: real(sql`extract(epoch from now() - created_at)`) },
    (list) => sql`select ${list} from idp_key order by number desc`,
  )

export async function insertFirstKey(db: Database, key: object): Promise<void> {
  await db
    .insertInto('idp_key')
    .values({ number: 1, jwk: JSON.stringify(key) })
    .onConflict((conflict) => conflict.column('number').doNothing())
    .execute()
}

export async function insertNextKey(db: Database, key: object): Promise<void> {
  const number = integer(sql`(select coalesce(max(number), 0) + 1 from idp_key)`)
  await db
    .insertInto('idp_key')
    .values({ number, jwk: JSON.stringify(key) })
    .execute()
}

export async function deleteKeysAndRecords(db: Database): Promise<void> {
  await db.deleteFrom('idp_key').execute()
  await db.deleteFrom('idp_record').execute()
}

export async function insertMessage(db: Database, { to, subject, text }: Message, expiresIn: number): Promise<void> {
  await db
    .insertInto('idp_message')
    .values({ id: uuidv7(), recipient: to, subject, body: text, expires_at: secondsFromNow(expiresIn) })
    .execute()
}

export async function updateRefunded(db: Database, key: string): Promise<void> {
  await db
    .updateTable('idp_attempt')
    .set({ amount: integer(sql`greatest(amount - 1, 0)`) })
    .where('key', '=', key)
    .execute()
}

export async function deleteExpired(db: Database): Promise<void> {
  const now = instant(sql`now()`)
  await db.deleteFrom('idp_record').where('expires_at', '<', now).execute()
  await db.deleteFrom('idp_message').where('expires_at', '<', now).execute()
  await db.deleteFrom('idp_attempt').where('ends_at', '<', now).execute()
  await db.deleteFrom('ended_session').where('expires_at', '<', now).execute()
  await db.deleteFrom('passkey_recovery').where('expires_at', '<', now).execute()
  await sql`
    delete from idp_key using idp_key next
    where next.number > idp_key.number and next.created_at < now() - make_interval(days => ${keptKeyDays})`.execute(db)
}
