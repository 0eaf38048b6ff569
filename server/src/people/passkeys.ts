import { scrypt } from 'node:crypto'
import { promisify } from 'node:util'
import type { Recovery, SignInRule } from '@lectern/contract/people/passkeys.ts'
import { mostWrongCodes, recoveryHours } from '@lectern/contract/people/passkeys.ts'
import type { BuiltInRole } from '@lectern/contract/people/roles.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { listPermissions, lockPeople, type PeopleCall, refuseAbove } from './grants.ts'
import {
  countOpen,
  deleteRecovery,
  deleteRequests,
  insertRecovery,
  type RecoveryRow,
  selectIsConfirmed,
  selectMemberNames,
  selectOtherManagers,
  selectRecoveries,
  selectRecovery,
  selectRequiresPasskeys,
  updateConfirmed,
  updateRequiresPasskeys,
  updateWrongCodes,
} from './passkeys-sql.ts'
import { selectMembership } from './sql.ts'
import { mostNamed, nameInWords } from './whom-to-ask.ts'

const mostShown = 100

/** The most open requests of an account. */
const mostRecoveries = 3

interface RecoveryRequest {
  /** The hash of the secret that the asking browser keeps. */
  browser: string
  code: string
  address: string
  agent: string
}

export async function getSignInRule(db: Database, organizationId: number): Promise<SignInRule> {
  return { requiresPasskeys: (await selectRequiresPasskeys(db, organizationId)).requires_passkeys }
}

export async function setSignInRule(call: PeopleCall, { requiresPasskeys }: SignInRule): Promise<SignInRule> {
  const { db, actor, organizationId } = call
  await lockPeople(call)
  const { requires_passkeys: former } = await selectRequiresPasskeys(db, organizationId)
  if (former === requiresPasskeys) return { requiresPasskeys }
  if (requiresPasskeys && !actor.caller.isByPasskey)
    throw new Problem(409, 'Sign in with a passkey yourself first. Then you can require them of everybody.')
  await updateRequiresPasskeys(db, organizationId, requiresPasskeys)
  const new_value = String(requiresPasskeys)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'setSignInRule', new_value })
  return { requiresPasskeys }
}

/** `recoveries` is beside the call's transaction: requests are stored by the identity provider (decision 76). */
interface RecoveryCall extends PeopleCall {
  recoveries: Database
}

interface Named {
  name: string
  email: string
}

const toRecovery = (row: RecoveryRow, { name, email }: Named, ownId: string): Recovery => ({
  recoveryId: row.id,
  name,
  email,
  requestedAt: row.requested_at.toISOString(),
  address: row.address,
  browser: row.agent,
  expiresAt: row.expires_at.toISOString(),
  isConfirmed: row.confirmed_at !== null,
  isOwn: row.user_id === ownId,
})

export async function listRecoveries({ db, recoveries, actor, organizationId }: RecoveryCall): Promise<Recovery[]> {
  const rows = await selectRecoveries(recoveries, organizationId, mostShown)
  const names = await selectMemberNames(
    db,
    organizationId,
    rows.map((row) => row.user_id),
  )
  const byId = new Map(names.map((row) => [row.id, row]))
  return rows.flatMap((row) => {
    const named = byId.get(row.user_id)
    return named ? [toRecovery(row, named, actor.caller.userId)] : []
  })
}

async function getRecovery({ db, recoveries, organizationId }: RecoveryCall, id: string): Promise<{ row: RecoveryRow; named: Named }> {
  const row = await selectRecovery(recoveries, organizationId, id)
  const [named] = row ? await selectMemberNames(db, organizationId, [row.user_id]) : []
  if (!row || !named) throw notFound('recovery')
  return { row, named }
}

