import type { CaseDetail } from '@lectern/contract/cases/cases.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Check, RotateCcw, Trash2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useMutation } from '../lib/api/query.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { useChangeCase } from './use-change-case.ts'

export function CaseActions({ id, found: { subject, status } }: { id: string; found: CaseDetail }) {
  const navigate = useNavigate()
  const client = useQueryClient()
  const toast = useToast()
  const confirmDelete = useConfirmDelete()
  const { mutate, isPending } = useChangeCase(id)
  const { mutateAsync: deleteCase } = useMutation('deleteCase', { errorInPlace: true })
  const isClosed = status === 'Closed'

  const close = () =>
    mutate(
      { body: { id, status: isClosed ? 'New' : 'Closed' } },
      { onSuccess: () => toast({ title: isClosed ? 'Case reopened' : 'Case closed' }) },
    )

  async function askToDelete() {
    const isDeleted = await confirmDelete({
      resource: 'Case',
      label: subject,
      title: `the case “${subject}”`,
      consequence:
        'It is deleted for you and for the support desk, with all its follow-ups. To keep it, close it instead. This cannot be undone.',
      delete: () => deleteCase({ params: { id } }),
    })
    if (!isDeleted) return
    await navigate(paths.cases())
    client.removeQueries({ queryKey: ['getCase'] })
  }

  return (
    <>
      <Button icon={isClosed ? RotateCcw : Check} busy={isPending} busyLabel={isClosed ? 'Reopening' : 'Closing'} onClick={close}>
        {isClosed ? 'Reopen case' : 'Close case'}
      </Button>
      <Button variant="danger" icon={Trash2} disabled={isPending} onClick={() => void askToDelete()}>
        Delete
      </Button>
    </>
  )
}
