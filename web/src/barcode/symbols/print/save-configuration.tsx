import type { BuilderDevice } from '@lectern/contract/barcode/catalogue.ts'
import { configurationNameLength } from '@lectern/contract/library.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { OptionalLine } from '@lectern/contract/text/text.ts'
import { useQuery } from '@tanstack/react-query'
import { useNavigate } from 'react-router'
import * as z from 'zod/mini'
import { q, useMutation } from '../../../lib/api/query.ts'
import { useContractForm } from '../../../lib/form/contract-form.ts'
import { paths } from '../../../paths.ts'
import type { Close } from '../../../ui/dialog/dialog.tsx'
import { useToast } from '../../../ui/feedback/toast.tsx'
import { SelectField } from '../../../ui/form/choice-fields.tsx'
import { FormDialog } from '../../../ui/form/form-dialog.tsx'
import { TextField } from '../../../ui/form/text-field.tsx'

const SavedName = z.object({
  // The id of the entry that gets a new version, or `new`.
  entry: field(z.string(), { label: 'Save as' }),
  name: field(OptionalLine(configurationNameLength), { label: 'Name' }),
})

const asNew = 'new'

interface SaveConfigurationProps {
  organization: { id: string; name: string }
  device: BuilderDevice
  commands: readonly string[]
  content: string
  /** What follows where the configuration is saved in order to publish it. */
  onSaved?: (saved: { id: string; version: number }) => void
  close: Close<void>
}

export function SaveConfiguration({ organization, device, commands, content, onSaved, close }: SaveConfigurationProps) {
  const toast = useToast()
  const navigate = useNavigate()
  const { mutateAsync: create } = useMutation('createLibraryEntry', { errorInPlace: true })
  const { mutateAsync: add } = useMutation('addLibraryVersion', { errorInPlace: true })
  const params = { organizationId: organization.id }
  const { data: library = [] } = useQuery(q('listLibrary', { params }))
  const entries = library.filter((entry) => entry.mayChange && entry.device === device && entry.kind === 'commands')
  const bound = useContractForm({
    schema: SavedName,
    values: { entry: asNew, name: '' },
    failureAt: 'name',
    draft: 'configuration',
    save: ({ entry, name }) => {
      const content = { kind: 'commands' as const, commands: [...commands] }
      return entry === asNew
        ? create({ params, body: { name: name.trim(), device, content } })
        : add({ params: { ...params, id: entry }, body: { content } })
    },
    onSaved: ({ id, name, version }) => {
      const title = version === 1 ? 'Configuration saved' : `Version ${version} saved`
      const action = { label: 'Open the library', press: () => void navigate(paths.library({ open: id })) }
      toast({ title, detail: name, ...(!onSaved && { action }) })
      close()
      onSaved?.({ id, version })
    },
  })
  const isNew = bound.form.watch('entry') === asNew
  const isEmpty = isNew && bound.form.watch('name').trim() === ''
  return (
    <FormDialog
      title={onSaved ? 'Save before publishing' : 'Save configuration'}
      bound={bound}
      submit={[onSaved ? 'Save and choose zones' : 'Save', 'Saving']}
      disabled={isEmpty}
      close={close}
    >
      {onSaved && <p>Rollouts and readers then show its name and version.</p>}
      <p>Everyone in {organization.name} can see and print it from the Configuration Library.</p>
      {entries.length > 0 && (
        <SelectField
          name="entry"
          options={[
            { value: asNew, label: 'A new configuration' },
            ...entries.map(({ id, name, version }) => ({ value: id, label: `Version ${version + 1} of ${name}` })),
          ]}
        />
      )}
      {isNew && <TextField name="name" hint={`For ${device}, ${content}`} />}
    </FormDialog>
  )
}
