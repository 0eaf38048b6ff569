import { MemberColumn } from '@lectern/contract/people/people.ts'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { useMemo } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { listAddress, pageQuery, searchQuery, sortQuery, text, useList } from '../lib/list-address.ts'
import { usePermission } from '../lib/session.ts'
import { useTabOrganization } from '../lib/tab-organization.ts'
import { Button } from '../ui/button/button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { ListSearch } from '../ui/table/list-search.tsx'
import { PagedTable } from '../ui/table/paged-table.tsx'
import { InviteButton } from './invite.tsx'
import { Managers } from './managers.tsx'
import { memberColumns } from './member-columns.tsx'
import { rolesElsewhere, useRoles } from './roles.ts'

export const membersAddress = listAddress({
  filters: { search: text() },
  sort: { columns: MemberColumn.options, first: { id: 'Name', descending: false } },
})

export default function PeoplePage() {
  useDocumentTitle('People')
  const canManage = usePermission('manage:people')
  const organizationId = useOrganization()
  const { data: person } = useQuery(q('getCurrentUser', {}))
  return (
    <Page>
      <PageHead
        title="People"
        intro={
          canManage
            ? 'Who belongs to your organization, what each may do, and when they were last here.'
            : 'Who manages the people of your organization, and what you may do.'
        }
        actions={
          <>
            <LeaveButton organizationId={organizationId} />
            {canManage && person?.group && <InviteButton organizationId={organizationId} groupId={person.group.gid} />}
          </>
        }
      />
      {canManage ? <Members organizationId={organizationId} own={person?.email} /> : <Managers organizationId={organizationId} />}
    </Page>
  )
}

function Members({ organizationId, own }: { organizationId: string; own: string | undefined }) {
  const list = useList(membersAddress)
  const { search, sort } = list.state
  const { data: roles } = useRoles(organizationId)
  const query = useQuery({
    ...q('listMembers', {
      params: { organizationId },
      query: { ...pageQuery(list.state), ...sortQuery(sort), ...searchQuery(search) },
    }),
    placeholderData: keepPreviousData,
  })
  const areReadOnly = roles?.areReadOnly ?? false
  // The button that removed a member disappears with its row, so the focus moves.
  const columns = useMemo(
    () => memberColumns({ own, organizationId, areReadOnly, onRemoved: () => list.searchBox.current?.focus() }),
    [own, organizationId, areReadOnly, list.searchBox],
  )
  return (
    <>
      {areReadOnly && <Notice className="mb-4">{rolesElsewhere}</Notice>}
      <Panel flush aria-label="Members">
        <PagedTable
          label="Member table"
          noun={['member', 'members']}
          list={list}
          query={query}
          columns={columns}
          rows={({ memberList }) => memberList}
          rowId={({ memberId }) => memberId}
          failed="Error loading members"
          search={<ListSearch list={list} label="Search members" placeholder="Name, e-mail, role or group" clearLabel="Clear filters" />}
          empty={<EmptyState>No members yet.</EmptyState>}
          noMatch="No member matches."
          showAll="Show all members"
        />
      </Panel>
    </>
  )
}

function LeaveButton({ organizationId }: { organizationId: string }) {
  const { data: person } = useQuery(q('getCurrentUser', {}))
  const { release } = useTabOrganization()
  const confirmDelete = useConfirmDelete()
  const { mutateAsync: leave } = useMutation('leaveOrganization', { errorInPlace: true })
  const own = person?.organizations?.find(({ id }) => id === organizationId)
  if (!own) return null

  async function askToLeave(name: string) {
    const hasLeft = await confirmDelete({
      resource: 'Organization',
      label: name,
      words: { title: 'Leave', busy: 'Leaving', done: 'left' },
      consequence: 'You no longer see anything of it. Invitations that you sent are taken back. To come back you need an invitation.',
      delete: () => leave({ params: { organizationId } }),
    })
    if (hasLeft) release()
  }

  return (
    <Button variant="ghost" icon={LogOut} onClick={() => void askToLeave(own.name)}>
      Leave organization
    </Button>
  )
}
