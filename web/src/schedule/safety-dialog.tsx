import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { useMemo } from 'react'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { PublishedZones } from '../lib/safety/phases.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { SafetyFields, type SafetyValues, toDefaults, toSafetyForm, toSafetyInput, toSafetyValues } from './safety-fields.tsx'

/** The number of the phase, from 0, whose zones are to be chosen. Afterwards the dialog shows what was entered. */
export interface EnteredSafety {
  values: SafetyValues
  phase: number
}

interface SafetyDialogProps {
  safety: PublishingDefaults
  entered: EnteredSafety | undefined
  published: PublishedZones
  onSave: (safety: PublishingDefaults) => void
  close: Close<EnteredSafety>
}

/** Limits and phases of one rollout that is not published yet. */
export function SafetyDialog({ safety, entered, published, onSave, close }: SafetyDialogProps) {
  const schema = useMemo(() => toSafetyForm(published), [published])
  const bound = useContractForm({
    schema,
    values: entered?.values ?? toSafetyValues(safety),
    toInput: toSafetyInput,
    draft: 'safety-of-rollout',
    save: async (values) => onSave(toDefaults(values)),
    onSaved: () => close(),
  })
  const choose = (phase: number) => close({ values: structuredClone(bound.form.getValues()), phase })
  return (
    <FormDialog title="Safety and phases of this rollout" bound={bound} submit={['Use for this rollout', 'Saving']} close={close}>
      <SafetyFields zones={{ published, onChoose: choose, focused: entered?.phase }} />
    </FormDialog>
  )
}
