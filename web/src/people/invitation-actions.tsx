import type { Invitation } from '@lectern/contract/people/people.ts'
import { MailX } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { formatMinute } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { useShowLink } from './invite.tsx'

interface InvitationActionsProps {
  invitation: Invitation
  organizationId: string
  onRevoked: () => void
}

export function InvitationActions({ invitation: { invitationId, email }, organizationId, onRevoked }: InvitationActionsProps) {
  const toast = useToast()
  const showLink = useShowLink()
  const confirmDelete = useConfirmDelete()
  const params = { organizationId, invitationId }
  const { mutateAsync: revoke } = useMutation('revokeInvitation', { awaitReads: true, errorInPlace: true })
  const { mutate: resend, isPending } = useMutation('resendInvitation', {
    onSuccess(sent) {
      if (sent.link !== null) return showLink(sent)
      toast({
        title: `${email} is invited again`,
        detail: `The link of before no longer works. The new one is good until ${formatMinute(sent.expiresAt)}.`,
      })
    },
  })

  const askToRevoke = async () => {
    const isRevoked = await confirmDelete({
      resource: 'Invitation',
      label: email,
      title: `the invitation of ${email}`,
      words: { title: 'Revoke', busy: 'Revoking', done: 'revoked' },
      consequence: 'Its link no longer works. You may invite the address again.',
      delete: () => revoke({ params }),
    })
    if (isRevoked) onRevoked()
  }

  return (
    <span className="inline-flex items-center gap-2">
      <Button small busy={isPending} aria-label={`Send again: ${email}`} onClick={() => resend({ params })}>
        Send again
      </Button>
      <IconButton small bad icon={MailX} label={`Revoke the invitation of ${email}`} onClick={() => void askToRevoke()} />
    </span>
  )
}
