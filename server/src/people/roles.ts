import type { Permission } from '@lectern/contract/http/permissions.ts'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { type BuiltInRole, builtInRoles, isBuiltIn, type Role, type RoleInput, type RoleList } from '@lectern/contract/people/roles.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import { notFound, Problem } from '../lib/http/problem.ts'
import { lockPeople, type PeopleCall, refuseGranting } from './grants.ts'
import { revokeUngrantable } from './invitations-sql.ts'
import { formatLimit, getLimit } from './role-limits.ts'
import { replaceLimit } from './role-limits-sql.ts'
import {
  countBuiltIn,
  countOpenInvitationsOfRole,
  countRoles,
  deleteClosedInvitationsOfRole,
  deleteRole,
  insertRole,
  type RoleKey,
  selectRole,
  selectRoles,
  updateRole,
} from './roles-sql.ts'

export interface KnownRole {
  key: RoleKey
  name: string
  permissions: readonly Permission[]
}

const isUuid = (text: string): boolean => /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(text)

const findOwnRole = (db: Database, organizationId: number, roleId: string) =>
  isUuid(roleId) ? selectRole(db, organizationId, roleId) : undefined

/** Throws a Problem 400 where the organization does not have the role. */
export async function getChosenRole(db: Database, organizationId: number, roleId: string): Promise<KnownRole> {
  if (isBuiltIn(roleId)) return { key: { built_in_role: roleId, role_id: null }, ...builtInRoles[roleId] }
  const role = await findOwnRole(db, organizationId, roleId)
  if (!role) {
    const message = 'There is no such role.'
    throw new Problem(400, message, { errors: [{ field: 'roleId', message }] })
  }
  return { key: { built_in_role: null, role_id: role.id }, name: role.name, permissions: role.permissions as Permission[] }
}

interface NamedRole {
  built_in_role: string | null
  role_id: string | null
  role_name: string | null
}

export function toNamedRole({ built_in_role, role_id, role_name }: NamedRole): { roleId: string; name: string } | null {
  if (built_in_role !== null) return { roleId: built_in_role, name: builtInRoles[built_in_role as BuiltInRole].name }
  return role_id === null || role_name === null ? null : { roleId: role_id, name: role_name }
}

type RoleRow = NonNullable<Awaited<ReturnType<typeof selectRole>>>

const toRole = ({ id, name, permissions, zones, tags, zone_count, members }: RoleRow): Role => ({
  roleId: id,
  name,
  permissions: permissions as Permission[],
  isBuiltIn: false,
  members: members ?? 0,
  ...(zones && { zones, tags, zoneCount: zone_count }),
})

async function listBuiltIn(db: Database, organizationId: number): Promise<Role[]> {
  const amounts = new Map((await countBuiltIn(db, organizationId)).map(({ role, members }) => [role, members]))
  return (Object.keys(builtInRoles) as BuiltInRole[]).map((roleId) => ({
    roleId,
    name: builtInRoles[roleId].name,
    permissions: [...builtInRoles[roleId].permissions],
    isBuiltIn: true,
    members: amounts.get(roleId) ?? 0,
  }))
}

export async function listRoles(db: Database, organizationId: number, areReadOnly: boolean): Promise<RoleList> {
  const builtIn = await listBuiltIn(db, organizationId)
  const own = await selectRoles(db, organizationId)
  return { roleList: [...builtIn, ...own.map(toRole)], areReadOnly }
}

export async function getRole(db: Database, organizationId: number, roleId: string): Promise<Role> {
  if (isBuiltIn(roleId)) return (await listBuiltIn(db, organizationId)).find((role) => role.roleId === roleId)!
  const role = await findOwnRole(db, organizationId, roleId)
  if (!role) throw notFound('role')
  return toRole(role)
}

export function refuseReadOnly({ areRolesReadOnly }: Pick<PeopleCall, 'areRolesReadOnly'>): void {
  if (areRolesReadOnly) throw new Problem(409, 'Roles are managed at the identity provider.')
}

const rolesPerOrganization = 100
const noLimit = { zones: [], tags: [] }

