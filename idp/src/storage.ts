import type { webcrypto } from 'node:crypto'

export interface Account {
  id: string
  email: string
  emailVerified: boolean
  /** From `hashPassword`. Null: only a reset link gives access. */
  passwordHash: string | null
  permissions: string[]
  name?: string | null
  blocked?: boolean
}

/** `id` and `publicKey` in base64url, times in epoch seconds. */
export interface Passkey {
  id: string
  accountId: string
  publicKey: string
  counter: number
  transports: string[]
  name: string
  createdAt: number
  lastUsedAt: number | null
}

/** `keepsLast`: not where it is the only passkey. `onlyPasskey`: all others go; null: all. */
export type ProtectionChange = { passwordHash: string } | { withoutPasskey: string; keepsLast: boolean } | { onlyPasskey: string | null }

/** By the `uid` of its record and the ids of its grants. */
export interface KeptSession {
  uid: string
  grants: readonly string[]
}

/** `age`: seconds since it was saved. */
export interface StoredKey {
  jwk: webcrypto.JsonWebKey
  age: number
}

export type StoredRecord = Record<string, unknown>

export interface Message {
  to: string
  subject: string
  text: string
}

/** The provider checks the expiry of records itself; storage may return expired ones. */
export interface Storage {
  /** Inserts or replaces; a consumed record stays as it is. @param expiresIn seconds; none: no expiry. */
  upsertRecord(model: string, id: string, record: StoredRecord, expiresIn?: number): Promise<void>
  /** The record, after `consumeRecord` with `consumed` (epoch seconds) and `consumedBy`. */
  findRecord(model: string, id: string): Promise<StoredRecord | undefined>
  findRecordByUid(model: string, uid: string): Promise<StoredRecord | undefined>
  /** Returns true for exactly one of several concurrent calls. */
  consumeRecord(model: string, id: string, by?: string): Promise<boolean>
  deleteRecord(model: string, id: string): Promise<void>
  deleteRecordsByGrant(model: string, grantId: string): Promise<void>

  /** The newest first. */
  loadKeys(): Promise<StoredKey[]>
  saveFirstKey(key: webcrypto.JsonWebKey): Promise<void>

  findAccount(id: string): Promise<Account | undefined>
  /** @param email trimmed, in lower case. */
  findAccountByEmail(email: string): Promise<Account | undefined>
  /** Undefined where the e-mail is taken. */
  createAccount(account: Omit<Account, 'id'>): Promise<Account | undefined>
  setEmailVerified(accountId: string): Promise<void>

  /** Oldest first. */
  listPasskeys(accountId: string): Promise<Passkey[]>
  findPasskey(id: string): Promise<Passkey | undefined>
  /** False where it is known, of whatever account. */
  addPasskey(passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<boolean>
  /** False where its counter is not behind, or it is gone. */
  usePasskey(id: string, counter: number): Promise<boolean>
  renamePasskey(accountId: string, id: string, name: string): Promise<void>

  /**
   * Changes what protects an account, and deletes each of its records but those of `kept`, in one transaction: its sessions, tokens, links and sign-ins that
   * are under way. False where there was nothing to change; of `keepsLast` exactly among concurrent calls.
   */
  changeProtection(accountId: string, change: ProtectionChange, kept?: KeptSession): Promise<boolean>

  /**
   * Counts an attempt of a window that begins with its first, exactly among all servers. `wait`: seconds until one is allowed, 0 where this one is; `left`: how
   * many more are.
   */
  takeAttempt(key: string, limit: number, windowSeconds: number): Promise<{ wait: number; left: number }>
  refundAttempt(key: string): Promise<void>

  /** A message that was not mailed, for the operator. @param expiresIn seconds; its link is invalid afterwards. */
  saveMessage(message: Message, expiresIn: number): Promise<void>
}
