import type { Reader } from '@lectern/contract/readers.ts'
import { Pencil, Trash2 } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'

export function ReaderActions({ reader, onDeleted }: { reader: Reader; onDeleted: () => void }) {
  const { open } = useDialog()
  const toast = useToast()
  const confirmDelete = useConfirmDelete()
  const { readerId, sn, isLost } = reader
  const params = { id: readerId }
  const { mutate, isPending } = useMutation('updateReader', {
    onSuccess: (saved) => toast({ title: saved.isLost ? 'Marked as lost' : 'Marked as found', detail: saved.sn }),
  })
  const { mutateAsync: deleteReader } = useMutation('deleteReader', { awaitReads: true, errorInPlace: true })

  async function askToDelete() {
    const isDeleted = await confirmDelete({
      resource: 'Registered reader',
      label: sn,
      consequence: 'It is no longer registered here. What host PCs report of it stays under Devices. This cannot be undone.',
      delete: () => deleteReader({ params }),
    })
    if (isDeleted) onDeleted()
  }

  return (
    <span className="inline-flex items-center gap-2">
      {/* One button for both ways, so that it keeps its focus. */}
      <Button
        small
        busy={isPending}
        aria-label={`Mark as ${isLost ? 'found' : 'lost'}: ${sn}`}
        onClick={() => mutate({ params, body: { sn, isLost: !isLost } })}
      >
        {isLost ? 'Mark as found' : 'Mark as lost'}
      </Button>
      <IconButton
        small
        icon={Pencil}
        label={`Edit ${sn}`}
        onClick={() =>
          open<void>(async (close) => {
            const { EditReader } = await import('./reader-form.tsx')
            return <EditReader reader={reader} close={close} />
          })
        }
      />
      <IconButton small bad icon={Trash2} label={`Delete ${sn}`} onClick={askToDelete} />
    </span>
  )
}
