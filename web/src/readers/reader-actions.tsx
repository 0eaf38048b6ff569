import type { Reader } from '@lectern/contract/readers.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { Confirm } from '../ui/dialog/confirm.tsx'
import { type Close, useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { EditReader } from './reader-form.tsx'

/** A reader can be marked as lost or found, edited and deleted. */
export function ReaderActions({ reader, onDeleted }: { reader: Reader; onDeleted: () => void }) {
  const { open } = useDialog()
  const toast = useToast()
  const { readerId, sn, isLost } = reader
  const { mutate, isPending } = useMutation('updateReader', {
    onSuccess: (answer) => toast({ title: answer.isLost ? 'Marked as lost' : 'Marked as found', detail: answer.sn }),
  })

  async function askToDelete() {
    const isDeleted = await open<boolean>((close) => <DeleteReader reader={reader} close={close} />)
    if (isDeleted) onDeleted()
  }

  return (
    <span className="inline-flex items-center gap-2">
      {/* One button for both ways, so that it keeps its focus. */}
      <Button
        small
        busy={isPending}
        aria-label={`Mark as ${isLost ? 'found' : 'lost'}: ${sn}`}
        onClick={() => mutate({ params: { id: readerId }, body: { sn, isLost: !isLost } })}
      >
        {isLost ? 'Mark as found' : 'Mark as lost'}
      </Button>
      <IconButton
        small
        icon={Pencil}
        label={`Edit ${sn}`}
        onClick={() => open<void>((close) => <EditReader reader={reader} close={close} />)}
      />
      <IconButton small bad icon={Trash2} label={`Delete ${sn}`} onClick={askToDelete} />
    </span>
  )
}

function DeleteReader({ reader: { readerId, sn }, close }: { reader: Reader; close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('deleteReader', { awaitReads: true, errorInPlace: true })

  async function remove() {
    await mutateAsync({ params: { id: readerId } })
    toast({ title: 'Reader deleted', detail: sn })
  }

  return (
    <Confirm title={`Delete ${sn}`} yes="Delete" destructive busyLabel="Deleting" close={close} onYes={remove}>
      It is no longer registered here. What host PCs report of it stays under Devices. This cannot be undone.
    </Confirm>
  )
}
