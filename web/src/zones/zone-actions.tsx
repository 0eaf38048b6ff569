import { fileSave } from 'browser-fs-access'
import { Download, Trash2 } from 'lucide-react'
import { useMutation } from '../lib/api/query.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useConfirmDelete } from '../ui/dialog/confirm-delete.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { deletionConsequence, shortenName, type ZoneRow } from './zone-row.ts'

export function ZoneActions({ zone, onDeleted }: { zone: ZoneRow; onDeleted: () => void }) {
  const canDelete = usePermission('manage:firmware')
  const toast = useToast()
  const confirmDelete = useConfirmDelete()
  const { mutateAsync: deleteZone } = useMutation('deleteZone', { awaitReads: true, errorInPlace: true })
  const { organizationId, id, name } = zone

  async function askToDelete() {
    const isDeleted = await confirmDelete({
      resource: 'Zone',
      label: shortenName(name),
      consequence: `Are you sure you would like to delete this zone? ${deletionConsequence(zone)}`,
      yes: 'Yes',
      delete: () => deleteZone({ params: { organizationId, location: id } }),
    })
    if (isDeleted) onDeleted()
  }

  async function download() {
    try {
      await saveLocationFile(id)
    } catch (error) {
      toast({ title: 'Location file not saved', detail: (error as Error).message, bad: true })
      throw error
    }
  }

  return (
    <span className="inline-flex items-center gap-2">
      <Button small icon={Download} aria-label={`Location file for ${name}`} onClick={download}>
        Location file
      </Button>
      {canDelete && <IconButton small bad icon={Trash2} label={`Delete ${name}`} onClick={askToDelete} />}
    </span>
  )
}

/** @throws what saving throws, "Expected an error" for what is no Error (spec §8); a cancelled save dialog is no error */
async function saveLocationFile(zoneId: string): Promise<void> {
  try {
    await fileSave(new Blob([zoneId]), { fileName: 'Location.ctxdm', extensions: ['.ctxdm'], description: 'CodeDM Location File' })
  } catch (error) {
    if (!(error instanceof Error)) throw new Error('Expected an error')
    if (error.name !== 'AbortError') throw error
  }
}
