import type { Person } from '../lib/caller.ts'
import type { Database } from '../lib/database.ts'
import { claimDomain } from '../organizations/organizations.ts'
import { selectMemberships, selectPerson, selectProfile, updateProfile, upsertUser } from './sql.ts'

/** How long an address that /userinfo told is taken for true, in seconds: shortly until it is verified. */
const trustedSeconds = { verified: 24 * 3_600, unverified: 60 }

interface Claims {
  issuer: string
  subject: string
  permissions: string[]
  email: string | undefined
  emailVerified: boolean | undefined
}

/**
 * The person a verified token speaks of, added at first sight. People are keyed by issuer and subject, never by e-mail.
 * Where the token carries no e-mail, `userInfo` is asked for somebody new, and from time to time for somebody known.
 */
export async function personOf(
  db: Database,
  claims: Claims,
  userInfo: () => Promise<{ email: string; emailVerified: boolean }>,
): Promise<Person> {
  const { issuer, subject } = claims
  const known = await selectPerson(db, issuer, subject)
  const told =
    claims.email === undefined ? await askedFor(known, userInfo) : { email: claims.email, emailVerified: claims.emailVerified ?? false }
  let person = known
  if (told && (!known || claims.email === undefined || told.email !== known.email || told.emailVerified !== known.email_verified)) {
    await upsertUser(db, { issuer, subject, email: told.email, email_verified: told.emailVerified })
    person = await selectPerson(db, issuer, subject)
    if (person && known && told.emailVerified) await claimDomain(db, person.id, told.email)
  }
  if (!person) throw new Error('The person is gone right after they were added')
  return {
    userId: person.id,
    email: person.email,
    emailVerified: person.email_verified,
    permissions: new Set(claims.permissions),
    organizations: person.organizations ?? [],
  }
}

/** What /userinfo says, when it is to be asked. A provider that does not answer does not lock out whom we know. */
async function askedFor(
  known: Awaited<ReturnType<typeof selectPerson>>,
  userInfo: () => Promise<{ email: string; emailVerified: boolean }>,
): Promise<{ email: string; emailVerified: boolean } | undefined> {
  if (!known) return userInfo()
  const trusted = known.email_verified ? trustedSeconds.verified : trustedSeconds.unverified
  if (known.checked_seconds_ago < trusted) return undefined
  return userInfo().catch(() => undefined)
}

/** Whether somebody has said who they are. */
export const hasProfile = async (db: Database, userId: string): Promise<boolean> => Boolean((await selectProfile(db, userId)).first_name)

/** Organizations of a person, oldest membership first. */
export const membershipsOf = async (db: Database, userId: string): Promise<string[]> =>
  (await selectMemberships(db, userId)).map((member) => member.organization_id)

/** Keeps what is given of a profile; what is undefined stays. */
export async function saveProfile(
  db: Database,
  userId: string,
  profile: { firstName?: string; lastName?: string; phone?: string; countryCode?: string },
): Promise<void> {
  const { firstName, lastName, phone, countryCode } = profile
  const given = { first_name: firstName?.trim(), last_name: lastName?.trim(), phone: phone?.trim(), country_code: countryCode }
  await updateProfile(db, userId, given)
}
