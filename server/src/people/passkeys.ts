import type { Recovery, SignInRule } from '@lectern/contract/people/passkeys.ts'
import { recoveryHours } from '@lectern/contract/people/passkeys.ts'
import type { BuiltInRole } from '@lectern/contract/people/roles.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { listPermissions, lockPeople, type PeopleCall, refuseAbove } from './grants.ts'
import {
  deleteMemberRecovery,
  deleteRecovery,
  type RecoveryRow,
  selectIsConfirmed,
  selectOtherManagers,
  selectRecoveries,
  selectRecovery,
  selectRequiresPasskeys,
  updateConfirmed,
  updateRequiresPasskeys,
  upsertRecovery,
} from './passkeys-sql.ts'
import { selectMembership } from './sql.ts'
import { mostNamed, nameInWords } from './whom-to-ask.ts'

const mostShown = 100

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

const toRecovery = (row: RecoveryRow, ownId: string): Recovery => ({
  recoveryId: row.id,
  name: row.name,
  email: row.email,
  requestedAt: row.requested_at.toISOString(),
  expiresAt: row.expires_at.toISOString(),
  isConfirmed: row.confirmed_at !== null,
  isOwn: row.user_id === ownId,
})

export async function listRecoveries({ db, actor, organizationId }: PeopleCall): Promise<Recovery[]> {
  return (await selectRecoveries(db, organizationId, mostShown)).map((row) => toRecovery(row, actor.caller.userId))
}

async function getRecovery({ db, organizationId }: PeopleCall, id: string): Promise<RecoveryRow> {
  const row = await selectRecovery(db, organizationId, id)
  if (!row) throw notFound('recovery')
  return row
}

export async function confirmRecovery(call: PeopleCall, id: string): Promise<Recovery> {
  const { db, actor, organizationId } = call
  const holder = await lockPeople(call)
  const row = await getRecovery(call, id)
  const ownId = actor.caller.userId
  if (row.user_id === ownId) throw new Problem(403, 'Another manager must confirm your recovery.')
  const target = await selectMembership(db, organizationId, row.user_id)
  if (!target) throw notFound('recovery')
  const { built_in_role, permissions } = target
  refuseAbove(holder, listPermissions({ built_in_role: built_in_role as BuiltInRole | null, permissions }))
  if (row.confirmed_at !== null) return toRecovery(row, ownId)
  await updateConfirmed(db, organizationId, id, recoveryHours)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'confirmRecovery', target: row.email })
  return toRecovery(await getRecovery(call, id), ownId)
}

export async function refuseRecovery(call: PeopleCall, id: string): Promise<void> {
  const { db, actor, organizationId } = call
  await lockPeople(call)
  const row = await getRecovery(call, id)
  await deleteRecovery(db, organizationId, id)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'refuseRecovery', target: row.email })
}

interface Requiring {
  userId: string
  organizationIds: readonly number[]
}

// In each of the organizations, as a manager of one must not let a stranger into another. Null where one of them has no other manager.
export function askRecovery(db: Database, { userId, organizationIds }: Requiring, browser: string): Promise<string | null> {
  return inTransaction(db, async (transaction) => {
    const asked: string[] = []
    for (const organization_id of organizationIds) {
      const names = nameInWords(await selectOtherManagers(transaction, organization_id, userId, mostNamed))
      if (names === null) return null
      asked.push(names)
    }
    for (const organization_id of organizationIds)
      await upsertRecovery(transaction, { organization_id, id: uuidv7(), user_id: userId, browser }, recoveryHours)
    return asked.length === 0 ? null : new Intl.ListFormat('en').format(asked)
  })
}

export async function isRecoveryConfirmed(db: Database, { userId, organizationIds }: Requiring, browser: string, locked = false) {
  for (const id of organizationIds) if (!(await selectIsConfirmed(db, id, userId, browser, locked))) return false
  return organizationIds.length > 0
}

export function useRecovery(db: Database, person: Requiring, browser: string): Promise<boolean> {
  return inTransaction(db, async (transaction) => {
    if (!(await isRecoveryConfirmed(transaction, person, browser, true))) return false
    await cancelRecovery(transaction, person)
    return true
  })
}

export async function cancelRecovery(db: Database, { userId, organizationIds }: Requiring): Promise<void> {
  for (const id of organizationIds) await deleteMemberRecovery(db, id, userId)
}
