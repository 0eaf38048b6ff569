import type { Permission } from '@lectern/contract/http/permissions.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { builtInRoles } from '@lectern/contract/people/roles.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { beyondZones, notFound, Problem } from '../lib/http/problem.ts'
import type { RoleKey } from './roles-sql.ts'
import { lockOrganization, selectMembership } from './sql.ts'
import { nameManagers } from './whom-to-ask.ts'

/** A change to an organization's people. `areRolesReadOnly`: tokens decide what members may do. */
export interface PeopleCall {
  db: Database
  actor: Actor<Person>
  organizationId: number
  areRolesReadOnly: boolean
}

// What the caller may do by now.
export interface Holder {
  organizationName: string | null
  held: ReadonlySet<string>
}

export const listPermissions = ({ built_in_role, permissions }: Pick<RoleKey, 'built_in_role'> & { permissions: string[] | null }) =>
  built_in_role === null ? ((permissions ?? []) as Permission[]) : builtInRoles[built_in_role].permissions

/**
 * Makes changes come one after the other, and reads again what the caller may do: of two managers who demote each other at once, the second
 * is none any more. Throws a Problem 404 where the caller is no member any more, 403 where they may not manage people any more.
 */
export async function lockPeople({ db, actor, organizationId, areRolesReadOnly }: PeopleCall): Promise<Holder> {
  const organization = await lockOrganization(db, organizationId)
  if (!organization) throw notFound()
  const { caller } = actor
  const isMember = caller.organizations.some(({ id }) => id === organizationId)
  if (areRolesReadOnly || !isMember) return { organizationName: organization.name, held: caller.permissions }
  const own = await selectMembership(db, organizationId, caller.userId)
  if (!own) throw notFound()
  if (own.is_limited) throw beyondZones(await nameManagers(db, organizationId))
  const held = new Set<string>(
    listPermissions({ built_in_role: own.built_in_role as RoleKey['built_in_role'], permissions: own.permissions }),
  )
  if (!held.has('manage:people')) throw new Problem(403, `This needs the permission ${quotePermissions(['manage:people'])}.`)
  return { organizationName: organization.name, held }
}

// A member grants only permissions that they have, by any call (PPL-06).
export function refuseGranting({ held }: Holder, permissions: readonly string[]): void {
  const missing = permissions.filter((permission) => !held.has(permission))
  if (missing.length > 0) throw new Problem(403, `You cannot grant ${quotePermissions(missing)}, as you do not have it yourself.`)
}

// A member cannot change or remove one who may do more.
export function refuseAbove({ held }: Holder, permissions: readonly string[]): void {
  const missing = permissions.filter((permission) => !held.has(permission))
  if (missing.length > 0) throw new Problem(403, `You cannot change who may do more than you: ${quotePermissions(missing)}.`)
}
