import { type RolloutDetail, SafetyLimitInput } from '@lectern/contract/rollouts.ts'
import { useState } from 'react'
import { useForm } from 'react-hook-form'
import { aboutField, placeProblem, schemaResolver } from '../lib/form-problems.ts'
import { Button } from '../ui/button.tsx'
import { Checkbox } from '../ui/checkbox.tsx'
import type { Close } from '../ui/dialog.tsx'
import { DialogPanel } from '../ui/dialog-panel.tsx'
import { Field } from '../ui/field.tsx'
import { Input } from '../ui/input.tsx'
import { Notice } from '../ui/notice.tsx'
import { Saving } from '../ui/saving.tsx'
import { percentOf } from './rollout-words.ts'

interface Values {
  haltAbovePercent: string
  forLater: boolean
}

const label = 'Halt a zone when failed exceeds'
const inputOf = ({ haltAbovePercent, forLater }: Values): SafetyLimitInput => {
  const text = haltAbovePercent.trim().replace(/\s*%$/, '')
  return { haltAbovePercent: text === '' ? null : Number(text), forLater }
}

interface SafetyLimitDialogProps {
  limit: RolloutDetail['safetyLimit']
  onSave: (input: SafetyLimitInput) => Promise<unknown>
  close: Close<void>
}

/** Asks what a rollout's zones are halted above, and whether later rollouts get the same. */
export function SafetyLimitDialog({ limit: { haltAbovePercent, laterPercent }, onSave, close }: SafetyLimitDialogProps) {
  const [failure, setFailure] = useState<string>()
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: schemaResolver<Values>(SafetyLimitInput, inputOf),
    defaultValues: { haltAbovePercent: haltAbovePercent === null ? '' : String(haltAbovePercent), forLater: false },
  })
  const {
    register,
    handleSubmit,
    formState: { errors, isSubmitting },
  } = form

  const submit = handleSubmit(async (entered) => {
    setFailure(undefined)
    try {
      await onSave(inputOf(entered))
      close()
    } catch (error) {
      setFailure(placeProblem(error, form))
    }
  })

  return (
    <DialogPanel
      title="Safety limit"
      saving={isSubmitting}
      onSubmit={submit}
      actions={
        <>
          <Button disabled={isSubmitting} onClick={() => close()}>
            Cancel
          </Button>
          <Button variant="primary" type="submit" busy={isSubmitting} busyLabel="Saving">
            Save
          </Button>
        </>
      }
    >
      <Saving busy={isSubmitting} className="grid gap-4">
        <Field
          label={`${label} (percent)`}
          error={aboutField('The limit', errors.haltAbovePercent?.message)}
          hint="Of all readers of the zone in this rollout, 1 to 100. Empty for no limit."
        >
          <Input inputMode="numeric" autoComplete="off" maxLength={6} {...register('haltAbovePercent')} />
        </Field>
        <Checkbox {...register('forLater')}>
          Also for later rollouts of this organization (now: {percentOf(laterPercent).toLowerCase()})
        </Checkbox>
        <p className="text-13 text-ink-2">
          It counts at once, also for zones that were resumed beyond the former limit. What is halted stays halted until somebody resumes
          it.
        </p>
        {failure && <Notice kind="bad">{failure}</Notice>}
      </Saving>
    </DialogPanel>
  )
}
