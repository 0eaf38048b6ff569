import { type BuiltInRole, builtInRoles } from '@lectern/contract/people/roles.ts'
import { uuidv7 } from 'uuidv7'
import { recordChange } from '../audit/audit.ts'
import { theServer } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { insertRole, type RoleKey, selectRoles } from './roles-sql.ts'
import { countManagers, countPending, lockOrganization, selectLongestMember, selectMembership, updateMember } from './sql.ts'

// As in migration 0033: all permissions that an organization had before there were roles, and those of them that guard something.
const previously = [
  'manage:cfg',
  'manage:firmware',
  'manage:cfg-lib',
  'manage:locations',
  'access:audit_log',
  'access:analytics',
  'access:device-dashboard',
]
const guarding = ['manage:cfg', 'manage:firmware', 'access:audit_log', 'access:analytics']
const amounts: Record<Exclude<BuiltInRole, 'manager'>, readonly string[]> = {
  viewer: [],
  operator: ['manage:cfg', 'manage:firmware'],
  auditor: ['access:audit_log', 'access:analytics'],
}

/**
 * Gives a member from before there were roles the role that their token's permissions amount to, in a transaction. Where the tokens of all
 * members are known by then and none is Manager, the longest member becomes one. Returns a sentence for the log; undefined where there is
 * nothing to log.
 */
export async function adoptFirstRole(
  db: Database,
  member: { organization_id: number; user_id: string },
  claims: readonly string[],
): Promise<string | null> {
  const { organization_id, user_id } = member
  const organization = await lockOrganization(db, organization_id)
  const current = await selectMembership(db, organization_id, user_id)
  if (!organization || !current || current.built_in_role !== null || current.role_id !== null) return null
  await updateMember(db, member, await findRole(db, organization_id, claims))
  if ((await countPending(db, organization_id)).amount > 0 || (await countManagers(db, organization_id)).amount > 0) return null
  const longest = await selectLongestMember(db, organization_id)
  await updateMember(db, { organization_id, user_id: longest.id }, { built_in_role: 'manager', role_id: null })
  await recordChange(db, theServer, { organization_id, change_type: 'firstManager', target: longest.email })
  const name = builtInRoles.manager.name
  return `${longest.email} is ${name} of ${organization.name || 'an organization'} now, as the longest member: none there had all permissions.`
}

async function findRole(db: Database, organizationId: number, claims: readonly string[]): Promise<RoleKey> {
  if (previously.every((permission) => claims.includes(permission))) return { built_in_role: 'manager', role_id: null }
  const held = guarding.filter((permission) => claims.includes(permission))
  const same = (permissions: readonly string[]) =>
    permissions.length === held.length && held.every((permission) => permissions.includes(permission))
  const builtIn = (Object.keys(amounts) as (keyof typeof amounts)[]).find((role) => same(amounts[role]))
  if (builtIn) return { built_in_role: builtIn, role_id: null }
  const roles = await selectRoles(db, organizationId)
  const known = roles.find(({ permissions, zones }) => zones === null && same(permissions))
  if (known) return { built_in_role: null, role_id: known.id }
  const id = uuidv7()
  const names = new Set(roles.map(({ name }) => name.toLowerCase()))
  const name = held.join(', ')
  await insertRole(db, {
    organization_id: organizationId,
    id,
    name: names.has(name) ? `${name} (${id})` : name,
    permissions: held,
    is_limited: false,
  })
  return { built_in_role: null, role_id: id }
}
