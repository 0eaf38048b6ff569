import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { recordChange } from '../audit/audit.ts'
import { lockMemberships, ownGroup } from '../groups/groups.ts'
import type { Database } from '../lib/database/database.ts'
import { isStaff, type Person } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { ownerOfDomain, registerCompany } from '../organizations/organizations.ts'
import { hasProfile } from '../users/users.ts'

/** A change with who asked for it. */
interface Asked {
  db: Database
  caller: Person
  origin: { address: string; requestId: string }
}

/**
 * What somebody still has to register, computed each time, never stored (decided): a profile; an organization, or a colleague's
 * invitation where one owns their mail domain; products for their group. The vendor's staff have nothing to register.
 */
export async function pendingTasks(db: Database, person: Person): Promise<RegistrationTask[]> {
  if (isStaff(person)) return []
  const tasks: RegistrationTask[] = []
  if (!(await hasProfile(db, person.userId))) tasks.push('InitialUserRegistration')
  if (person.organizations.length === 0) tasks.push((await ownerOfDomain(db, person.email)) ? 'JoinAGroup' : 'OrganizationSetup')
  else if ((await ownGroup(db, person))?.products.length === 0) tasks.push('SelectProducts')
  return tasks
}

/** Registers the caller's company. Throws a Problem 409 for whoever has an organization, or should join one, and for a taken name. */
export async function setUpOrganization({ db, caller, origin }: Asked, companyName: string): Promise<void> {
  if (isStaff(caller)) throw new Problem(409, "The vendor's staff belong to no customer's organization.")
  if ((await lockMemberships(db, caller.userId)).length > 0) throw new Problem(409, 'You belong to an organization already.')
  const organizationId = await registerCompany(db, caller, companyName)
  await recordChange(
    db,
    { caller, origin },
    { organization_id: organizationId, change_type: 'registerOrganization', new_value: companyName },
  )
}
