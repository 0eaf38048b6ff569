import type { Member, MemberPage, MemberQuery } from '@lectern/contract/people/people.ts'
import { type BuiltInRole, builtInRoles } from '@lectern/contract/people/roles.ts'
import { recordChange } from '../audit/audit.ts'
import { type Actor, theServer } from '../lib/actor.ts'
import { isSameAddress } from '../lib/address.ts'
import type { Database } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { disownEntries } from '../library/library.ts'
import { adoptFirstRole } from './adoption.ts'
import { listPermissions, lockPeople, type PeopleCall, refuseAbove, refuseGranting } from './grants.ts'
import { getChosenGroup, hashSecret } from './invitations.ts'
import { moveInvitations, revokeInvitationsBy, revokeUngrantable, selectInvitationBySecret, updateAccepted } from './invitations-sql.ts'
import { askRecovery, cancelRecovery, isRecoveryConfirmed, useRecovery } from './passkeys.ts'
import { getChosenRole, listRoles, refuseReadOnly, toNamedRole } from './roles.ts'
import type { RoleKey } from './roles-sql.ts'
import {
  countManagers,
  countMembers,
  deleteMember,
  insertMember,
  lockOrganization,
  type MemberRow,
  selectManagers,
  selectMember,
  selectMembers,
  selectMembersByEmail,
  selectMembership,
  selectOwnOrganizations,
  updateActiveOrganization,
  updateActivity,
  updateMember,
} from './sql.ts'
import { nameManagers } from './whom-to-ask.ts'

const mostManagersNamed = 5

const toMember = (row: MemberRow): Member => ({
  memberId: row.id,
  firstName: row.first_name ?? '',
  lastName: row.last_name ?? '',
  email: row.email,
  role: toNamedRole(row),
  group: { gid: row.group_id, name: row.group_name },
  joinedAt: row.joined_at.toISOString(),
  lastActivityAt: row.last_active_at?.toISOString() ?? null,
})

export async function listMembers(db: Database, organizationId: number, query: MemberQuery): Promise<MemberPage> {
  const rows = await selectMembers(db, organizationId, query)
  const { amount } = await countMembers(db, organizationId, query.textFilter)
  return { memberList: rows.map(toMember), pageNumber: query.PageNumber, pageSize: query.PageSize, totalCount: amount }
}

/** People whom a member can ask for a permission: Managers first, then others who may manage people. */
export const listManagers = (db: Database, organizationId: number) => selectManagers(db, organizationId, mostManagersNamed)

export const findWhomToAsk = (db: Database, organizationId: number) => nameManagers(db, organizationId)

interface TargetMember extends RoleKey {
  email: string
  groupId: number
  permissions: readonly string[]
}

async function getTarget({ db, organizationId }: Pick<PeopleCall, 'db' | 'organizationId'>, userId: string): Promise<TargetMember> {
  const row = await selectMembership(db, organizationId, userId)
  if (!row) throw notFound('member')
  const key = { built_in_role: row.built_in_role as BuiltInRole | null, role_id: row.role_id }
  return { ...key, email: row.email, groupId: row.group_id, permissions: listPermissions({ ...key, permissions: row.permissions }) }
}

/** Throws a Problem 409 where the organization would lose its last Manager. */
async function refuseLastManager(
  { db, organizationId, areRolesReadOnly }: Omit<PeopleCall, 'actor'>,
  { built_in_role, email }: TargetMember,
): Promise<void> {
  if (areRolesReadOnly || built_in_role !== 'manager') return
  const { amount } = await countManagers(db, organizationId)
  if (amount === 1)
    throw new Problem(409, `${email} is the last ${builtInRoles.manager.name}. Make another member ${builtInRoles.manager.name} first.`)
}

async function getMember({ db, organizationId }: PeopleCall, userId: string): Promise<Member> {
  const row = await selectMember(db, organizationId, userId)
  if (!row) throw notFound('member')
  return toMember(row)
}

