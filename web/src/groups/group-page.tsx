import type { Group, Invitation } from '@lectern/contract/groups.ts'
import { useQuery } from '@tanstack/react-query'
import { Link, Pencil } from 'lucide-react'
import { type ReactNode, useEffect, useRef, useState } from 'react'
import { q, useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { formatMinute } from '../lib/format.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { EmptyState } from '../ui/feedback/empty-state.tsx'
import { QueryStates, useQueryProblem } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { BackLink } from '../ui/layout/strip.tsx'
import { MemberList } from './member-list.tsx'
import { OtherGroups } from './other-groups.tsx'

const failed = 'Error loading the group'

export default function GroupPage() {
  const user = useQuery(q('getCurrentUser', {}))
  const groups = useQuery(q('listGroups', {}))
  const problem = useQueryProblem(groups, failed)
  const { open } = useDialog()
  const group = groups.data?.find(({ gid }) => gid === user.data?.group?.gid)
  useDocumentTitle(group?.name ?? 'Your group')

  return (
    <Page>
      <PageHead
        trail={<BackLink to={paths.products()}>Products</BackLink>}
        title={group?.name ?? 'Your group'}
        intro="Members of a group share its products. Everyone in the organization sees its zones and readers."
        actions={
          group && (
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
  const toast = useToast()
  const { mutateAsync, isPending } = useMutation('inviteToGroup')
  const [shown, setShown] = useState<Invitation>()

  async function copy() {
    const invitation = await mutateAsync({ params: { id: group.gid } }).catch(() => null)
    // The failure is a toast.
    if (!invitation) return
    try {
      await navigator.clipboard.writeText(formatInvitationLink(group.gid, invitation))
      setShown(undefined)
      toast({ title: 'Invitation link copied', detail: `Good until ${formatMinute(invitation.expiresAt)}.` })
    } catch {
      setShown(invitation)
    }
  }

  return (
    <Panel
      flush
      title={`Members (${group.users.length})`}
      actions={
        <Button variant="primary" icon={Link} busy={isPending} onClick={copy}>
          Copy invitation link
        </Button>
      }
      foot={
        <div className="grid w-full gap-3">
          <p className="max-w-prose text-13 text-ink-2">
            Whoever opens an invitation link and signs in joins {group.name}. A link is good for seven days and for any number of
            colleagues.
          </p>
          {shown && <ShownLink gid={group.gid} invitation={shown} />}
        </div>
      }
    >
      {children}
      <MemberList members={group.users} own={own} />
    </Panel>
  )
}

function ShownLink({ gid, invitation }: { gid: number; invitation: Invitation }) {
  const input = useRef<HTMLInputElement>(null)
  const link = formatInvitationLink(gid, invitation)
  useEffect(() => {
    if (link) input.current?.select()
  }, [link])
  return (
    <Field
      label="Invitation link"
      hint={`The browser did not allow copying. Copy the link by hand. It is good until ${formatMinute(invitation.expiresAt)}.`}
    >
      <Input ref={input} readOnly value={link} onFocus={(event) => event.target.select()} />
    </Field>
  )
}

const formatInvitationLink = (gid: number, { invitation }: Invitation): string =>
  `${location.origin}${paths.join({ groupId: gid }, { invitation })}`
