import { foldName } from '@lectern/contract/text/clean-name.ts'
import { useQuery } from '@tanstack/react-query'
import { q } from '../../lib/api/query.ts'
import { Notice } from '../../ui/feedback/notice.tsx'
import { QueryStates } from '../../ui/feedback/query-states.tsx'

interface PartialTagsProps {
  organizationId: string
  chosen: readonly string[]
  className?: string
}

/** Shows that zones outside the user's role have one of these tags too. Shows nothing where none has. */
export function PartialTags({ organizationId, chosen, className }: PartialTagsProps) {
  const query = useQuery(q('listTags', { params: { organizationId } }))
  const sought = chosen.map(foldName)
  return (
    <QueryStates query={query} failed="Error loading the tags" loading={null}>
      {(tags) => {
        const partial = tags.filter(({ tag, isPartial }) => isPartial && sought.includes(foldName(tag)))
        if (partial.length === 0) return null
        const names = new Intl.ListFormat('en-GB').format(partial.map(({ tag }) => tag))
        return <Notice className={className}>Other zones have {names} as well, which your role does not see. They get nothing.</Notice>
      }}
    </QueryStates>
  )
}
