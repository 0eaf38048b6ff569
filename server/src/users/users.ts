import type { Database } from '../lib/database/database.ts'
import type { Person } from '../lib/http/caller.ts'
import { claimDomain } from '../organizations/organizations.ts'
import { selectPerson, selectProfile, updateEmailChecked, updateProfile, upsertUser } from './sql.ts'

/** Seconds for which an e-mail from /userinfo is trusted. */
const trustedSeconds = { verified: 24 * 3_600, unverified: 60 }

interface Claims {
  issuer: string
  subject: string
  permissions: string[]
  email: string | undefined
  emailVerified: boolean | undefined
}

interface Email {
  email: string
  emailVerified: boolean
}

/**
 * The person of a verified token, added when new. The key is issuer and subject, never the e-mail. Where the token has no e-mail,
 * `fetchUserInfo` is called for a new person, and for a known one when the trust in the stored e-mail has expired.
 */
export async function ensurePerson(db: Database, claims: Claims, fetchUserInfo: () => Promise<Email>): Promise<Person> {
  const { issuer, subject } = claims
  const known = await selectPerson(db, issuer, subject)
  const current =
    claims.email === undefined
      ? await fetchEmail(db, known, fetchUserInfo)
      : { email: claims.email, emailVerified: claims.emailVerified ?? false }
  let person = known
  if (current && (current.email !== known?.email || current.emailVerified !== known.email_verified)) {
    // Before the update, so that a crash in between repeats it.
    if (known && current.emailVerified) await claimDomain(db, known.id, current.email)
    await upsertUser(db, { issuer, subject, email: current.email, email_verified: current.emailVerified })
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

/** Undefined while the stored e-mail is trusted, and when the provider fails for a known person. */
async function fetchEmail(
  db: Database,
  known: Awaited<ReturnType<typeof selectPerson>>,
  fetchUserInfo: () => Promise<Email>,
): Promise<Email | undefined> {
  if (!known) return fetchUserInfo()
  const trusted = known.email_verified ? trustedSeconds.verified : trustedSeconds.unverified
  if (known.checked_seconds_ago < trusted) return undefined
  await updateEmailChecked(db, known.id)
  return fetchUserInfo().catch(() => undefined)
}

/** Undefined where they have never called the API. */
export async function findPerson(db: Database, issuer: string, subject: string) {
  const person = await selectPerson(db, issuer, subject)
  return person && { userId: person.id, email: person.email, organizations: person.organizations ?? [] }
}

export const hasProfile = async (db: Database, userId: string): Promise<boolean> => Boolean((await selectProfile(db, userId)).first_name)

export async function saveProfile(
  db: Database,
  userId: string,
  profile: { firstName?: string; lastName?: string; phone?: string; countryCode?: string },
): Promise<void> {
  const { firstName, lastName, phone, countryCode } = profile
  const given = { first_name: firstName?.trim(), last_name: lastName?.trim(), phone: phone?.trim(), country_code: countryCode }
  await updateProfile(db, userId, given)
}