export async function createRole(call: PeopleCall, input: RoleInput): Promise<Role> {
  refuseReadOnly(call)
  const { db, actor, organizationId } = call
  const holder = await lockPeople(call)
  const { name, permissions } = toRow(input)
  refuseGranting(holder, permissions)
  if ((await countRoles(db, organizationId)).amount >= rolesPerOrganization)
    throw new Problem(409, `An organization may have at most ${rolesPerOrganization} roles of its own.`)
  const limit = await getLimit(db, organizationId, permissions, input)
  const id = uuidv7()
  await naming(name, () => insertRole(db, { organization_id: organizationId, id, name, permissions, is_limited: limit !== null }))
  await replaceLimit(db, organizationId, id, limit ?? noLimit)
  await recordChange(db, actor, {
    organization_id: organizationId,
    change_type: 'createRole',
    target: name,
    new_value: [quotePermissions(permissions), ...formatLimit(limit)].filter((part) => part !== '').join(', ') || null,
  })
  return toRole(await getOwnRole(db, organizationId, id))
}

/** The caller needs all permissions that the role has before and after: its members keep what is not taken away. */
export async function changeRole(
  call: PeopleCall,
  roleId: string,
  input: RoleInput,
  unchanged: (before: Role) => Promise<void>,
): Promise<Role> {
  refuseReadOnly(call)
  const { db, actor, organizationId } = call
  const holder = await lockPeople(call)
  const before = await getOwnRole(db, organizationId, roleId)
  await unchanged(toRole(before))
  const { name, permissions } = toRow(input)
  refuseGranting(holder, [...before.permissions, ...permissions])
  const kept = { zones: before.zones?.map(({ id }) => id) ?? null, tags: before.tags }
  const limit = await getLimit(db, organizationId, permissions, input.zones === undefined ? kept : input)
  await naming(name, () => updateRole(db, organizationId, roleId, { name, permissions, is_limited: limit !== null }))
  await replaceLimit(db, organizationId, roleId, limit ?? noLimit)
  const revoked = await revokeUngrantable(db, organizationId)
  const value = [quotePermissions(permissions) || 'no permissions', ...formatLimit(limit), ...formatRevoked(revoked.length)].join(', ')
  const changes = [name !== before.name && `now ${name}`, value].filter(Boolean).join(': ')
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'updateRole', target: before.name, new_value: changes })
  return toRole(await getOwnRole(db, organizationId, roleId))
}

const formatRevoked = (amount: number): string[] => (amount === 0 ? [] : [`${counted(amount, 'invitation')} taken back`])

export async function removeRole(call: PeopleCall, roleId: string): Promise<void> {
  refuseReadOnly(call)
  const { db, actor, organizationId } = call
  const holder = await lockPeople(call)
  const { name, permissions, members } = await getOwnRole(db, organizationId, roleId)
  refuseGranting(holder, permissions)
  if (members)
    throw new Problem(
      409,
      `${counted(members, 'member')} ${members === 1 ? 'has' : 'have'} the role ${name}. Give them another role first.`,
    )
  const { amount } = await countOpenInvitationsOfRole(db, organizationId, roleId)
  if (amount > 0)
    throw new Problem(
      409,
      `${counted(amount, 'invitation')} ${amount === 1 ? 'names' : 'name'} the role ${name}. Revoke ${amount === 1 ? 'it' : 'them'} first.`,
    )
  await deleteClosedInvitationsOfRole(db, organizationId, roleId)
  await deleteRole(db, organizationId, roleId)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'deleteRole', target: name })
}

async function getOwnRole(db: Database, organizationId: number, roleId: string) {
  if (isBuiltIn(roleId)) throw new Problem(409, `${builtInRoles[roleId].name} is built in and stays as it is.`)
  const role = await findOwnRole(db, organizationId, roleId)
  if (!role) throw notFound('role')
  return role
}

/** Each permission once, in the order of all. */
const toRow = ({ name, permissions }: RoleInput) => ({
  name: name.trim(),
  permissions: customerPermissions.filter((permission) => permissions.includes(permission)),
})

async function naming(name: string, write: () => Promise<unknown>): Promise<void> {
  const taken = () => {
    const message = `There is a role ${name} already.`
    return new Problem(409, message, { errors: [{ field: 'name', message }] })
  }
  if (Object.values(builtInRoles).some((role) => role.name.toLowerCase() === name.toLowerCase())) throw taken()
  await write().catch((error: unknown) => {
    throw sqlState(error) === uniqueViolation ? taken() : error
  })
}
