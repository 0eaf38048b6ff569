import type { webcrypto } from 'node:crypto'

export interface Account {
  id: string
  /** In lower case. */
  email: string
  emailVerified: boolean
  /** From `hashPassword`. Null: only a reset link gives access. */
  passwordHash: string | null
  permissions: string[]
  name?: string | null
  blocked?: boolean
}

/** JSON of a session, grant, code, refresh token, interaction or mailed link. */
export type StoredRecord = Record<string, unknown>

/** Plain text. */
export interface Message {
  to: string
  subject: string
  text: string
}

/** The provider checks the expiry of records itself; storage may return expired ones. */
export interface Storage {
  /** Inserts or replaces; a replaced record is no longer consumed. @param expiresIn seconds; none: no expiry. */
  upsertRecord(model: string, id: string, record: StoredRecord, expiresIn?: number): Promise<void>
  /** The record, with `consumed` (epoch seconds) after `consumeRecord`. */
  findRecord(model: string, id: string): Promise<StoredRecord | undefined>
  findRecordByUid(model: string, uid: string): Promise<StoredRecord | undefined>
  /** Returns true for exactly one of several concurrent calls. */
  consumeRecord(model: string, id: string): Promise<boolean>
  deleteRecord(model: string, id: string): Promise<void>
  deleteRecordsByGrant(model: string, grantId: string): Promise<void>
  /** Of every model. */
  deleteRecordsByAccount(accountId: string): Promise<void>

  /** Private signing keys (JWK), oldest first. */
  loadKeys(): Promise<webcrypto.JsonWebKey[]>
  /** Does nothing where there is a key. Safe for concurrent processes. */
  saveFirstKey(key: webcrypto.JsonWebKey): Promise<void>

  findAccount(id: string): Promise<Account | undefined>
  /** @param email trimmed, in lower case. */
  findAccountByEmail(email: string): Promise<Account | undefined>
  /** Undefined where the e-mail is taken. The storage chooses the id. */
  createAccount(account: Omit<Account, 'id'>): Promise<Account | undefined>
  setPassword(accountId: string, passwordHash: string): Promise<void>
  setEmailVerified(accountId: string): Promise<void>

  /** A message that was not mailed, for the operator. @param expiresIn seconds; its link is invalid afterwards. */
  saveMessage(message: Message, expiresIn: number): Promise<void>
}
