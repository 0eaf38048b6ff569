import type { Database } from '../lib/database/database.ts'
import { selectManagers } from './sql.ts'

export const mostNamed = 3

// Text for a sentence: "Ada Example (ada@example.org) or …"; null without people.
export function nameInWords(people: readonly { name: string | null; email: string }[]): string | null {
  const names = people.map(({ name, email }) => (name ? `${name} (${email})` : email))
  return names.length === 0 ? null : new Intl.ListFormat('en', { type: 'disjunction' }).format(names)
}

export const nameManagers = async (db: Database, organizationId: number): Promise<string | null> =>
  nameInWords(await selectManagers(db, organizationId, mostNamed))
