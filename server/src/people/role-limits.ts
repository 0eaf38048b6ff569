import type { Permission } from '@lectern/contract/http/permissions.ts'
import { quotePermissions } from '@lectern/contract/people/permission-words.ts'
import { isOfZones, type RoleInput } from '@lectern/contract/people/roles.ts'
import { counted } from '@lectern/contract/text/numbers.ts'
import type { Database } from '../lib/database/database.ts'
import { Problem } from '../lib/http/problem.ts'
import { selectChosenTags, selectChosenZones } from './role-limits-sql.ts'

// What a role is limited to; null where it is not.
type RoleLimit = Awaited<ReturnType<typeof getLimit>>

const refusedField = (field: string, message: string) => new Problem(400, message, { errors: [{ field, message }] })

const countDistinct = (texts: readonly string[]) => new Set(texts.map((text) => text.toLowerCase())).size

/** Throws a Problem 400 for an unknown zone or tag, and for a permission without a meaning within zones. */
export async function getLimit(
  db: Database,
  organizationId: number,
  permissions: readonly Permission[],
  input: Pick<RoleInput, 'zones' | 'tags'>,
) {
  const { zones: ids, tags: names = [] } = input
  if (ids == null) return null
  const beyond = permissions.filter((permission) => !isOfZones(permission))
  if (beyond.length > 0) throw refusedField('permissions', `A role that is limited to zones cannot have ${quotePermissions(beyond)}.`)
  const zones = await selectChosenZones(db, organizationId, ids)
  if (zones.length < countDistinct(ids)) throw refusedField('zones', 'One of the zones is no longer there. Choose again.')
  const tags = await selectChosenTags(db, organizationId, names)
  if (tags.length < countDistinct(names)) throw refusedField('tags', 'One of the tags is no longer there. Choose again.')
  return { zones, tags }
}

const mostNamed = 10

function formatChosen(chosen: readonly { name: string }[], noun: string): string {
  const names = chosen.slice(0, mostNamed).map(({ name }) => name)
  const more = chosen.length > mostNamed ? ` and ${chosen.length - mostNamed} more` : ''
  return `${counted(chosen.length, noun)}${names.length > 0 ? ` (${names.join(', ')}${more})` : ''}`
}

export function formatLimit(limit: RoleLimit): string[] {
  if (limit === null) return []
  const { zones, tags } = limit
  const parts = [
    ...(zones.length > 0 || tags.length === 0 ? [formatChosen(zones, 'zone')] : []),
    ...(tags.length > 0 ? [formatChosen(tags, 'tag')] : []),
  ]
  return [`limited to ${parts.join(' and ')}`]
}