/** Confirming one ends the account's other requests. */
export async function confirmRecovery(call: RecoveryCall, id: string, code: string): Promise<Recovery> {
  const { db, recoveries, actor, organizationId } = call
  const holder = await lockPeople(call)
  const { row, named } = await getRecovery(call, id)
  const ownId = actor.caller.userId
  if (row.user_id === ownId) throw new Problem(403, 'Another manager must confirm your recovery.')
  const target = await selectMembership(db, organizationId, row.user_id)
  if (!target) throw notFound('recovery')
  const { built_in_role, permissions } = target
  refuseAbove(holder, listPermissions({ built_in_role: built_in_role as BuiltInRole | null, permissions }))
  await checkCode(call, row, code)
  if (row.confirmed_at !== null) return toRecovery(row, named, ownId)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'confirmRecovery', target: named.email })
  await inTransaction(recoveries, async (transaction) => {
    await updateConfirmed(transaction, organizationId, id, recoveryHours)
    await deleteRequests(transaction, row.user_id, { not: row.browser })
  })
  return toRecovery((await getRecovery(call, id)).row, named, ownId)
}

const derive = promisify(scrypt) as (text: string, salt: string, length: number) => Promise<Buffer>

/** Each request has another secret in its browser; `browser` is its hash. */
const hashCode = async (code: string, browser: string): Promise<string> => (await derive(code, browser, 32)).toString('base64url')

/** Throws a Problem 400 for a wrong code. A request takes `mostWrongCodes` of them. */
async function checkCode({ recoveries, organizationId }: RecoveryCall, row: RecoveryRow, code: string): Promise<void> {
  if ((await hashCode(code, row.browser)) === row.code_hash) return
  const counted = await updateWrongCodes(recoveries, organizationId, row.id)
  const isOver = counted === undefined || counted.wrong_codes >= mostWrongCodes
  if (isOver) await deleteRequests(recoveries, row.user_id, { of: row.browser })
  const message = isOver
    ? 'This is not its code, for the last time. The request has ended. Have them ask again.'
    : 'This is not the code of this request. Ask the member to read it again.'
  throw new Problem(400, message, { errors: [{ field: 'code', message }] })
}

export async function refuseRecovery(call: RecoveryCall, id: string): Promise<void> {
  const { db, recoveries, actor, organizationId } = call
  await lockPeople(call)
  const { named } = await getRecovery(call, id)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'refuseRecovery', target: named.email })
  await deleteRecovery(recoveries, organizationId, id)
}

interface Requiring {
  userId: string
  organizationIds: readonly number[]
}

// Asks in each organization of the person, as a manager of one must not let a stranger into another. Refused where one has no other
// manager.
export async function askRecovery(
  { people, recoveries }: { people: Database; recoveries: Database },
  { userId, organizationIds }: Requiring,
  { browser, code, address, agent }: RecoveryRequest,
): Promise<{ managers: string } | { refused: 'no manager' } | { refused: 'too many'; open: number }> {
  const asked: string[] = []
  for (const organization_id of organizationIds) {
    const names = nameInWords(await selectOtherManagers(people, organization_id, userId, mostNamed))
    if (names === null) return { refused: 'no manager' }
    asked.push(names)
  }
  if (asked.length === 0) return { refused: 'no manager' }
  const code_hash = await hashCode(code, browser)
  return inTransaction(recoveries, async (transaction) => {
    const open = await countOpen(transaction, userId)
    if (open >= mostRecoveries) return { refused: 'too many' as const, open }
    for (const organization_id of organizationIds)
      await insertRecovery(
        transaction,
        { organization_id, id: uuidv7(), user_id: userId, browser, code_hash, address, agent },
        recoveryHours,
      )
    return { managers: new Intl.ListFormat('en').format(asked) }
  })
}

export async function isRecoveryConfirmed(db: Database, { userId, organizationIds }: Requiring, browser: string, locked = false) {
  for (const id of organizationIds) if (!(await selectIsConfirmed(db, id, userId, browser, locked))) return false
  return organizationIds.length > 0
}

export function useRecovery(db: Database, person: Requiring, browser: string): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if (!(await isRecoveryConfirmed(transaction, person, browser, true))) return false
    await deleteRequests(transaction, person.userId, {})
    return true
  })
}

export async function cancelRecovery(db: Database, { userId, organizationIds }: Requiring): Promise<void> {
  if (organizationIds.length > 0) await deleteRequests(db, userId, {})
}
