import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'

// Names who in the organization can help (U-36); nothing until they are known.
export function AskManagers({ organizationId }: { organizationId: string }) {
  const { data: managers } = useQuery(q('listManagers', { params: { organizationId } }))
  if (!managers) return null
  const names = managers.slice(0, 3).map(({ name, email }) => (name ? `${name} (${email})` : email))
  if (names.length === 0) return 'No member of your organization may manage people. Contact support.'
  return `Ask ${new Intl.ListFormat('en', { type: 'disjunction' }).format(names)}.`
}
