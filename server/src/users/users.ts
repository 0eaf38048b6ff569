import type { Person } from '../lib/caller.ts'
import type { Database } from '../lib/database.ts'
import { selectPerson, upsertUser } from './sql.ts'

interface Claims {
  issuer: string
  subject: string
  permissions: string[]
  email: string | undefined
  emailVerified: boolean | undefined
}

/**
 * The person a verified token speaks of, added at first sight. People are keyed by issuer and subject, never by e-mail.
 * `userInfo` is asked only for somebody new whose token carries no e-mail.
 */
export async function personOf(
  db: Database,
  claims: Claims,
  userInfo: () => Promise<{ email: string; emailVerified: boolean }>,
): Promise<Person> {
  const { issuer, subject } = claims
  const known = await selectPerson(db, issuer, subject)
  const told = claims.email === undefined ? undefined : { email: claims.email, emailVerified: claims.emailVerified ?? false }
  const changed = told && known && (told.email !== known.email || told.emailVerified !== known.email_verified)
  let person = known
  if (!known || changed) {
    const { email, emailVerified } = told ?? (await userInfo())
    await upsertUser(db, { issuer, subject, email, email_verified: emailVerified })
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
