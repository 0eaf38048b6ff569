import type { Group } from '@lectern/contract/groups.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { findScope, isStaff, type OrganizationIds, type OrganizationScope, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { acceptInvitation, addFirstManager, invalidInvitation, isLimitedMember, moveOpenInvitations } from '../people/people.ts'
import { listUnknownProducts } from '../products/products.ts'
import {
  deleteGroup,
  deleteOtherGroupProducts,
  type GroupRow,
  insertGroup,
  insertGroupProducts,
  lockGroups,
  lockPerson,
  moveMembers,
  selectCountedGroups,
  selectGroup,
  selectGroupIds,
  selectGroupOfPerson,
  selectGroupsByOrganization,
  selectMemberships,
  updateGroup,
  updateGroupName,
} from './sql.ts'

export const toGroup = ({ id, name, products, people }: GroupRow): Group => ({ gid: id, name, products, users: people })

export const listGroups = (db: Database, ...organizationIds: number[]): Promise<GroupRow[]> =>
  selectGroupsByOrganization(db, organizationIds)

export async function listCountedGroups(db: Database, organizationId: number): Promise<Group[]> {
  const rows = await selectCountedGroups(db, organizationId)
  return rows.map(({ id, name, products, member_count }) => ({ gid: id, name, products, users: [], memberCount: member_count }))
}

export const listMemberships = async (db: Database, userId: string): Promise<OrganizationIds[]> => selectMemberships(db, userId)

export async function lockMemberships(db: Database, userId: string): Promise<OrganizationIds[]> {
  await lockPerson(db, userId)
  return listMemberships(db, userId)
}

export async function findOwnGroup(
  db: Database,
  { userId, organizations: [active] }: Pick<Person, 'userId'> & { organizations: readonly OrganizationIds[] },
): Promise<Omit<GroupRow, 'people'> | undefined> {
  return active === undefined ? undefined : selectGroupOfPerson(db, userId, active.id)
}

/** Throws a Problem 404 also for a group of another organization; staff see all. */
export async function getVisibleGroup(
  db: Database,
  caller: Person,
  id: number,
  find: (db: Database, id: number, scope: OrganizationScope) => Promise<GroupRow | undefined> = selectGroup,
): Promise<GroupRow> {
  const group = await find(db, id, findScope(caller))
  if (!group) throw notFound('group')
  return group
}

async function lockGroup(db: Database, id: number, scope: OrganizationScope): Promise<GroupRow | undefined> {
  const group = await selectGroup(db, id, scope)
  if (group) await lockGroups(db, group.organization_id)
  return group && selectGroup(db, id, [group.organization_id])
}

export async function createFirstGroup(db: Database, organizationId: number, name: string, userId: string): Promise<void> {
  const { id } = await insertGroup(db, organizationId, name, userId)
  await addFirstManager(db, { organization_id: organizationId, group_id: id, user_id: userId })
}

export async function createGroup(db: Database, actor: Actor<Person>, name: string): Promise<Group> {
  const organizationId = actor.caller.organizations[0]?.id
  if (organizationId === undefined) throw new Problem(409, 'You belong to no organization yet. Set up yours first.')
  const { id } = await insertGroup(db, organizationId, name, actor.caller.userId)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'createGroup', target: String(id), new_value: name })
  return toGroup(await getVisibleGroup(db, actor.caller, id))
}

export async function renameGroup(db: Database, actor: Actor<Person>, id: number, name: string): Promise<Group> {
  const group = await getVisibleGroup(db, actor.caller, id, lockGroup)
  await updateGroupName(db, group.organization_id, id, name)
  await recordChange(db, actor, {
    organization_id: group.organization_id,
    change_type: 'renameGroup',
    target: group.name,
    new_value: name,
  })
  return toGroup({ ...group, name })
}

/** Replaces the group's products. Throws a Problem 400 for an id without a product. */
export async function setGroupProducts(
  db: Database,
  actor: Actor<Person>,
  id: number,
  productIds: readonly number[],
  unchanged: (before: Group) => Promise<void>,
): Promise<Group> {
  const group = await getVisibleGroup(db, actor.caller, id, lockGroup)
  await unchanged(toGroup(group))
  const products = [...new Set(productIds)].sort((one, other) => one - other)
  const unknown = await listUnknownProducts(db, products)
  if (unknown.length > 0) {
    const message = `There is no product ${unknown.join(', ')}.`
    throw new Problem(400, message, { errors: [{ field: 'productIds', message }] })
  }
  await deleteOtherGroupProducts(db, { organization_id: group.organization_id, group_id: id }, products)
  await insertGroupProducts(db, { organization_id: group.organization_id, group_id: id }, products)
  await recordChange(db, actor, {
    organization_id: group.organization_id,
    change_type: 'setGroupProducts',
    target: group.name,
    new_value: products.join(', '),
  })
  return toGroup({ ...group, products })
}

/** Members and products move to the replacement. An organization keeps its last group. */
export async function removeGroup(db: Database, actor: Actor<Person>, id: number, replacementId: number): Promise<void> {
  const group = await getVisibleGroup(db, actor.caller, id, lockGroup)
  const organizationId = group.organization_id
  const ids = (await selectGroupIds(db, organizationId)).map((row) => row.id)
  if (ids.length === 1)
    throw new Problem(409, `"${group.name}" is the last group of its organization and cannot be deleted. Add another group first.`)
  if (replacementId === id || !ids.includes(replacementId)) {
    const message = 'The replacement must be another group of the same organization.'
    throw new Problem(400, message, { errors: [{ field: 'replacementGroupId', message }] })
  }
  await moveMembers(db, id, replacementId, organizationId)
  await moveOpenInvitations(db, organizationId, id, replacementId)
  await insertGroupProducts(db, { organization_id: organizationId, group_id: replacementId }, group.products)
  await deleteGroup(db, organizationId, id)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'deleteGroup',
    target: group.name,
    new_value: String(replacementId),
  })
}

/**
 * Without an invitation, only members who may manage people can join, within their own organization. Throws a Problem where the caller
 * cannot join.
 */
export async function joinGroup(db: Database, actor: Actor<Person>, id: number, invitation: string | undefined): Promise<Group> {
  const { caller } = actor
  await lockPerson(db, caller.userId)
  const group =
    invitation === undefined ? await getVisibleGroup(db, { ...caller, claims: new Set() }, id, lockGroup) : await lockGroup(db, id, 'all')
  if (!group) throw invalidInvitation()
  if (isStaff(caller)) throw new Problem(409, "The vendor's staff belong to no customer's organization.")
  const organizationId = group.organization_id
  const isJoined = invitation === undefined ? await changeOwnGroup(db, caller, group) : await acceptInvitation(db, actor, group, invitation)
  if (isJoined) await recordChange(db, actor, { organization_id: organizationId, change_type: 'joinGroup', target: group.name })
  const joined = toGroup((await selectGroup(db, id, [organizationId]))!)
  // A role limited to zones does not see the members.
  return (await isLimitedMember(db, organizationId, caller.userId)) ? { ...joined, users: [] } : joined
}

/** Returns false where it is their group already. */
async function changeOwnGroup(db: Database, caller: Person, { id, organization_id }: GroupRow): Promise<boolean> {
  if ((await selectGroupOfPerson(db, caller.userId, organization_id))?.id === id) return false
  if (!caller.permissions.has('manage:people'))
    throw new Problem(403, `To join another group you need an invitation to it, or the permission ${quotePermissions(['manage:people'])}.`)
  await updateGroup(db, organization_id, caller.userId, id)
  return true
}
