import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { type LibraryDetail, LibraryInput, type SavedContent } from '@lectern/contract/library.ts'
import { CfgText } from '@lectern/contract/publications/publications.ts'
import { field } from '@lectern/contract/text/fields.ts'
import { Line, Text } from '@lectern/contract/text/text.ts'
import * as z from 'zod/mini'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { RadioField, SelectField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

const toValues = ({ name, note }: LibraryDetail) => ({ name, note })

interface EditEntryProps {
  organizationId: string
  entry: LibraryDetail
  close: Close<void>
}

export function EditEntry({ organizationId, entry, close }: EditEntryProps) {
  const params = { organizationId, id: entry.id }
  const { mutateAsync } = useMutation('updateLibraryEntry', { errorInPlace: true })
  const toast = useToast()
  const bound = useContractForm({
    schema: LibraryInput,
    values: toValues(entry),
    toValues,
    draft: `library/${entry.id}`,
    failureAt: 'name',
    edit: useEdit(entry, q('getLibraryEntry', { params })),
    save: (body, basedOn) => mutateAsync({ params, body, basedOn }),
    onSaved({ name }) {
      toast({ title: 'Configuration changed', detail: name })
      close()
    },
  })
  return (
    <FormDialog title={`Rename ${entry.name}`} noun="configuration" bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="name" hint="What was published keeps the name it had." />
      <TextField name="note" lines={4} counted />
    </FormDialog>
  )
}

const CfgVersion = z.object({ text: field(CfgText, { label: 'CFG text' }) })
const ScriptVersion = z.object({ text: field(Text(1_000_000), { label: 'Script' }) })

interface NewVersionProps extends EditEntryProps {
  shown: Exclude<SavedContent, { kind: 'commands' }>
}

export function NewVersion({ organizationId, entry, shown, close }: NewVersionProps) {
  const params = { organizationId, id: entry.id }
  const { mutateAsync } = useMutation('addLibraryVersion', { errorInPlace: true })
  const toast = useToast()
  const bound = useContractForm({
    schema: shown.kind === 'cfg' ? CfgVersion : ScriptVersion,
    values: { text: shown.text },
    draft: `library-version/${entry.id}`,
    failureAt: 'text',
    save: ({ text }) => mutateAsync({ params, body: { content: { ...shown, text } } }),
    onSaved({ version }) {
      toast({ title: `Version ${version} saved`, detail: entry.name })
      close()
    },
  })
  return (
    <FormDialog title={`New version of ${entry.name}`} wide bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="text" lines={14} mono />
    </FormDialog>
  )
}

const NewText = z.extend(LibraryInput, {
  device: field(z.enum(updateModels), { label: 'Device' }),
  kind: field(z.enum(['cfg', 'script']), { label: 'It is' }),
  fileName: field(z.optional(Line(204)), { label: 'File name', hint: 'Of a script: ends in .js.' }),
  text: field(Text(1_000_000), { label: 'Text' }),
})

export function NewEntry({ organizationId, close }: { organizationId: string; close: Close<void> }) {
  const { mutateAsync } = useMutation('createLibraryEntry', { errorInPlace: true })
  const toast = useToast()
  const bound = useContractForm({
    schema: NewText,
    values: { name: '', note: '', device: 'CR2700' as UpdateModel, kind: 'cfg' as 'cfg' | 'script', fileName: 'rules.js', text: '' },
    draft: 'library-text',
    failureAt: 'text',
    save: ({ name, note, device, kind, fileName = '', text }) =>
      mutateAsync({
        params: { organizationId },
        body: { name, note, device, content: kind === 'cfg' ? { kind, text } : { kind, text, fileName } },
      }),
    onSaved({ name }) {
      toast({ title: 'Configuration saved', detail: name })
      close()
    },
  })
  return (
    <FormDialog title="Save a text in the library" wide bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="name" />
      <SelectField name="device" options={updateModels.map((model) => ({ value: model, label: model }))} />
      <RadioField
        name="kind"
        options={[
          { value: 'cfg', label: 'CFG' },
          { value: 'script', label: 'CodeRules script' },
        ]}
      />
      {bound.form.watch('kind') === 'script' && <TextField name="fileName" mono />}
      <TextField name="text" lines={10} mono />
      <TextField name="note" lines={3} counted />
    </FormDialog>
  )
}
