import { builtInRoles } from '@lectern/contract/people/roles.ts'
import { type Database, inTransaction } from '../lib/database/database.ts'
import type { KnownPerson, Membership } from '../lib/http/caller.ts'
import { inBatches } from '../lib/in-batches.ts'
import { claimDomain } from '../organizations/organizations.ts'
import { adoptRole } from '../people/people.ts'
import { selectPeople, selectPerson, selectProfile, updateEmailChecked, updateProfile, upsertUser } from './sql.ts'

/** Seconds for which an e-mail address from /userinfo is trusted. */
const trustedSeconds = { verified: 24 * 3_600, unverified: 60 }

// Methods of RFC 8176, and those that hosted providers use in their place: proof of a key, in hardware, in software, FIDO.
const passkeyMethods: ReadonlySet<string> = new Set(['pop', 'hwk', 'swk', 'fido'])

interface Claims {
  issuer: string
  subject: string
  permissions: string[]
  email: string | undefined
  emailVerified: boolean | undefined
  amr: string[]
}

interface Email {
  email: string
  emailVerified: boolean
}

interface Rules {
  /** Tokens decide what members may do, and roles nothing (ORGANIZATION_PERMISSIONS=token). */
  isByToken: boolean
  log(sentence: string): void
  /** Finds several people by one statement, in place of one each. */
  findPerson?: ReturnType<typeof findPeopleTogether>
}

export const findPeopleTogether = (db: Database, issuer: string) =>
  inBatches(async (subjects) => new Map((await selectPeople(db, issuer, subjects)).map((person) => [person.subject, person])))

/**
 * Returns the person of a verified token, added when new. The key is issuer and subject, never the e-mail address. Where the token has no
 * address, `fetchUserInfo` is called for a new person, and for a known one when the trust in the stored address has expired.
 */
export async function ensurePerson(db: Database, claims: Claims, rules: Rules, fetchUserInfo: () => Promise<Email>): Promise<KnownPerson> {
  const { issuer, subject } = claims
  const known = await (rules.findPerson?.(subject) ?? selectPerson(db, issuer, subject))
  const current = await findEmail(db, claims, known, fetchUserInfo)
  let person = known
  if (current && (current.email !== known?.email || current.emailVerified !== known.email_verified)) {
    // Done before the update, so that a crash in between repeats it.
    if (known && current.emailVerified) await claimDomain(db, known.id, current.email)
    await upsertUser(db, { issuer, subject, email: current.email, email_verified: current.emailVerified })
    person = await selectPerson(db, issuer, subject)
  }
  if (!person) throw new Error('The person is gone right after they were added')
  if (!rules.isByToken && (await adoptRoles(db, person, claims, rules))) person = (await selectPerson(db, issuer, subject)) ?? person
  return {
    userId: person.id,
    email: person.email,
    emailVerified: person.email_verified,
    claims: new Set(claims.permissions),
    isByPasskey: claims.amr.some((method) => passkeyMethods.has(method)),
    organizations: (person.organizations ?? []).map((row) => toMembership(row, rules.isByToken ? claims.permissions : undefined)),
    preferred: person.active_organization_id,
  }
}

type KnownRow = NonNullable<Awaited<ReturnType<typeof selectPerson>>>
type MembershipRow = NonNullable<KnownRow['organizations']>[number]

const toMembership = (
  { id, publicId, builtIn, own, zones, isQuiet, requiresPasskeys }: MembershipRow,
  claimed: string[] | undefined,
): Membership => ({
  id,
  publicId,
  isQuiet,
  requiresPasskeys,
  zones: claimed ? null : zones,
  permissions: claimed ?? (builtIn ? builtInRoles[builtIn].permissions : (own ?? [])),
})

// For the first token after the upgrade to roles. Returns whether a role was given.
async function adoptRoles(db: Database, person: KnownRow, { permissions }: Claims, { log }: Rules): Promise<boolean> {
  const pending = (person.organizations ?? []).filter(({ builtIn, own }) => builtIn === null && own === null)
  for (const { id } of pending) {
    const sentence = await inTransaction(db, (transaction) =>
      adoptRole(transaction, { organization_id: id, user_id: person.id }, permissions),
    )
    if (sentence !== null) log(sentence)
  }
  return pending.length > 0
}

// A token may be older than the confirmation of its address, and a person who has just confirmed it is about to use an invitation.
async function findEmail(
  db: Database,
  { email, emailVerified = false }: Claims,
  known: KnownRow | undefined,
  fetchUserInfo: () => Promise<Email>,
) {
  if (email === undefined) return fetchEmail(db, known, trustedSeconds, fetchUserInfo)
  if (emailVerified || known?.email !== email) return { email, emailVerified }
  return fetchEmail(db, known, { ...trustedSeconds, unverified: 5 }, fetchUserInfo)
}

/** Returns undefined while the stored address is trusted, and when the provider fails for a known person. */
async function fetchEmail(
  db: Database,
  known: Awaited<ReturnType<typeof selectPerson>>,
  trustedSeconds: { verified: number; unverified: number },
  fetchUserInfo: () => Promise<Email>,
): Promise<Email | undefined> {
  if (!known) return fetchUserInfo()
  const trusted = known.email_verified ? trustedSeconds.verified : trustedSeconds.unverified
  if (known.checked_seconds_ago < trusted) return undefined
  await updateEmailChecked(db, known.id)
  return fetchUserInfo().catch(() => undefined)
}

/** Returns undefined for a person who has never called the API. */
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
