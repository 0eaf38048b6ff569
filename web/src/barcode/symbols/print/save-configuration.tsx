import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { configurationNameLength } from '@lectern/contract/library.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { Line } from '@lectern/contract/text/text.ts'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { useMutation } from '../../../lib/api/query.ts'
import { useContractForm } from '../../../lib/form/contract-form.ts'
import { paths } from '../../../paths.ts'
import type { Close } from '../../../ui/dialog/dialog.tsx'
import { useToast } from '../../../ui/feedback/toast.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'

const SavedName = z.object({ name: field(Line(configurationNameLength), { label: 'Name' }) })

interface SaveConfigurationProps {
  organization: { id: string; name: string }
  device: BuilderDevice
  commands: readonly string[]
  content: string
  close: Close<void>
}

export function SaveConfiguration({ organization, device, commands, content, close }: SaveConfigurationProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const { mutateAsync } = useMutation('saveConfiguration', { errorInPlace: true })
  const bound = useContractForm({
    schema: SavedName,
    values: { name: '' },
    failureAt: 'name',
    draft: 'configuration',
    save: ({ name }) =>
      mutateAsync({ params: { organizationId: organization.id, deviceName: device, name: name.trim() }, body: [...commands] }),
    onSaved: ({ name }) => {
      const action = { label: 'Open the library', press: () => void navigate(paths.library()) }
      toast({ title: 'Configuration saved', detail: name, action })
      close()
    },
  })
  const isEmpty = bound.form.watch('name').trim() === ''
  return (
    <FormDialog title="Save configuration" bound={bound} submit={['Save', 'Saving']} disabled={isEmpty} close={close}>
      <p>Everyone in {organization.name} can see and print it from the Configuration Library.</p>
      <TextField name="name" hint={`For ${device}, ${content}`} />
    </FormDialog>
  )
}
