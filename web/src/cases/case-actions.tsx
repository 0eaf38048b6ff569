import type { CaseDetail } from '@lectern/contract/cases/cases.ts'
import { useQueryClient } from '@tanstack/react-query'
import { Check, RotateCcw, Trash2 } from 'lucide-react'
import { useNavigate } from 'react-router'
import { useMutation } from '../lib/api/query.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { useChangeCase } from './use-change-case.ts'

/** Closes a case or opens it again, and deletes it after a question. */
export function CaseActions({ id, found }: { id: string; found: CaseDetail }) {
  const { open } = useDialog()
  const navigate = useNavigate()
  const client = useQueryClient()
  const toast = useToast()
  const { mutate, isPending } = useChangeCase(id)
  const isClosed = found.status === 'Closed'

  async function askToDelete() {
    if (!(await open<boolean>((close) => <DeleteCase id={id} subject={found.subject} close={close} />))) return
    await navigate(paths.cases())
    client.removeQueries({ queryKey: ['getCase'] })
  }

  return (
    <>
      <Button
        icon={isClosed ? RotateCcw : Check}
        busy={isPending}
        busyLabel={isClosed ? 'Reopening' : 'Closing'}
        onClick={() =>
          mutate(
            { body: { id, status: isClosed ? 'New' : 'Closed' } },
            { onSuccess: () => toast({ title: isClosed ? 'Case reopened' : 'Case closed' }) },
          )
        }
      >
        {isClosed ? 'Reopen case' : 'Close case'}
      </Button>
      <Button variant="danger" icon={Trash2} disabled={isPending} onClick={() => void askToDelete()}>
        Delete
      </Button>
    </>
  )
}

function DeleteCase({ id, subject, close }: { id: string; subject: string; close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('deleteCase', { errorInPlace: true })

  async function remove() {
    await mutateAsync({ params: { id } })
    toast({ title: 'Case deleted', detail: subject })
  }

  return (
    <Confirm title={`Delete the case “${subject}”`} yes="Delete" destructive busyLabel="Deleting" close={close} onYes={remove}>
      It is gone for you and for the support desk, with all that was written. To keep it, close it instead. This cannot be undone.
    </Confirm>
  )
}
