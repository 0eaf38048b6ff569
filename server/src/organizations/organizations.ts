import publicDomains from 'email-providers/all.json' with { type: 'json' }
import { uuidv7 } from 'uuidv7'
import { createFirstGroup } from '../groups/groups.ts'
import { type Database, sqlState, uniqueViolation } from '../lib/database/database.ts'
import { isStaff, type OrganizationIds, type Person } from '../lib/http/caller.ts'
import { beyondZones, notFound, Problem } from '../lib/http/problem.ts'
import { findWhomToAsk } from '../people/people.ts'
import {
  insertOrganization,
  selectOrganizationIds,
  selectOrganizationOfDomain,
  selectOrganizations,
  selectOrganizationsByIdOrName,
  updateDomain,
} from './sql.ts'

const morePublicDomains = [
  'duck.com',
  'fastmail.com',
  'keemail.me',
  'mailfence.com',
  'posteo.de',
  'skiff.com',
  'startmail.com',
  'tuta.com',
  'tuta.io',
  'tutamail.com',
  'tutanota.com',
  'tutanota.de',
  'users.noreply.github.com',
  'ziggo.nl',
  'zohomail.com',
]
const publicMailDomains = new Set<string>([...publicDomains, ...morePublicDomains])

// PostgreSQL takes no NUL in a text, also in a condition.
export const findOrganization = async (db: Database, publicId: string): Promise<OrganizationIds | undefined> =>
  publicId.includes('\0') ? undefined : selectOrganizationIds(db, publicId)

/** Throws a Problem 404 unless the person belongs to the organization; staff see every existing one. */
export async function getVisibleOrganization(
  db: Database,
  person: Pick<Person, 'claims' | 'organizations'>,
  publicId: string,
): Promise<OrganizationIds> {
  const own = person.organizations.find((organization) => organization.publicId === publicId)
  const organization = own ?? (isStaff(person) ? await findOrganization(db, publicId) : undefined)
  if (!organization) throw notFound()
  return organization
}

/** As `getVisibleOrganization`, for a call without an organization in its path. Throws a Problem 403 where the person's role there is limited to zones. */
export async function getWholeOrganization(db: Database, person: Person, publicId: string): Promise<OrganizationIds> {
  const organization = await getVisibleOrganization(db, person, publicId)
  if (person.organizations.some(({ id, zones }) => id === organization.id && zones !== null))
    throw beyondZones(await findWhomToAsk(db, organization.id))
  return organization
}

/** Returns the domain as a company's, in lower case; null for a public mail domain (decision 8). */
function findCompanyDomain(email: string): string | null {
  const domain = email.slice(email.lastIndexOf('@') + 1).toLowerCase()
  return domain === '' || publicMailDomains.has(domain) ? null : domain
}

export async function findDomainOwner(db: Database, email: string): Promise<{ id: number; name: string | null } | undefined> {
  const domain = findCompanyDomain(email)
  return domain === null ? undefined : selectOrganizationOfDomain(db, domain)
}

/**
 * Adds the organization with its first group and the person as its member. It owns the domain of a verified address.
 * Throws a Problem 409 when another organization has that domain or the name (in any case).
 */
export async function registerCompany(db: Database, person: Person, companyName: string): Promise<OrganizationIds> {
  await refuseOwnedDomain(db, person)
  const publicId = uuidv7()
  const domain = person.emailVerified ? findCompanyDomain(person.email) : null
  const inserted = await insertOrganization(db, {
    public_id: publicId,
    name: companyName,
    email_domain: domain,
    registered_by: person.userId,
  })
  if (!inserted) {
    // A colleague may have registered the company at the same time.
    await refuseOwnedDomain(db, person)
    throw new Problem(409, `${companyName} is already registered. Whoever manages people there can invite you at ${person.email}.`)
  }
  await createFirstGroup(db, inserted.id, `${companyName} Products`, person.userId)
  return { id: inserted.id, publicId }
}

// Whoever has an address of the company learns its name.
async function refuseOwnedDomain(db: Database, { email, emailVerified }: Person): Promise<void> {
  const owner = await findDomainOwner(db, email)
  if (!owner) return
  const who = owner.name || 'An organization'
  const asked = emailVerified ? await findWhomToAsk(db, owner.id) : null
  const way = asked === null ? `Whoever manages people there can invite you at ${email}.` : `Ask ${asked} for an invitation.`
  throw new Problem(409, `${who} has registered your mail domain. ${way}`)
}

/** Gives the domain of a verified address to the organization that this user registered, where it has none. */
export async function claimDomain(db: Database, userId: string, email: string): Promise<void> {
  const domain = findCompanyDomain(email)
  if (domain === null) return
  try {
    await updateDomain(db, userId, domain)
  } catch (error) {
    // Another organization took the domain at the same time.
    if (sqlState(error) !== uniqueViolation) throw error
  }
}

export const listOrganizations = (db: Database) => selectOrganizations(db)

/** @param idOrName the name in any case. Throws an Error where there is none or more than one. */
export async function getOrganizationId(db: Database, idOrName: string): Promise<number> {
  const organizations = await selectOrganizationsByIdOrName(db, idOrName)
  const [organization] = organizations
  if (!organization) throw new Error(`There is no organization "${idOrName}".`)
  if (organizations.length > 1)
    throw new Error(
      `There are ${organizations.length} organizations named "${idOrName}". Use an id: ${organizations.map(({ public_id }) => public_id).join(', ')}.`,
    )
  return organization.id
}
