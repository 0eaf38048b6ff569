import { createHash } from 'node:crypto'
import type { Permission } from '@lectern/contract/http/permissions.ts'
import { hashPassword } from '@lectern/idp/sign-in/passwords.ts'
import { generateSigningKey } from '@lectern/idp/signing-keys.ts'
import type { Message } from '@lectern/idp/storage.ts'
import type { Logger } from 'pino'
import { findHostByCredential, refuseSimulated } from '../hosts/hosts.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import type { Authentication } from '../lib/http/caller.ts'
import { hostRemoved, Problem } from '../lib/http/problem.ts'
import type { Settings } from '../lib/settings.ts'
import { findLicence } from '../licences/licences.ts'
import { getVisibleOrganization } from '../organizations/organizations.ts'
import { findWhomToAsk, recordActivity } from '../people/people.ts'
import { ensurePerson, findPeopleTogether } from '../users/users.ts'
import { deleteKeysAndRecords, deleteRecordsByAccount, insertMessage, insertNextKey } from './provider-sql.ts'
import { recordBlock } from './security-events.ts'
import { createEmbeddedSessions, createHostedSessions } from './sessions.ts'
import { deleteAccount, insertAccount, selectAccountByEmail, selectAccounts, selectMessages, updateAccount } from './sql.ts'
import type { Issuer } from './tokens.ts'

export function createAuthentication(
  { db, identity }: { db: Database; identity: Database },
  issuer: Issuer,
  settings: Settings,
  log: Pick<Logger, 'warn'>,
): Authentication {
  const sessions = settings.embeddedProvider ? createEmbeddedSessions(identity) : createHostedSessions(db, settings.auth.issuer)
  const findPerson = findPeopleTogether(db, settings.auth.issuer)
  const rules = { isByToken: settings.organizationPermissions === 'token', log: (sentence: string) => log.warn(sentence) }
  return {
    async person(token, { isTogether, tokenAt }) {
      const claims = await sessions.narrow(await issuer.verify(token, tokenAt))
      return ensurePerson(db, claims, isTogether ? { ...rules, findPerson } : rules, () => issuer.userInfo(token))
    },
    async host(credential) {
      const host = await findHostByCredential(db, createHash('sha256').update(credential).digest('hex'))
      if (!host) throw new Problem(401, 'This host is not enrolled.')
      if (host.revokedAt !== null || host.zoneId === null || host.publicZoneId === null) throw hostRemoved()
      refuseSimulated(settings, host, 'Enroll this host PC again with --replace, and run the agent with --driver serial.')
      const { hostId, organizationId, zoneId, publicZoneId, name, timeZone, timeZoneHistory, agentVersion, onTwoPcs } = host
      return { hostId, organizationId, zoneId, publicZoneId, name, timeZone, timeZoneHistory, agentVersion, onTwoPcs }
    },
    async licence(number) {
      const licence = await findLicence(db, number)
      if (!licence) throw new Problem(401, 'There is no such licence number.')
      return licence
    },
    recordActivity: (person) => recordActivity(db, person),
    findWhomToAsk: (organizationId) => findWhomToAsk(db, organizationId),
    organization: (person, publicId) => getVisibleOrganization(db, person, publicId),
  }
}

export interface NewAccount {
  email: string
  password: string
  name: string
  permissions: readonly string[]
}

/** Adds an account of the embedded provider; an existing one is left alone. Returns its id, the subject of its tokens. */
export async function ensureAccount(db: Database, { email, password, name, permissions }: NewAccount): Promise<string> {
  const known = await findAccount(db, email)
  if (known) return known.id
  const row = { email, email_verified: true, password_hash: await hashPassword(password), name, permissions: [...permissions] }
  const added = (await insertAccount(db, row)) ?? (await findAccount(db, email))
  return added!.id
}

const findAccount = (db: Database, email: string) => selectAccountByEmail(db, email.trim().toLowerCase())

export const listAccounts = (db: Database) => selectAccounts(db)

/** Removes the account with its sessions and tokens. Does nothing where there is none. */
export async function removeAccount(db: Database, email: string): Promise<void> {
  const account = await findAccount(db, email)
  if (!account) return
  await deleteRecordsByAccount(db, account.id)
  await deleteAccount(db, account.id)
}

/**
 * Keeps a message for the operator to deliver where no mail server took it.
 * @param expiresIn seconds
 */
export const saveMessage = (db: Database, message: Message, expiresIn: number): Promise<void> => insertMessage(db, message, expiresIn)

export const listMessages = (db: Database) => selectMessages(db)

/** Returns the e-mail as stored. Throws an Error where there is no such account. @param issuer of the embedded provider */
export async function changeAccount(
  { db, identity }: { db: Database; identity: Database },
  issuer: string,
  email: string,
  changes: { permissions: Permission[] } | { blocked: boolean },
): Promise<string> {
  const account = await findAccount(identity, email)
  if (!account) throw new Error(`There is no account ${email}.`)
  await updateAccount(identity, account.id, changes)
  if ('blocked' in changes) await recordBlock(db, issuer, account, changes.blocked)
  return account.email
}

// `endsOld`: ends every session and everything that the other keys have signed. Otherwise those keys go out of use over time.
export async function addSigningKey(db: Database, endsOld: boolean): Promise<void> {
  const key = await generateSigningKey()
  await inTransaction(db, async (transaction) => {
    if (endsOld) await deleteKeysAndRecords(transaction)
    await insertNextKey(transaction, key)
  })
}
