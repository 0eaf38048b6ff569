import { uuidv7 } from 'uuidv7'
import { foundGroup } from '../groups/groups.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { Problem } from '../lib/http/problem.ts'
import { companyDomain } from './mail-domains.ts'
import { insertOrganization, selectOrganization, selectOrganizationOfDomain, updateDomain } from './sql.ts'

/** Whether there is an organization of this id. No id has a NUL, which the database could not even be asked for. */
export const organizationExists = async (db: Database, id: string): Promise<boolean> =>
  !id.includes('\0') && (await selectOrganization(db, id)) !== undefined

/** Whether an organization already owns the domain of an e-mail address. Public mail domains have no owner (decided). */
export async function ownerOfDomain(db: Database, email: string): Promise<{ id: string; name: string | null } | undefined> {
  const domain = companyDomain(email)
  return domain === null ? undefined : selectOrganizationOfDomain(db, domain)
}

/**
 * Registers a company with its first group, named after it, and the person in it. The domain of a verified address becomes the
 * organization's. Throws a Problem 409 when an organization owns the person's mail domain, or the name (however it is capitalized).
 */
export async function registerCompany(db: Database, person: Person, companyName: string): Promise<string> {
  await refuseOwnedDomain(db, person.email)
  const id = uuidv7()
  const domain = person.emailVerified ? companyDomain(person.email) : null
  if (!(await insertOrganization(db, { id, name: companyName, email_domain: domain, registered_by: person.userId }))) {
    // Perhaps a colleague did it a moment ago.
    await refuseOwnedDomain(db, person.email)
    throw new Problem(409, `${companyName} is registered already. Ask a colleague there for an invitation link to join it.`)
  }
  await foundGroup(db, id, `${companyName} Products`, person.userId)
  return id
}

async function refuseOwnedDomain(db: Database, email: string): Promise<void> {
  const owner = await ownerOfDomain(db, email)
  if (!owner) return
  const who = owner.name || 'An organization'
  throw new Problem(409, `${who} has registered your mail domain. Ask a colleague there for an invitation link.`)
}

/** An address that has turned out to be verified gives its domain to the organization its owner registered, where it has none. */
export async function claimDomain(db: Database, userId: string, email: string): Promise<void> {
  const domain = companyDomain(email)
  if (domain === null) return
  try {
    await updateDomain(db, userId, domain)
  } catch (error) {
    // Another organization has just got it.
    if (sqlState(error) !== uniqueViolation) throw error
  }
}
