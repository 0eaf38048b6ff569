import { RolloutNameInput } from '@lectern/contract/rollouts/rollout-name.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

interface NameDialogProps {
  /** The rollout's id; before it is published, any id under which its draft is kept. */
  id: string
  name: string | undefined
  onName: (input: { name: string | null }) => Promise<unknown>
  close: Close<void>
}

const toInput = ({ name }: { name: string }) => ({ name: name.trim() === '' ? null : name })

export function NameDialog({ id, name = '', onName, close }: NameDialogProps) {
  const bound = useContractForm({
    schema: RolloutNameInput,
    values: { name },
    toInput,
    draft: `rollout-name/${id}`,
    save: (values) => onName(toInput(values)),
    onSaved: () => close(),
  })
  return (
    <FormDialog title="Name of this rollout" bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="name" />
    </FormDialog>
  )
}
