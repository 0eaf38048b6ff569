import { productListPermissions } from '@lectern/contract/http/product-list.ts'
import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { recordChange } from '../audit/audit.ts'
import { findOwnGroup, lockMemberships } from '../groups/groups.ts'
import type { Actor } from '../lib/actor.ts'
import type { Database } from '../lib/database/database.ts'
import { isStaff, type OrganizationIds, type Person } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { findDomainOwner, registerCompany } from '../organizations/organizations.ts'
import { hasProfile } from '../users/users.ts'

type Registering = Pick<Person, 'userId' | 'email' | 'claims' | 'permissions' | 'zones'> & { organizations: readonly OrganizationIds[] }

/** Computed for each call, never stored (decision 8). Staff have no tasks. */
export async function listPendingTasks(db: Database, person: Registering): Promise<RegistrationTask[]> {
  if (isStaff(person)) return []
  const tasks: RegistrationTask[] = []
  if (!(await hasProfile(db, person.userId))) tasks.push('InitialUserRegistration')
  if (person.organizations.length === 0) tasks.push((await findDomainOwner(db, person.email)) ? 'JoinAGroup' : 'OrganizationSetup')
  else if (mayChooseProducts(person) && (await findOwnGroup(db, person))?.products.length === 0) tasks.push('SelectProducts')
  return tasks
}

// Products belong to a group, so a role limited to zones has no choice of them.
const mayChooseProducts = ({ permissions, zones }: Pick<Person, 'permissions' | 'zones'>): boolean =>
  zones === null && productListPermissions.some((permission) => permissions.has(permission))

/** Throws a Problem 409 where the caller has an organization or must join one, and where another organization has the name. */
export async function setUpOrganization(db: Database, actor: Actor<Person>, companyName: string): Promise<void> {
  const { caller } = actor
  if (isStaff(caller)) throw new Problem(409, "The vendor's staff belong to no customer's organization.")
  if ((await lockMemberships(db, caller.userId)).length > 0) throw new Problem(409, 'You already belong to an organization.')
  const { id: organizationId } = await registerCompany(db, caller, companyName)
  await recordChange(db, actor, { organization_id: organizationId, change_type: 'registerOrganization', new_value: companyName })
}
