import { type Zone, ZoneNote } from '@lectern/contract/zones.ts'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { shortenName } from './zone-row.ts'

export function EditNote({ zone, close }: { zone: Zone; close: Close<void> }) {
  const toast = useToast()
  const { mutateAsync } = useMutation('setZoneNote', { errorInPlace: true })
  const bound = useContractForm({
    schema: ZoneNote,
    values: { note: zone.note ?? '' },
    failureAt: 'note',
    draft: `note/${zone.id}`,
    save: (body) => mutateAsync({ params: { organizationId: zone.organizationId, location: zone.id }, body }),
    onSaved() {
      toast({ title: 'Note saved', detail: shortenName(zone.name) })
      close()
    },
  })
  return (
    <FormDialog title={`Note of ${shortenName(zone.name)}`} bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="note" lines={5} counted />
    </FormDialog>
  )
}
