import { useQuery } from '@tanstack/react-query'
import { Pencil } from 'lucide-react'
import { q } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState, ErrorPanel } from '../ui/feedback/empty-state.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackLink } from '../ui/layout/strip.tsx'
import { GroupMembers } from './group-members.tsx'
import { OtherGroups } from './other-groups.tsx'
import { RenameGroup } from './rename-group.tsx'

/** `/group`: the person's own group with its members, the invitation link for a colleague, and the organization's other groups. */
export default function GroupPage() {
  const person = useQuery(q('getCurrentUser', {}))
  const groups = useQuery(q('listGroups', {}))
  const { open } = useDialog()
  const group = groups.data?.find(({ gid }) => gid === person.data?.group?.gid)
  useDocumentTitle(group?.name ?? 'Your group')
  const failed = [person, groups].find(({ isError, data }) => isError && !data)

  return (
    <Page>
      <PageHead
        trail={<BackLink to={paths.products()}>Products</BackLink>}
        title={group?.name ?? 'Your group'}
        intro="Members of a group share its products. Everybody in the organization sees its zones and readers."
        actions={
          group && (
            <Button icon={Pencil} onClick={() => open<void>((close) => <RenameGroup group={group} close={close} />)}>
              Rename group
            </Button>
          )
        }
      />
      {group ? (
        <div className="grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]">
          <GroupMembers key={group.gid} group={group} own={person.data?.email} />
          <OtherGroups own={group} groups={groups.data?.filter((other) => other !== group) ?? []} />
        </div>
      ) : (
        <Panel flush aria-label="Members">
          {failed ? (
            <ErrorPanel
              message={failed.error?.message ?? 'unknown error'}
              onRetry={() => void Promise.all([person.refetch(), groups.refetch()])}
              retrying={person.isFetching || groups.isFetching}
            />
          ) : person.data && groups.data ? (
            <EmptyState>You are in no group.</EmptyState>
          ) : (
            <p className="p-4" role="status">
              Loading...
            </p>
          )}
        </Panel>
      )}
    </Page>
  )
}
