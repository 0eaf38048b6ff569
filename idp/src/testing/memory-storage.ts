import { randomUUID, type webcrypto } from 'node:crypto'
import type { Account, KeptSession, Message, Passkey, Storage, StoredRecord } from '../storage.ts'

/** Copies values, as a database does. */
export function memoryStorage() {
  const records = new Map<string, StoredRecord>()
  const accounts = new Map<string, Account>()
  const keys: { jwk: webcrypto.JsonWebKey; savedAt: number }[] = []
  const messages: Message[] = []
  const attempts = new Map<string, { amount: number; endsAt: number }>()
  const passkeys = new Map<string, Passkey>()
  const passkeysOf = (accountId: string) => [...passkeys.values()].filter((passkey) => passkey.accountId === accountId)
  const makeKey = (model: string, id: string) => `${model} ${id}`
  const removeWhere = (prefix: string, member: string, value: string) => {
    for (const [key, record] of records) if (key.startsWith(prefix) && record[member] === value) records.delete(key)
  }
  const endRecords = (accountId: string, kept: KeptSession = { uid: '', grants: [] }) => {
    for (const [key, record] of records) {
      const [model, id = ''] = key.split(' ')
      const result = record.result as { login?: { accountId?: string } } | undefined
      const isKept =
        (model === 'Session' && record.uid === kept.uid) ||
        (model === 'Confirmation' && id === kept.uid) ||
        kept.grants.some((grant) => record.grantId === grant || (model === 'Grant' && id === grant))
      if ((record.accountId === accountId || result?.login?.accountId === accountId) && !isKept) records.delete(key)
    }
  }
  const storage: Storage = {
    async upsertRecord(model, id, record) {
      if (!records.get(makeKey(model, id))?.consumed) records.set(makeKey(model, id), structuredClone(record))
    },
    async findRecord(model, id) {
      return structuredClone(records.get(makeKey(model, id)))
    },
    async findRecordByUid(model, uid) {
      return structuredClone([...records].find(([key, record]) => key.startsWith(`${model} `) && record.uid === uid)?.[1])
    },
    async consumeRecord(model, id, by) {
      const record = records.get(makeKey(model, id))
      if (!record || record.consumed) return false
      Object.assign(record, { consumed: Math.floor(Date.now() / 1000), consumedBy: by })
      return true
    },
    async deleteRecord(model, id) {
      records.delete(makeKey(model, id))
    },
    deleteRecordsByGrant: async (model, grantId) => removeWhere(`${model} `, 'grantId', grantId),
    loadKeys: async () => keys.map(({ jwk, savedAt }) => ({ jwk: structuredClone(jwk), age: (Date.now() - savedAt) / 1000 })),
    async saveFirstKey(jwk) {
      if (keys.length === 0) keys.push({ jwk: structuredClone(jwk), savedAt: Date.now() })
    },
    findAccount: async (id) => structuredClone(accounts.get(id)),
    findAccountByEmail: async (email) => structuredClone([...accounts.values()].find((account) => account.email === email)),
    async createAccount(account) {
      if ([...accounts.values()].some(({ email }) => email === account.email)) return undefined
      const created = { ...structuredClone(account), id: randomUUID() }
      accounts.set(created.id, created)
      return structuredClone(created)
    },
    async setEmailVerified(accountId) {
      Object.assign(accounts.get(accountId) ?? {}, { emailVerified: true })
    },
    listPasskeys: async (accountId) => structuredClone(passkeysOf(accountId)),
    findPasskey: async (id) => structuredClone(passkeys.get(id)),
    async addPasskey(passkey) {
      if (passkeys.has(passkey.id)) return false
      passkeys.set(passkey.id, { ...passkey, createdAt: Math.floor(Date.now() / 1000), lastUsedAt: null })
      return true
    },
    async usePasskey(id, counter) {
      const known = passkeys.get(id)
      if (!known || (counter <= known.counter && (counter > 0 || known.counter > 0))) return false
      Object.assign(known, { counter, lastUsedAt: Math.floor(Date.now() / 1000) })
      return true
    },
    async renamePasskey(accountId, id, name) {
      const known = passkeysOf(accountId).find((passkey) => passkey.id === id)
      if (known) known.name = name
    },
    async changeProtection(accountId, change, kept) {
      const own = passkeysOf(accountId)
      if ('passwordHash' in change) Object.assign(accounts.get(accountId) ?? {}, change)
      else {
        const gone = own.filter(({ id }) => ('onlyPasskey' in change ? id !== change.onlyPasskey : id === change.withoutPasskey))
        if (gone.length === 0 || ('keepsLast' in change && change.keepsLast && own.length === 1)) return false
        for (const { id } of gone) passkeys.delete(id)
      }
      endRecords(accountId, kept)
      return true
    },
    async takeAttempt(key, limit, windowSeconds) {
      const known = attempts.get(key)
      const window = known && known.endsAt > Date.now() ? known : { amount: 0, endsAt: Date.now() + windowSeconds * 1000 }
      attempts.set(key, window)
      if (window.amount >= limit) return { wait: Math.ceil((window.endsAt - Date.now()) / 1000), left: 0 }
      window.amount += 1
      return { wait: 0, left: limit - window.amount }
    },
    async refundAttempt(key) {
      const window = attempts.get(key)
      if (window) window.amount -= 1
    },
    async saveMessage(message) {
      messages.push(message)
    },
  }
  return { storage, records, accounts, messages, passkeys }
}
