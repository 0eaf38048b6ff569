import type { Member } from '@lectern/contract/people/people.ts'
import { FolderInput, UserMinus } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { formatPerson } from '../lib/format.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'

interface MemberActionsProps {
  member: Member
  organizationId: string
  areReadOnly: boolean
  onRemoved: () => void
}

export function MemberActions({ member, organizationId, areReadOnly, onRemoved }: MemberActionsProps) {
  const { open } = useDialog()
  const confirmDelete = useConfirmDelete()
  const { mutateAsync: remove } = useMutation('removeMember', { awaitReads: true, errorInPlace: true })
  const name = formatPerson(member)

  const askToRemove = async () => {
    const isRemoved = await confirmDelete({
      resource: 'Member',
      label: name,
      words: { title: 'Remove', busy: 'Removing', done: 'removed' },
      consequence:
        'They no longer see anything of this organization. Their open invitations are taken back. What they did stays in the audit log. You may invite them again.',
      delete: () => remove({ params: { organizationId, memberId: member.memberId } }),
    })
    if (isRemoved) onRemoved()
  }

  return (
    <span className="inline-flex items-center gap-2">
      <Button
        small
        aria-label={`Change role: ${name}`}
        disabledReason={areReadOnly ? 'Roles are managed at your identity provider.' : undefined}
        onClick={() =>
          open<void>(async (close) => {
            const { ChangeRole } = await import('./member-forms.tsx')
            return <ChangeRole member={member} organizationId={organizationId} close={close} />
          })
        }
      >
        Change role
      </Button>
      <IconButton
        small
        icon={FolderInput}
        label={`Move ${name} to another group`}
        onClick={() =>
          open<void>(async (close) => {
            const { ChangeGroup } = await import('./member-forms.tsx')
            return <ChangeGroup member={member} organizationId={organizationId} close={close} />
          })
        }
      />
      <IconButton small bad icon={UserMinus} label={`Remove ${name}`} onClick={() => void askToRemove()} />
    </span>
  )
}
