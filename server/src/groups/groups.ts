import type { Group } from '@lectern/contract/groups.ts'
import { recordChange } from '../audit/audit.ts'
import type { Database } from '../lib/database/database.ts'
import { isStaff, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { unknownProducts } from '../products/products.ts'
import { verifyInvitation } from './invitations.ts'
import {
  deleteGroup,
  deleteOtherGroupProducts,
  type GroupRow,
  insertGroup,
  insertGroupProducts,
  lockGroups,
  lockPerson,
  moveMembers,
  selectGroup,
  selectGroupIds,
  selectGroupOfPerson,
  selectGroupsByOrganization,
  selectMemberships,
  updateGroupName,
  upsertMember,
} from './sql.ts'

/** A change with who asked for it. */
interface Asked {
  db: Database
  caller: Person
  origin: { address: string; requestId: string }
}

/** A group as the contract has it. */
export const toGroup = ({ id, name, products, people }: GroupRow): Group => ({ gid: id, name, products, users: people })

/** The groups of some organizations with the organization of each, oldest first. */
export const findGroups = (db: Database, ...organizationIds: string[]): Promise<GroupRow[]> =>
  selectGroupsByOrganization(db, organizationIds)

/** Organizations of a person, oldest membership first. */
export const listMemberships = async (db: Database, userId: string): Promise<string[]> =>
  (await selectMemberships(db, userId)).map((member) => member.organization_id)

/** The same, which nobody else changes until the transaction ends. */
export async function lockMemberships(db: Database, userId: string): Promise<string[]> {
  await lockPerson(db, userId)
  return listMemberships(db, userId)
}

/** The person's group in their active organization without its members, or undefined. */
export async function ownGroup(db: Database, { userId, organizations: [active] }: Person): Promise<Omit<GroupRow, 'people'> | undefined> {
  return active === undefined ? undefined : selectGroupOfPerson(db, userId, active)
}

/** A group of the caller's organizations, or for staff any; every other one does not exist. */
export async function visibleGroup(
  db: Database,
  caller: Person,
  id: number,
  find: (db: Database, id: number) => Promise<GroupRow | undefined> = selectGroup,
): Promise<GroupRow> {
  const group = await find(db, id)
  if (!group || !(caller.organizations.includes(group.organization_id) || isStaff(caller))) throw notFound('group')
  return group
}

/** A group as it is once nobody else changes the groups of its organization, which stay as they are until the transaction ends. */
async function lockedGroup(db: Database, id: number): Promise<GroupRow | undefined> {
  const group = await selectGroup(db, id)
  if (group) await lockGroups(db, group.organization_id)
  return group && selectGroup(db, id)
}

/** Makes an organization's first group, with the person who registered it as its member. */
export async function foundGroup(db: Database, organizationId: string, name: string, userId: string): Promise<void> {
  const { id } = await insertGroup(db, organizationId, name)
  await upsertMember(db, { organization_id: organizationId, group_id: id, user_id: userId })
}

/** Adds a group to the caller's active organization. */
export async function createGroup({ db, caller, origin }: Asked, name: string): Promise<Group> {
  const [organizationId] = caller.organizations
  if (organizationId === undefined) throw new Problem(409, 'You belong to no organization yet. Set up yours first.')
  const { id } = await insertGroup(db, organizationId, name)
  await recordChange(
    db,
    { caller, origin },
    { organization_id: organizationId, change_type: 'createGroup', target: String(id), new_value: name },
  )
  return toGroup(await visibleGroup(db, caller, id))
}

/** Its own members rename a group, and staff any (decided). */
export async function renameGroup({ db, caller, origin }: Asked, id: number, name: string): Promise<Group> {
  const group = await visibleGroup(db, caller, id, lockedGroup)
  const isMember = (await selectGroupOfPerson(db, caller.userId, group.organization_id))?.id === id
  if (!isMember && !isStaff(caller)) throw new Problem(403, 'Only its members can rename a group.')
  await updateGroupName(db, id, name)
  await recordChange(
    db,
    { caller, origin },
    { organization_id: group.organization_id, change_type: 'renameGroup', target: group.name, new_value: name },
  )
  return toGroup({ ...group, name })
}

/** Makes these the products of a group. Refuses ids that no product has. */
export async function setGroupProducts(
  { db, caller, origin, unchanged }: Asked & { unchanged: (before: Group) => Promise<void> },
  id: number,
  productIds: readonly number[],
): Promise<Group> {
  const group = await visibleGroup(db, caller, id, lockedGroup)
  await unchanged(toGroup(group))
  const products = [...new Set(productIds)].sort((one, other) => one - other)
  const unknown = await unknownProducts(db, products)
  if (unknown.length > 0) {
    const message = `There is no product ${unknown.join(', ')}.`
    throw new Problem(400, message, { errors: [{ field: 'productIds', message }] })
  }
  await deleteOtherGroupProducts(db, id, products)
  await insertGroupProducts(db, { organization_id: group.organization_id, group_id: id }, products)
  await recordChange(
    db,
    { caller, origin },
    { organization_id: group.organization_id, change_type: 'setGroupProducts', target: group.name, new_value: products.join(', ') },
  )
  return toGroup({ ...group, products })
}

/** Deletes a group; its members and their products move to the replacement. An organization keeps its last group (decided). */
export async function removeGroup({ db, caller, origin }: Asked, id: number, replacementId: number): Promise<void> {
  const group = await visibleGroup(db, caller, id, lockedGroup)
  const organizationId = group.organization_id
  const ids = (await selectGroupIds(db, organizationId)).map((row) => row.id)
  if (ids.length === 1)
    throw new Problem(409, `"${group.name}" is the last group of its organization and cannot be deleted. Add another group first.`)
  if (replacementId === id || !ids.includes(replacementId)) {
    const message = 'The replacement must be another group of the same organization.'
    throw new Problem(400, message, { errors: [{ field: 'replacementGroupId', message }] })
  }
  await moveMembers(db, id, replacementId, organizationId)
  await insertGroupProducts(db, { organization_id: organizationId, group_id: replacementId }, group.products)
  await deleteGroup(db, id)
  await recordChange(
    db,
    { caller, origin },
    { organization_id: organizationId, change_type: 'deleteGroup', target: group.name, new_value: String(replacementId) },
  )
}

/**
 * Makes the caller a member: by an invitation, or without one within their own organization (decided). Throws a Problem that says
 * why an invitation does not serve: expired, not genuine, its group gone, or the caller already in another organization.
 */
export async function joinGroup({ db, caller, origin }: Asked, id: number, invitation: string | undefined): Promise<Group> {
  const organizations = await lockMemberships(db, caller.userId)
  if (invitation !== undefined) await verifyInvitation(db, invitation, id)
  const member = { ...caller, organizations, permissions: new Set<string>() }
  const group = invitation === undefined ? await visibleGroup(db, member, id, lockedGroup) : await lockedGroup(db, id)
  if (!group) throw new Problem(404, 'The group of this invitation does not exist any more. Ask your colleague for a new link.')
  if (isStaff(caller)) throw new Problem(409, "The vendor's staff belong to no customer's organization.")
  const organizationId = group.organization_id
  const home = organizations.includes(organizationId) ? organizationId : organizations[0]
  const own = home === undefined ? undefined : await selectGroupOfPerson(db, caller.userId, home)
  if (own && home !== organizationId)
    throw new Problem(409, `You already belong to ${own.organization_name || 'another organization'}, and nobody can belong to two.`)
  if (own?.id === id) return toGroup(group)
  await upsertMember(db, { organization_id: organizationId, group_id: id, user_id: caller.userId })
  await recordChange(db, { caller, origin }, { organization_id: organizationId, change_type: 'joinGroup', target: group.name })
  return toGroup((await selectGroup(db, id))!)
}
