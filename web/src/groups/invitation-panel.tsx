import type { Group, Invitation } from '@lectern/contract/groups.ts'
import { Link } from 'lucide-react'
import { useEffect, useRef, useState } from 'react'
import { useMutation } from '../lib/query.ts'
import { Button } from '../ui/button.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Panel } from '../ui/panel.tsx'
import { useToast } from '../ui/toast.tsx'
import { invitationLink, untilWhen } from './invitation-link.ts'

/** Makes an invitation to the group and copies its link; where the browser keeps the clipboard from us, shows the link selected. */
export function InvitationPanel({ group }: { group: Group }) {
  const toast = useToast()
  const { mutateAsync, isPending } = useMutation('inviteToGroup')
  const [shown, setShown] = useState<Invitation>()

  async function copy() {
    const invitation = await mutateAsync({ params: { id: group.gid } }).catch(() => null)
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
    <Panel title="Invite a colleague">
      <p className="mb-3 text-13 text-ink-2">
        Whoever opens the link and signs in joins {group.name}. It is good for seven days and for any number of colleagues.
      </p>
      <Button variant="primary" icon={Link} className="w-full" busy={isPending} busyLabel="Making the link" onClick={copy}>
        Copy invitation link
      </Button>
      {shown && <ShownLink gid={group.gid} invitation={shown} />}
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
      className="mt-3"
      label="Invitation link"
      hint={`The browser did not allow copying. Copy it by hand. Good until ${untilWhen(invitation.expiresAt)}.`}
    >
      <Input ref={input} readOnly value={link} onFocus={(event) => event.target.select()} />
    </Field>
  )
}
