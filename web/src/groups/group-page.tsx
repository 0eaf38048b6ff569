import type { Group } from '@lectern/contract/groups.ts'
import { formatNumber } from '@lectern/contract/text/numbers.ts'
import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import type { ReactNode } from 'react'
import { useOrganization } from '../lib/active-organization.ts'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { AskManagers } from '../people/ask-managers.tsx'
import { InviteButton } from '../people/invite.tsx'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryStates, useQueryProblem } from '../ui/feedback/query-states.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackLink } from '../ui/layout/strip.tsx'
import { MemberList } from './member-list.tsx'
import { OtherGroups } from './other-groups.tsx'

const failed = 'Error loading the group'

export default function GroupPage() {
  const user = useQuery(q('getCurrentUser', {}))
  const groups = useQuery(q('listGroups', { query: { members: 'counted' } }))
  const problem = useQueryProblem(groups, failed)
  const { open } = useDialog()
  const mayRename = usePermission('manage:people')
  const group = groups.data?.find(({ gid }) => gid === user.data?.group?.gid)
  useDocumentTitle(group?.name ?? 'Your group')

  return (
    <Page>
      <PageHead
        trail={<BackLink to={paths.products()}>Products</BackLink>}
        title={group?.name ?? 'Your group'}
        intro="Members of a group share its products. Everyone in the organization sees its zones and readers."
        actions={
          group &&
          mayRename && (
            <Button
              icon={Pencil}
              onClick={() =>
                open<void>(async (close) => {
                  const { RenameGroup } = await import('./group-form.tsx')
                  return <RenameGroup group={group} close={close} />
                })
              }
            >
              Rename group
            </Button>
          )
        }
      />
      {group ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <Members key={group.gid} group={group} own={user.data?.email}>
            {problem}
          </Members>
          <OtherGroups own={group} groups={groups.data?.filter((other) => other !== group) ?? []} />
        </div>
      ) : (
        <Panel flush aria-label="Members">
          <QueryStates query={user.data ? groups : user} failed={failed}>
            {() => <EmptyState>You are in no group.</EmptyState>}
          </QueryStates>
        </Panel>
      )}
    </Page>
  )
}

function Members({ group, own, children }: { group: Group; own: string | undefined; children: ReactNode }) {
  const canInvite = usePermission('manage:people')
  const organizationId = useOrganization()
  const whole = useQuery(q('getGroup', { params: { id: group.gid } }))
  const members = whole.data?.users
  return (
    <Panel
      flush
      title={`Members (${formatNumber(group.memberCount ?? 0)})`}
      actions={canInvite && <InviteButton organizationId={organizationId} groupId={group.gid} />}
      foot={
        <p className="max-w-prose text-13 text-ink-2">
          {canInvite ? (
            `Whoever you invite signs in with the invited e-mail address and joins the group that you choose.`
          ) : (
            <>
              Colleagues join by invitation. <AskManagers organizationId={organizationId} />
            </>
          )}
        </p>
      }
    >
      {children}
      {/* Loaded members stay below the page's notice. */}
      {members ? (
        <MemberList members={members} own={own} />
      ) : (
        <QueryStates query={whole} failed="Error loading the members">
          {({ users }) => <MemberList members={users} own={own} />}
        </QueryStates>
      )}
    </Panel>
  )
}