export async function changeMemberRole(call: PeopleCall, userId: string, roleId: string): Promise<Member> {
  refuseReadOnly(call)
  const { db, actor, organizationId } = call
  const holder = await lockPeople(call)
  const target = await getTarget(call, userId)
  const role = await getChosenRole(db, organizationId, roleId)
  refuseAbove(holder, target.permissions)
  refuseGranting(holder, role.permissions)
  if (role.key.built_in_role !== 'manager') await refuseLastManager(call, target)
  await updateMember(db, { organization_id: organizationId, user_id: userId }, role.key)
  await revokeUngrantable(db, organizationId)
  const change = { change_type: 'changeMemberRole', target: target.email, new_value: role.name } as const
  await recordChange(db, actor, { organization_id: organizationId, ...change })
  return getMember(call, userId)
}

export async function changeMemberGroup(call: PeopleCall, userId: string, groupId: number): Promise<Member> {
  const { db, actor, organizationId } = call
  const holder = await lockPeople(call)
  const target = await getTarget(call, userId)
  if (!call.areRolesReadOnly) refuseAbove(holder, target.permissions)
  const name = await getChosenGroup(db, organizationId, groupId)
  await updateMember(db, { organization_id: organizationId, user_id: userId }, { group_id: groupId })
  const change = { change_type: 'changeMemberGroup', target: target.email, new_value: name } as const
  await recordChange(db, actor, { organization_id: organizationId, ...change })
  return getMember(call, userId)
}

export async function removeMember(call: PeopleCall, userId: string): Promise<void> {
  const { actor, organizationId } = call
  const holder = await lockPeople(call)
  const target = await getTarget(call, userId)
  if (!call.areRolesReadOnly) refuseAbove(holder, target.permissions)
  await endMembership(call, userId, target)
  await recordChange(call.db, actor, { organization_id: organizationId, change_type: 'removeMember', target: target.email })
}

export async function leaveOrganization(call: PeopleCall): Promise<void> {
  const { db, actor, organizationId } = call
  await lockOrganization(db, organizationId)
  const target = await getTarget(call, actor.caller.userId)
  await endMembership(call, actor.caller.userId, target)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'leaveOrganization', target: target.email })
}

async function endMembership(call: PeopleCall, userId: string, target: TargetMember): Promise<void> {
  const { db, organizationId } = call
  await refuseLastManager(call, target)
  await deleteMember(db, { organization_id: organizationId, user_id: userId })
  await revokeInvitationsBy(db, organizationId, userId)
  await disownEntries(db, organizationId, userId)
}

// The person who registers an organization is its first Manager.
export async function addFirstManager(db: Database, member: { organization_id: number; group_id: number; user_id: string }): Promise<void> {
  await insertMember(db, { ...member, built_in_role: 'manager', role_id: null })
  await updateActiveOrganization(db, member.user_id, member.organization_id)
}

// Says whom to ask for another invitation. Only the person to whom it was sent reads who the members are, and not from an invitation that
// was used or revoked: they may have been removed since.
async function askAgain(db: Database, organizationId: number, { email }: { email: string }, caller: Person): Promise<string> {
  const isTheirs = caller.emailVerified && isSameAddress(caller.email, email)
  return `Ask ${(isTheirs && (await nameManagers(db, organizationId))) || 'whoever sent it'} for a new link.`
}

/**
 * Makes the caller a member, or moves a member to the invitation's group; they keep their role. Locks the organization. Returns false where
 * the same person used the invitation before. Throws a Problem 400 for what is no invitation to the group, 410 for one that is over, 403
 * for one of another address.
 */
export async function acceptInvitation(
  db: Database,
  { caller }: Actor<Person>,
  group: { id: number; organization_id: number },
  secret: string,
): Promise<boolean> {
  const organization_id = group.organization_id
  const invitation = await selectInvitationBySecret(db, organization_id, hashSecret(secret))
  if (!invitation || invitation.group_id !== group.id) throw invalidInvitation()
  const own = { organization_id, user_id: caller.userId }
  const membership = await selectMembership(db, organization_id, caller.userId)
  if (invitation.accepted_by === caller.userId && membership) return false
  const ask = () => askAgain(db, organization_id, invitation, caller)
  if (invitation.accepted_by !== null) throw new Problem(410, 'This invitation was used. Ask whoever sent it for a new link.')
  if (invitation.revoked_at !== null) throw new Problem(410, 'This invitation was taken back. Ask whoever sent it for a new link.')
  if (invitation.is_expired) throw new Problem(410, `This invitation has expired. ${await ask()}`)
  if (!isSameAddress(invitation.email, caller.email))
    throw new Problem(403, 'This invitation is for another e-mail address. Sign in with the address that it was sent to.')
  if (!caller.emailVerified) throw new Problem(403, 'Confirm your e-mail address first, then open the invitation again.')
  const role = { built_in_role: invitation.built_in_role as BuiltInRole | null, role_id: invitation.role_id }
  if (membership) await updateMember(db, own, { group_id: group.id })
  else await insertMember(db, { ...own, ...role, group_id: group.id })
  await updateAccepted(db, organization_id, invitation.id, caller.userId)
  await updateActiveOrganization(db, caller.userId, organization_id)
  return true
}

