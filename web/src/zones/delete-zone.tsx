import { useMutation } from '../lib/api/query.ts'
import { Confirm } from '../ui/dialog/confirm.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { deletionConsequence, shortName, type ZoneRow } from './zone-row.ts'

/** The question before a zone is deleted (spec §2). A zone that still has host PCs is refused by the server, in this dialog. */
export function DeleteZone({ zone, close }: { zone: ZoneRow; close: Close<boolean> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('deleteZone', { errorInPlace: true })
  const { organizationId, id: location, name } = zone

  async function remove() {
    await mutateAsync({ params: { organizationId, location } })
    toast({ title: 'Zone deleted', detail: shortName(name) })
  }

  return (
    <Confirm title={`Delete ${shortName(name)}`} destructive busyLabel="Deleting" close={close} onYes={remove}>
      Are you sure you would like to delete this zone? {deletionConsequence(zone)}
    </Confirm>
  )
}
