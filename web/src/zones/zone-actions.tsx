import { Download, Trash2 } from 'lucide-react'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { IconButton } from '../ui/button/icon-button.tsx'
import { useDialog } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { DeleteZone } from './delete-zone.tsx'
import { saveLocationFile } from './location-file.ts'
import type { ZoneRow } from './zone-row.ts'

/** What can be done with a zone: its location file for everybody, deleting it with `manage:firmware` (spec §2, §6). */
export function ZoneActions({ zone }: { zone: ZoneRow }) {
  const canDelete = usePermission('manage:firmware')
  const { open } = useDialog()
  const toast = useToast()

  const ask = () => open<boolean>((close) => <DeleteZone zone={zone} close={close} />)

  async function download() {
    try {
      await saveLocationFile(zone.id)
    } catch (error) {
      toast({ title: 'Location file not saved', detail: (error as Error).message, bad: true })
      throw error
    }
  }

  return (
    <span className="inline-flex items-center gap-2">
      <Button small icon={Download} aria-label={`Location file for ${zone.name}`} onClick={download}>
        Location file
      </Button>
      {canDelete && <IconButton small bad icon={Trash2} label={`Delete ${zone.name}`} onClick={ask} />}
    </span>
  )
}