export const invalidInvitation = () =>
  new Problem(400, 'This invitation is not valid. Open the link in the newest mail, or ask whoever sent it for a new one.')

/** Stores where calls without an organization belong. Throws a Problem 404 for an organization that is not theirs. */
export async function setActiveOrganization(db: Database, caller: Person, publicId: string): Promise<number> {
  const own = caller.organizations.find((organization) => organization.publicId === publicId)
  if (!own) throw notFound()
  await updateActiveOrganization(db, caller.userId, own.id)
  return own.id
}

export const isLimitedMember = async (db: Database, organizationId: number, userId: string): Promise<boolean> =>
  (await selectMembership(db, organizationId, userId))?.is_limited === true

export async function recordActivity(db: Database, { userId, organizations: [active] }: Person): Promise<void> {
  if (!active?.isQuiet) return
  // Reads go on while the database cannot be written to.
  await updateActivity(db, { organization_id: active.id, user_id: userId }).catch(() => undefined)
}

export const moveOpenInvitations = (db: Database, organizationId: number, from: number, to: number) =>
  moveInvitations(db, organizationId, from, to)

export const adoptRole = (db: Database, member: { organization_id: number; user_id: string }, claims: readonly string[]) =>
  adoptFirstRole(db, member, claims)

/** In the order of the person's list. `role`: null where tokens decide what members may do. */
export async function listOwnOrganizations(db: Database, { userId, organizations }: Person, areRolesReadOnly: boolean) {
  const rows = await selectOwnOrganizations(
    db,
    userId,
    organizations.map(({ id }) => id),
  )
  const byId = new Map(rows.map((row) => [row.organization_id, row]))
  return organizations.map(({ id, publicId }) => {
    const row = byId.get(id)
    return { id: publicId, name: row?.name || publicId, role: row && !areRolesReadOnly ? toNamedRole(row) : null }
  })
}

/**
 * For the server's administrator, in a transaction.
 * @param role an id or a name
 * @throws Error for an unknown role or member
 */
export async function setMemberRole(
  { db, organizationId, areRolesReadOnly }: Omit<PeopleCall, 'actor'>,
  email: string,
  role: string,
): Promise<string> {
  await lockOrganization(db, organizationId)
  const [member, second] = await selectMembersByEmail(db, organizationId, email)
  if (!member) throw new Error(`${email} is no member of the organization.`)
  if (second) throw new Error(`${email} has several accounts in the organization. A manager can tell them apart in the portal.`)
  const { roleList } = await listRoles(db, organizationId, false)
  const chosen = roleList.find(({ roleId, name }) => roleId === role || name.toLowerCase() === role.toLowerCase())
  if (!chosen) throw new Error(`There is no role "${role}". Roles: ${roleList.map(({ name }) => name).join(', ')}.`)
  const { key, name } = await getChosenRole(db, organizationId, chosen.roleId)
  const call = { db, organizationId, areRolesReadOnly: false }
  if (key.built_in_role !== 'manager') await refuseLastManager(call, await getTarget(call, member.id))
  await updateMember(db, { organization_id: organizationId, user_id: member.id }, key)
  if (!areRolesReadOnly) await revokeUngrantable(db, organizationId)
  await recordChange(db, theServer, { organization_id: organizationId, change_type: 'setMemberRole', target: email, new_value: name })
  return name
}

// For the identity provider, whose pages call these.
export const recoveries = { ask: askRecovery, isConfirmed: isRecoveryConfirmed, use: useRecovery, cancel: cancelRecovery }
