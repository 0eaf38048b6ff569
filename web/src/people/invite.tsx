import type { SentInvitation } from '@lectern/contract/people/people.ts'
import { Mail } from 'lucide-react'
import { Button } from '../ui/button/button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'

// For portals that send no mail.
export function useShowLink(): (sent: SentInvitation) => Promise<void> {
  const { open } = useDialog()
  return async (sent) => {
    if (sent.link === null) return
    await open<void>(async (close) => {
      const { InvitationLink } = await import('./invitation-link.tsx')
      return <InvitationLink sent={sent} close={close} />
    })
  }
}

export function InviteButton({ organizationId, groupId }: { organizationId: string; groupId: number }) {
  const { open } = useDialog()
  const showLink = useShowLink()
  async function invite() {
    const sent = await open<SentInvitation>(async (close) => {
      const { InvitationForm } = await import('./invitation-form.tsx')
      return <InvitationForm organizationId={organizationId} groupId={groupId} close={close} />
    })
    if (sent) await showLink(sent)
  }
  return (
    <Button variant="primary" icon={Mail} onClick={() => void invite()}>
      Invite a colleague
    </Button>
  )
}
