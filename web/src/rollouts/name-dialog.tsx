import { RolloutNameInput } from '@lectern/contract/publications/rollout-name.ts'
import type { RolloutDetail } from '@lectern/contract/rollouts.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import type { RolloutChange } from './use-rollout-change.ts'

interface NameDialogProps {
  rollout: RolloutDetail
  onName: RolloutChange['name']
  close: Close<void>
}

const toInput = ({ name }: { name: string }) => ({ name: name.trim() === '' ? null : name })

export function NameDialog({ rollout: { id, name = '' }, onName, close }: NameDialogProps) {
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
