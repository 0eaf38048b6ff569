import { useQuery } from '@tanstack/react-query'
import { LogOut } from 'lucide-react'
import { q, useMutation } from '../lib/api/query.ts'
import { useTabOrganization } from '../lib/tab-organization.ts'
import { Button } from '../ui/button/button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'

export function LeaveButton({ organizationId }: { organizationId: string }) {
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
