import type { Group } from '@lectern/contract/groups.ts'
import { recordChange } from '../audit/audit.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { findScope, isStaff, type OrganizationIds, type OrganizationScope, type Person } from '../lib/http/caller.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { listUnknownProducts } from '../products/products.ts'
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

export const toGroup = ({ id, name, products, people }: GroupRow): Group => ({ gid: id, name, products, users: people })

export const listGroups = (db: Database, ...organizationIds: number[]): Promise<GroupRow[]> =>
  selectGroupsByOrganization(db, organizationIds)

export const listMemberships = async (db: Database, userId: string): Promise<OrganizationIds[]> => selectMemberships(db, userId)

export async function lockMemberships(db: Database, userId: string): Promise<OrganizationIds[]> {
  await lockPerson(db, userId)
  return listMemberships(db, userId)
}

export async function findOwnGroup(
  db: Database,
  { userId, organizations: [active] }: Person,
): Promise<Omit<GroupRow, 'people'> | undefined> {
  return active === undefined ? undefined : selectGroupOfPerson(db, userId, active.id)
}

const belongsTo = ({ organizations }: Pick<Person, 'organizations'>, organizationId: number): boolean =>
  organizations.some(({ id }) => id === organizationId)

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
  const { id } = await insertGroup(db, organizationId, name)
  await upsertMember(db, { organization_id: organizationId, group_id: id, user_id: userId })
}

export async function createGroup(db: Database, actor: Actor<Person>, name: string): Promise<Group> {
  const organizationId = actor.caller.organizations[0]?.id
  if (organizationId === undefined) throw new Problem(409, 'You belong to no organization yet. Set up yours first.')
  const { id } = await insertGroup(db, organizationId, name)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'createGroup', target: String(id), new_value: name })
  return toGroup(await getVisibleGroup(db, actor.caller, id))
}

/** Members rename their own group; staff rename any. */
export async function renameGroup(db: Database, actor: Actor<Person>, id: number, name: string): Promise<Group> {
  const { caller } = actor
  const group = await getVisibleGroup(db, caller, id, lockGroup)
  const isMember = (await selectGroupOfPerson(db, caller.userId, group.organization_id))?.id === id
  if (!isMember && !isStaff(caller)) throw new Problem(403, 'Only its members can rename a group.')
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
  await insertGroupProducts(db, { organization_id: organizationId, group_id: replacementId }, group.products)
  await deleteGroup(db, organizationId, id)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'deleteGroup',
    target: group.name,
    new_value: String(replacementId),
  })
}

/** Within their own organization the caller needs no invitation (decision 8). Throws a Problem where the caller cannot join. */
export async function joinGroup(db: Database, actor: Actor<Person>, id: number, invitation: string | undefined): Promise<Group> {
  const { caller } = actor
  const organizations = await lockMemberships(db, caller.userId)
  if (invitation !== undefined) await verifyInvitation(db, invitation, id)
  const member = { ...caller, organizations, permissions: new Set<string>() }
  const group = invitation === undefined ? await getVisibleGroup(db, member, id, lockGroup) : await lockGroup(db, id, 'all')
  if (!group) throw new Problem(404, 'This group no longer exists. Ask your colleague for a new link.')
  if (isStaff(caller)) throw new Problem(409, "The vendor's staff belong to no customer's organization.")
  const organizationId = group.organization_id
  const home = belongsTo(member, organizationId) ? organizationId : organizations[0]?.id
  const own = home === undefined ? undefined : await selectGroupOfPerson(db, caller.userId, home)
  if (own && home !== organizationId)
    throw new Problem(
      409,
      `You already belong to ${own.organization_name || 'another organization'}. You can belong to only one organization.`,
    )
  if (own?.id === id) return toGroup(group)
  await upsertMember(db, { organization_id: organizationId, group_id: id, user_id: caller.userId })
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'joinGroup', target: group.name })
  return toGroup((await selectGroup(db, id, [organizationId]))!)
}
