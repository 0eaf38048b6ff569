import { foldName } from '@lectern/contract/text/clean-name.ts'
import { splitTags, type Zone, ZoneDetails } from '@lectern/contract/zones.ts'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { TagsOfRoles } from './tags-of-roles.tsx'
import { shortenName } from './zone-row.ts'

const without = (tags: readonly string[], others: readonly string[]) => {
  const known = new Set(others.map(foldName))
  return tags.filter((tag) => !known.has(foldName(tag)))
}

export function EditNote({ zone, close }: { zone: Zone; close: Close<void> }) {
  const toast = useToast()
  const { mutateAsync: setNote } = useMutation('setZoneNote', { errorInPlace: true })
  const { mutateAsync: tagZones } = useMutation('tagZones', { errorInPlace: true })
  const { id, organizationId, note: before = '', tags: own = [] } = zone
  const bound = useContractForm({
    schema: ZoneDetails,
    values: { note: before, tags: own.join(', ') },
    failureAt: 'tags',
    draft: `note/${id}`,
    async save({ note, tags }) {
      const entered = splitTags(tags)
      const [add, remove] = [without(entered, own), without(own, entered)]
      if (add.length + remove.length > 0) await tagZones({ params: { organizationId }, body: { zones: [id], add, remove } })
      if (note.trim() !== before) await setNote({ params: { organizationId, location: id }, body: { note } })
    },
    onSaved() {
      toast({ title: 'Zone saved', detail: shortenName(zone.name) })
      close()
    },
  })
  return (
    <FormDialog title={`Note and tags of ${shortenName(zone.name)}`} bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="note" lines={5} counted />
      <TextField name="tags" />
      <TagsOfRoles organizationId={organizationId} />
    </FormDialog>
  )
}
