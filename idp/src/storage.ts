import type { webcrypto } from 'node:crypto'

/** An account of the embedded provider. `email` is kept in lower case; `passwordHash` is what `hashPassword` gave. */
export type Account = {
  id: string
  email: string
  emailVerified: boolean
  /** null: no password was ever set, so only a reset link opens the account. */
  passwordHash: string | null
  permissions: string[]
  name?: string | null
  blocked?: boolean
}

/** What the provider keeps for itself: sessions, grants, codes, refresh tokens, interactions and mailed links, as plain JSON. */
export type StoredRecord = Record<string, unknown>

/** A letter to one person, plain text. */
export type Message = { to: string; subject: string; text: string }

/**
 * The provider's memory. The server keeps it in PostgreSQL, so that a restart signs nobody out.
 * A record is found by model and id; expired records may be found or not, the provider looks at their own expiry as well.
 */
export type Storage = {
  /** Inserts or replaces. `expiresIn` is in seconds; without it the record has no end. A replaced record is not consumed any more. */
  upsertRecord(model: string, id: string, record: StoredRecord, expiresIn?: number): Promise<void>
  /** The record as it was stored, plus `consumed` (epoch seconds) once it was consumed. */
  findRecord(model: string, id: string): Promise<StoredRecord | undefined>
  /** The record of that model whose `uid` member is `uid`. */
  findRecordByUid(model: string, uid: string): Promise<StoredRecord | undefined>
  /** Marks as used and says whether this call was the first to do so: of two at once, exactly one hears true. */
  consumeRecord(model: string, id: string): Promise<boolean>
  deleteRecord(model: string, id: string): Promise<void>
  /** Deletes every record of that model whose `grantId` member is `grantId`. */
  deleteRecordsByGrant(model: string, grantId: string): Promise<void>
  /** Deletes every record of any model whose `accountId` member is `accountId`: signs the account out everywhere. */
  deleteRecordsByAccount(accountId: string): Promise<void>

  /** The private signing keys (JWK), oldest first. */
  loadKeys(): Promise<webcrypto.JsonWebKey[]>
  /** Stores the key only if there is none yet, also when two processes start at once; the caller loads again afterwards. */
  saveFirstKey(key: webcrypto.JsonWebKey): Promise<void>

  findAccount(id: string): Promise<Account | undefined>
  /** `email` arrives trimmed and in lower case. */
  findAccountByEmail(email: string): Promise<Account | undefined>
  /** Undefined when the address is taken, also when two people ask at once. The id is the storage's to choose, and lasts. */
  createAccount(account: Omit<Account, 'id'>): Promise<Account | undefined>
  setPassword(accountId: string, passwordHash: string): Promise<void>
  setEmailVerified(accountId: string): Promise<void>

  /** Keeps a message nobody could mail, for the operator to hand over. `expiresIn` in seconds: its link is dead afterwards. */
  keepMessage(message: Message, expiresIn: number): Promise<void>
}
