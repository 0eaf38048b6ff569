import type { ChangeType } from '@lectern/contract/audit/changes.ts'
import type { SecurityEvent, SecurityEventKind } from '@lectern/idp/sign-in/security-log.ts'
import type { Logger } from 'pino'
import { recordChangesBy } from '../audit/audit.ts'
import type { Database } from '../lib/database/database.ts'
import { findPerson } from '../users/users.ts'

const sentences: Record<SecurityEventKind, string> = {
  signIn: 'Signed in',
  signInRefused: 'A sign-in was refused',
  lockOut: 'A sign-in is locked after too many wrong passwords',
  signOut: 'Signed out',
  signUp: 'An account was created',
  emailConfirmed: 'An e-mail was confirmed',
  resetRequested: 'A reset of a password was asked for',
  passwordReset: 'A password was reset',
  passwordChanged: 'A password was changed',
  refreshTokenReused: 'A refresh token was used again, and its session ended',
  passkeyAdded: 'A passkey was added',
  passkeyRemoved: 'A passkey was removed',
  passkeyRefused: 'A passkey was refused',
  recoveryRequested: 'A recovery of lost passkeys was asked for',
  recoveryUsed: 'Lost passkeys were replaced after a recovery',
}

// Security events that are recorded as changes. What a stranger can cause at will, such as a wrong password, is only in the server's log
// (decision 0049).
const changes: Partial<Record<SecurityEventKind, ChangeType>> = {
  signIn: 'signIn',
  lockOut: 'lockOut',
  passwordReset: 'passwordReset',
  passwordChanged: 'passwordChanged',
  passkeyAdded: 'passkeyAdded',
  passkeyRemoved: 'passkeyRemoved',
  recoveryRequested: 'recoveryRequested',
  recoveryUsed: 'recoveryUsed',
}
const warned: ReadonlySet<SecurityEventKind> = new Set(['signInRefused', 'lockOut', 'refreshTokenReused', 'passkeyRefused'])

// For each event: a line in the server's log, and an entry in the audit log of each organization of the account (SES-06). A failure is
// logged and stops nothing.
export function createSecurityEvents(db: Database, issuer: string, log: Logger): (event: SecurityEvent) => Promise<void> {
  return async (event) => {
    const { kind, account, reason, address, requestId } = event
    const line = { event: kind, account: account?.id ?? null, email: account?.email ?? null, reason, address, requestId }
    log[warned.has(kind) ? 'warn' : 'info'](line, sentences[kind])
    const change = changes[kind]
    if (!account || !change) return
    const origin = { address, requestId, isTheirs: change !== 'lockOut' }
    await recordForOrganizations(db, issuer, account, change, origin).catch((err: unknown) =>
      log.error({ err, event: kind }, 'A security event is not in the audit log'),
    )
  }
}

export const recordBlock = (db: Database, issuer: string, account: { id: string; email: string }, isBlocked: boolean): Promise<void> =>
  recordForOrganizations(db, issuer, account, 'accountBlocked', { address: null, requestId: null, isTheirs: false }, String(isBlocked))

interface Origin {
  address: string | null
  requestId: string | null
  // Whether the account's owner caused it.
  isTheirs: boolean
}

async function recordForOrganizations(
  db: Database,
  issuer: string,
  { id, email }: { id: string; email: string },
  type: ChangeType,
  { isTheirs, ...origin }: Origin,
  newValue: string | null = null,
): Promise<void> {
  const person = await findPerson(db, issuer, id)
  if (!person) return
  await recordChangesBy(
    db,
    { initiator: isTheirs ? person : null, ...origin },
    person.organizations.map((organization) => ({
      organization_id: organization.id,
      change_type: type,
      target: email,
      new_value: newValue,
    })),
  )
}
