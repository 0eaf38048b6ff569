import { useQuery } from '@tanstack/react-query'
import { useLocation, useParams } from 'react-router'
import { CallError } from '../lib/api/call-error.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { NotFound } from '../ui/feedback/not-found.tsx'
import { Page } from '../ui/layout/page.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { groupAddress } from './group-address.ts'
import { GroupDetails } from './group-details.tsx'
import type { CameFrom } from './organization-section.tsx'

const list = paths.organizations()

/** `/admin/organizations/{organizationId}/groups/id/{groupId}/details` (spec §2): a customer's group, for the vendor's staff. */
export default function GroupDetailsPage() {
  const { organizationId, groupId } = groupAddress(useParams())
  const from = useLocation().state as CameFrom | null
  const { data, error, isFetching, refetch } = useQuery({
    ...q('getOrganization', { params: { organizationId } }),
    enabled: groupId !== null,
  })
  const group = data?.groups.find(({ gid }) => gid === groupId)
  const isMissing = groupId === null || (data ? !group : error instanceof CallError && error.status === 404)

  return (
    <>
      <BackStrip to={from?.directory ? `${list}?${from.directory}` : list} label="All Organizations" />
      <Page>
        {data && group ? (
          <GroupDetails organization={data} group={group} />
        ) : isMissing ? (
          <GroupNotFound />
        ) : error ? (
          <ErrorPanel message="Error loading the group" detail={error.message} onRetry={refetch} retrying={isFetching} />
        ) : (
          <p role="status" className="text-ink-2">
            Loading...
          </p>
        )}
      </Page>
    </>
  )
}

function GroupNotFound() {
  useDocumentTitle('Group not found')
  return (
    <NotFound title="Group not found" to={list} back="All Organizations">
      This organization has no such group. It may have been deleted, or the link was cut short.
    </NotFound>
  )
}
