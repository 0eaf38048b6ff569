import type { Database } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { claimDomain } from '../organizations/organizations.ts'
import { selectPerson, selectProfile, updateEmailChecked, updateProfile, upsertUser } from './sql.ts'

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
export async function findPerson(
  db: Database,
  claims: Claims,
  userInfo: () => Promise<{ email: string; emailVerified: boolean }>,
): Promise<Person> {
  const { issuer, subject } = claims
  const known = await selectPerson(db, issuer, subject)
  const told =
    claims.email === undefined ? await askedFor(db, known, userInfo) : { email: claims.email, emailVerified: claims.emailVerified ?? false }
  let person = known
  if (told && (told.email !== known?.email || told.emailVerified !== known.email_verified)) {
    // First, so that it is tried again should the server end here.
    if (known && told.emailVerified) await claimDomain(db, known.id, told.email)
    await upsertUser(db, { issuer, subject, email: told.email, email_verified: told.emailVerified })
    person = await selectPerson(db, issuer, subject)
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

/** What /userinfo says, when it is to be asked. A provider that does not answer does not lock out, or hold up again and again, whom we know. */
async function askedFor(
  db: Database,
  known: Awaited<ReturnType<typeof selectPerson>>,
  userInfo: () => Promise<{ email: string; emailVerified: boolean }>,
): Promise<{ email: string; emailVerified: boolean } | undefined> {
  if (!known) return userInfo()
  const trusted = known.email_verified ? trustedSeconds.verified : trustedSeconds.unverified
  if (known.checked_seconds_ago < trusted) return undefined
  await updateEmailChecked(db, known.id)
  return userInfo().catch(() => undefined)
}

/** Whether somebody has said who they are. */
export const hasProfile = async (db: Database, userId: string): Promise<boolean> => Boolean((await selectProfile(db, userId)).first_name)

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
