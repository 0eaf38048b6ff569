import { formatNames } from '@lectern/contract/text/names.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../lib/api/query.ts'
import { usePermissions } from '../lib/session.ts'

const mostNamed = 5

/** For people who change tags. Null where no role is limited to a tag. */
export function TagsOfRoles({ organizationId }: { organizationId: string }) {
  const { data = [] } = useQuery(q('listTags', { params: { organizationId } }))
  const managesPeople = usePermissions().includes('manage:people')
  const tags = data.filter(({ limitsRoles }) => limitsRoles).map(({ tag }) => tag)
  if (tags.length === 0) return null
  return (
    <p className="text-13 text-ink-2">
      Roles are limited to {formatNames(tags, mostNamed)}: they see every zone that has such a tag.
      {!managesPeople && ' Whoever manages people gives and takes these.'}
    </p>
  )
}
