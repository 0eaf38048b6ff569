import { counted } from '@lectern/contract/text/numbers.ts'
import { splitTags, TagChange } from '@lectern/contract/zones.ts'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { TagsOfRoles } from './tags-of-roles.tsx'

interface TagZonesProps {
  organizationId: string
  zones: readonly string[]
  close: Close<void>
}

export function TagZones({ organizationId, zones, close }: TagZonesProps) {
  const toast = useToast()
  const { mutateAsync } = useMutation('tagZones', { errorInPlace: true })
  const bound = useContractForm({
    schema: TagChange,
    values: { add: '', remove: '' },
    failureAt: 'add',
    draft: 'tags',
    save: ({ add, remove }) =>
      mutateAsync({ params: { organizationId }, body: { zones: [...zones], add: splitTags(add), remove: splitTags(remove) } }),
    onSaved() {
      toast({ title: 'Tags saved', detail: counted(zones.length, 'zone') })
      close()
    },
  })
  return (
    <FormDialog title={`Tags of ${counted(zones.length, 'zone')}`} bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="add" />
      <TextField name="remove" />
      <TagsOfRoles organizationId={organizationId} />
    </FormDialog>
  )
}
