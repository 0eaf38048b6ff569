import type { Invitation } from '@lectern/contract/people/people.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { useMemo } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatMinute } from '../lib/format.ts'
import { listAddress, pageQuery, searchQuery, text, useList } from '../lib/list-address.ts'
import { Ellipsis } from '../ui/feedback/ellipsis.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Status } from '../ui/feedback/status.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { columnHelper } from '../ui/table/table-columns.ts'
import { InvitationActions } from './invitation-actions.tsx'
import { InviteButton } from './invite.tsx'

export const invitationsAddress = listAddress({ filters: { search: text() } })

export default function InvitationsPage() {
  useDocumentTitle('Invitations')
  const organizationId = useOrganization()
  const { data: person } = useQuery(q('getCurrentUser', {}))
  const list = useList(invitationsAddress)
  const query = useQuery({
    ...q('listInvitations', { params: { organizationId }, query: { ...pageQuery(list.state), ...searchQuery(list.state.search) } }),
    placeholderData: keepPreviousData,
  })
  // The button that revoked an invitation disappears with its row, so the focus moves.
  const columns = useMemo(() => invitationColumns(organizationId, () => list.searchBox.current?.focus()), [organizationId, list.searchBox])
  return (
    <Page>
      <PageHead
        title="Invitations"
        intro="Invitations that are not used yet. Each is for one address, for seven days and for one use."
        actions={person?.group && <InviteButton organizationId={organizationId} groupId={person.group.gid} />}
      />
      <Panel flush aria-label="Invitations">
        <PagedTable
          label="Invitation table"
          noun={['invitation', 'invitations']}
          list={list}
          query={query}
          columns={columns}
          rows={({ invitationList }) => invitationList}
          rowId={({ invitationId }) => invitationId}
          failed="Error loading invitations"
          search={<ListSearch list={list} label="Search invitations" placeholder="E-mail, role or group" clearLabel="Clear filters" />}
          empty={<EmptyState>No invitation is open.</EmptyState>}
          noMatch="No invitation matches."
          showAll="Show all invitations"
        />
      </Panel>
    </Page>
  )
}

const column = columnHelper<Invitation>()

const invitationColumns = (organizationId: string, onRevoked: () => void) =>
  column.columns([
    column.accessor('email', {
      header: 'E-mail address',
      enableSorting: false,
      meta: { className: 'table-name max-sm:col-span-full', record: 'title', width: 180 },
      cell: ({ getValue }) => <Ellipsis className="font-semibold">{getValue()}</Ellipsis>,
    }),
    column.display({
      id: 'status',
      header: 'Status',
      meta: { width: 90 },
      cell: ({ row: { original } }) => <State of={original} />,
    }),
    column.accessor(({ role }) => role.name, {
      id: 'role',
      header: 'Role',
      enableSorting: false,
      meta: { className: 'table-name', width: 80 },
      cell: ({ getValue }) => <Ellipsis>{getValue()}</Ellipsis>,
    }),
    column.accessor(({ group }) => group.name, {
      id: 'group',
      header: 'Group',
      enableSorting: false,
      meta: { className: 'table-name', width: 120, from: 'large' },
      cell: ({ getValue }) => <Ellipsis>{getValue()}</Ellipsis>,
    }),
    column.accessor('expiresAt', {
      header: 'Good until',
      enableSorting: false,
      meta: { width: 110 },
      cell: ({ getValue }) => <time dateTime={getValue()}>{formatMinute(getValue())}</time>,
    }),
    column.accessor('invitedBy', {
      header: 'Invited by',
      enableSorting: false,
      meta: { className: 'table-name', width: 120, from: 'wide' },
      cell: ({ getValue }) => <Ellipsis>{getValue() ?? 'A person who has left'}</Ellipsis>,
    }),
    column.display({
      id: 'actions',
      header: 'Actions',
      meta: { numeric: true, record: 'action', width: 140 },
      cell: ({ row: { original: invitation } }) => (
        <InvitationActions invitation={invitation} organizationId={organizationId} onRevoked={onRevoked} />
      ),
    }),
  ])

function State({ of: { isExpired, sentAt } }: { of: Invitation }) {
  if (isExpired) return <Status kind="bad" spoken="" children="Expired" />
  return sentAt === null ? <Status kind="warn" spoken="" children="Not sent" /> : <Status kind="wait" spoken="" children="Open" />
}
