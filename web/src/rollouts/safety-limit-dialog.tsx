import { SafetyLimitInput } from '@lectern/contract/publications/safety-limit.ts'
import type { RolloutDetail } from '@lectern/contract/rollouts/rollouts.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useIsLimited } from '../lib/session.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { CheckboxField, TimeField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { formatLimits } from './rollout-words.ts'

interface Values {
  haltAbovePercent: string
  stopTime: string
  forLater: boolean
}

const toInput = ({ haltAbovePercent, stopTime, forLater }: Values): SafetyLimitInput => {
  const text = haltAbovePercent.trim().replace(/\s*%$/, '')
  return { haltAbovePercent: text === '' ? null : Number(text), stopTime: stopTime.trim() || null, forLater }
}

interface SafetyLimitDialogProps {
  rollout: RolloutDetail
  onSave: (input: SafetyLimitInput) => Promise<unknown>
  close: Close<void>
}

export function SafetyLimitDialog({ rollout: { id, safetyLimit }, onSave, close }: SafetyLimitDialogProps) {
  const { haltAbovePercent, stopTime, later } = safetyLimit
  const isLimited = useIsLimited()
  const bound = useContractForm<Values, unknown>({
    schema: SafetyLimitInput,
    values: { haltAbovePercent: haltAbovePercent === null ? '' : String(haltAbovePercent), stopTime: stopTime ?? '', forLater: false },
    toInput,
    draft: `safety-limits/${id}`,
    save: (values) => onSave(toInput(values)),
    onSaved: () => close(),
  })
  return (
    <FormDialog title="Safety limits" bound={bound} submit={['Save', 'Saving']} close={close}>
      <TextField name="haltAbovePercent" inputMode="numeric" />
      <TimeField name="stopTime" />
      {!isLimited && <CheckboxField name="forLater" label={`Also for later rollouts of this organization (now: ${formatLimits(later)})`} />}
      <p className="text-13 text-ink-2">
        A change applies at once, also in zones that you resumed. A halted zone stays halted until you resume it. Neither limit holds back
        readers that you retry or re-apply.
      </p>
    </FormDialog>
  )
}
