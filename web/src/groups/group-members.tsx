import type { Group, Invitation } from '@lectern/contract/groups.ts'
import { Link } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { invitationLink, untilWhen } from './invitation-link.ts'
import { MemberList } from './member-list.tsx'

/**
 * The members of a group, and the link that invites a colleague (decided: it is copied from the member list). Where the browser keeps
 * the clipboard from us, the link is shown selected.
 */
export function GroupMembers({ group, own }: { group: Group; own: string | undefined }) {
  const toast = useToast()
  const { mutateAsync, isPending } = useMutation('inviteToGroup')
  const [shown, setShown] = useState<Invitation>()

  async function copy() {
    const invitation = await mutateAsync({ params: { id: group.gid } }).catch(() => null)
    // The failure is a toast.
    if (!invitation) return
    try {
      await navigator.clipboard.writeText(invitationLink(location.origin, group.gid, invitation.invitation))
      setShown(undefined)
      toast({ title: 'Invitation link copied', detail: `Good until ${untilWhen(invitation.expiresAt)}.` })
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
      <MemberList members={group.users} own={own} />
    </Panel>
  )
}

function ShownLink({ gid, invitation }: { gid: number; invitation: Invitation }) {
  const input = useRef<HTMLInputElement>(null)
  const link = invitationLink(location.origin, gid, invitation.invitation)
  useEffect(() => {
    if (link) input.current?.select()
  }, [link])
  return (
    <Field
      label="Invitation link"
      hint={`The browser did not allow copying. Copy the link by hand. It is good until ${untilWhen(invitation.expiresAt)}.`}
    >
      <Input ref={input} readOnly value={link} onFocus={(event) => event.target.select()} />
    </Field>
  )
}
