import type { ProtectionChange, Storage } from '@lectern/idp/storage.ts'
import { StorageOutage } from '@lectern/idp/storage-outage.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import { describeOutage, type OutageLog } from '../lib/database/outage.ts'
import { takeAttempt } from '../quotas/quotas.ts'
import { deleteOtherPasskeys, deletePasskey, insertPasskey, selectPasskey, selectPasskeys, updateName, updateUsed } from './passkeys-sql.ts'
import {
  deleteExpired,
  deleteRecord,
  deleteRecordsByAccount,
  deleteRecordsByGrant,
  insertFirstKey,
  insertMessage,
  selectKeys,
  selectRecord,
  selectRecordByUid,
  updateConsumed,
  updateRefunded,
  upsertRecord,
} from './provider-sql.ts'
import { insertAccount, selectAccount, selectAccountByEmail, updateAccount } from './sql.ts'

/** Outages of the database are logged, and thrown as an error that the provider responds with. */
export function createProviderStorage(db: Database, logOutage: OutageLog): Storage {
  const explain = (error: unknown): never => {
    const outage = describeOutage(error)
    if (!outage) throw error
    logOutage(error)
    throw new StorageOutage(outage.status, outage.sentence, error)
  }
  const methods = Object.entries(createDatabaseStorage(db)).map(([name, method]) => [
    name,
    (...values: unknown[]) => method(...values).catch(explain),
  ])
  return Object.fromEntries(methods) as Storage
}

const createDatabaseStorage = (db: Database): Storage => ({
  upsertRecord: (model, id, record, expiresIn) => upsertRecord(db, model, id, record, expiresIn),
  findRecord: async (model, id) => toRecord(await selectRecord(db, model, id)),
  findRecordByUid: async (model, uid) => toRecord(await selectRecordByUid(db, model, uid)),
  consumeRecord: (model, id, by) => updateConsumed(db, model, id, by),
  deleteRecord: (model, id) => deleteRecord(db, model, id),
  deleteRecordsByGrant: (model, grantId) => deleteRecordsByGrant(db, model, grantId),
  loadKeys: () => selectKeys(db),
  saveFirstKey: (key) => insertFirstKey(db, key),
  findAccount: (id) => selectAccount(db, id),
  findAccountByEmail: (email) => selectAccountByEmail(db, email),
  createAccount: ({ email, emailVerified, passwordHash, permissions, name, blocked }) =>
    insertAccount(db, {
      email,
      email_verified: emailVerified,
      password_hash: passwordHash,
      permissions,
      name: name ?? null,
      blocked: blocked ?? false,
    }),
  setEmailVerified: async (accountId) => {
    await updateAccount(db, accountId, { email_verified: true })
  },
  listPasskeys: (accountId) => selectPasskeys(db, accountId),
  findPasskey: (id) => selectPasskey(db, id),
  addPasskey: (passkey) => insertPasskey(db, passkey),
  usePasskey: (id, counter) => updateUsed(db, id, counter),
  renamePasskey: async (accountId, id, name) => {
    await updateName(db, accountId, id, name)
  },
  changeProtection: (accountId, change, kept) =>
    inTransaction(db, async (transaction) => {
      const isChanged = await applyChange(transaction, accountId, change)
      if (isChanged) await deleteRecordsByAccount(transaction, accountId, kept)
      return isChanged
    }),
  takeAttempt: (key, limit, windowSeconds) => takeAttempt(db, key, limit, windowSeconds),
  refundAttempt: (key) => updateRefunded(db, key),
  saveMessage: (message, expiresIn) => insertMessage(db, message, expiresIn),
})

async function applyChange(db: Database, accountId: string, change: ProtectionChange): Promise<boolean> {
  if ('passwordHash' in change) {
    await updateAccount(db, accountId, { password_hash: change.passwordHash })
    return true
  }
  return 'onlyPasskey' in change
    ? deleteOtherPasskeys(db, accountId, change.onlyPasskey)
    : deletePasskey(db, accountId, change.withoutPasskey, change.keepsLast)
}

function toRecord(row: { payload: unknown; consumed_at: Date | null } | undefined) {
  if (!row) return undefined
  const payload = row.payload as Record<string, unknown>
  return row.consumed_at ? { ...payload, consumed: Math.floor(row.consumed_at.getTime() / 1000) } : payload
}

export const sweepProvider = (db: Database): Promise<void> => deleteExpired(db)
