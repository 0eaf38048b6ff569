import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { SafetyFields, SafetyForm, toDefaults, toSafetyInput, toSafetyValues } from './safety-fields.tsx'

interface SafetyDialogProps {
  safety: PublishingDefaults
  onSave: (safety: PublishingDefaults) => void
  close: Close<void>
}

/** For one rollout, before it is published. */
export function SafetyDialog({ safety, onSave, close }: SafetyDialogProps) {
  const bound = useContractForm({
    schema: SafetyForm,
    values: toSafetyValues(safety),
    toInput: toSafetyInput,
    draft: 'safety-of-rollout',
    save: async (values) => onSave(toDefaults(values)),
    onSaved: () => close(),
  })
  return (
    <FormDialog title="Safety and phases of this rollout" bound={bound} submit={['Use for this rollout', 'Saving']} close={close}>
      <SafetyFields />
    </FormDialog>
  )
}
