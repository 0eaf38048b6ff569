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

/** `id`, `publicKey`: base64url. Times: epoch seconds. */
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

/** `keepsLast`: the only passkey stays. `onlyPasskey`: all others are removed; null: all are. */
export type ProtectionChange = { passwordHash: string } | { withoutPasskey: string; keepsLast: boolean } | { onlyPasskey: string | null }

/** A session, by the `uid` of its record and the ids of its grants. */
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

/** The provider checks the expiry of records itself, so storage may return expired ones. */
export interface Storage {
  /**
   * Inserts or replaces; a consumed record stays as it is.
   * @param expiresIn seconds; absent: no expiry
   */
  upsertRecord(model: string, id: string, record: StoredRecord, expiresIn?: number): Promise<void>
  /** Returns the record. After `consumeRecord` it has `consumed` (epoch seconds) and `consumedBy`. */
  findRecord(model: string, id: string): Promise<StoredRecord | undefined>
  findRecordByUid(model: string, uid: string): Promise<StoredRecord | undefined>
  /** Returns true for exactly one of several concurrent calls. */
  consumeRecord(model: string, id: string, by?: string): Promise<boolean>
  deleteRecord(model: string, id: string): Promise<void>
  deleteRecordsByGrant(model: string, grantId: string): Promise<void>

  /** Newest first. */
  loadKeys(): Promise<StoredKey[]>
  saveFirstKey(key: webcrypto.JsonWebKey): Promise<void>

  findAccount(id: string): Promise<Account | undefined>
  /** @param email trimmed, in lower case */
  findAccountByEmail(email: string): Promise<Account | undefined>
  /** Returns undefined where the e-mail address is taken. */
  createAccount(account: Omit<Account, 'id'>): Promise<Account | undefined>
  setEmailVerified(accountId: string): Promise<void>

  /** Oldest first. */
  listPasskeys(accountId: string): Promise<Passkey[]>
  findPasskey(id: string): Promise<Passkey | undefined>
  /** Returns false where an account has it already. */
  addPasskey(passkey: Omit<Passkey, 'createdAt' | 'lastUsedAt'>): Promise<boolean>
  /** Returns false where the counter is not ahead, or the passkey is gone. */
  usePasskey(id: string, counter: number): Promise<boolean>
  renamePasskey(accountId: string, id: string, name: string): Promise<void>

  /**
   * Changes what protects an account and deletes its records except those of `kept`, in one transaction: sessions, tokens, links, and
   * sign-ins under way. Returns false where there was nothing to change; with `keepsLast` this is exact among concurrent calls.
   */
  changeProtection(accountId: string, change: ProtectionChange, kept?: KeptSession): Promise<boolean>

  /**
   * Counts an attempt in a window that begins with the first one, exactly among all servers. `wait`: seconds until the next may be made, 0
   * where this one is allowed. `left`: how many more are allowed.
   */
  takeAttempt(key: string, limit: number, windowSeconds: number): Promise<{ wait: number; left: number }>
  refundAttempt(key: string): Promise<void>

  /**
   * Keeps a message that was not mailed, for the operator.
   * @param expiresIn seconds; its link is invalid afterwards
   */
  saveMessage(message: Message, expiresIn: number): Promise<void>
}
