import { type RolloutDetail, SafetyLimitInput } from '@lectern/contract/rollouts.ts'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { aboutField, placeProblem, schemaResolver } from '../lib/form/form-problems.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Field } from '../ui/form/field.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { Checkbox } from '../ui/input/checkbox.tsx'
import { Input } from '../ui/input/input.tsx'
import { TimeInput } from '../ui/input/time-input.tsx'
import { limitLabels, limitsInShort } from './rollout-words.ts'

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
  limit: RolloutDetail['safetyLimit']
  onSave: (input: SafetyLimitInput) => Promise<unknown>
  close: Close<void>
}

/** Asks what a rollout's zones are halted above and until when readers begin, and whether later rollouts get the same. */
export function SafetyLimitDialog({ limit: { haltAbovePercent, stopTime, later }, onSave, close }: SafetyLimitDialogProps) {
  const [failure, setFailure] = useState<string>()
  const form = useForm<Values>({
    mode: 'onTouched',
    resolver: schemaResolver<Values>(SafetyLimitInput, toInput),
    defaultValues: {
      haltAbovePercent: haltAbovePercent === null ? '' : String(haltAbovePercent),
      stopTime: stopTime ?? '',
      forLater: false,
    },
  })
  const {
    control,
    register,
    handleSubmit,
    formState: { errors, isSubmitting },
  } = form

  const submit = handleSubmit(async (entered) => {
    setFailure(undefined)
    try {
      await onSave(toInput(entered))
      close()
    } catch (error) {
      setFailure(placeProblem(error, form))
    }
  })

  return (
    <DialogPanel
      title="Safety limits"
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
          label={`${limitLabels.haltAbovePercent} (percent)`}
          error={aboutField('The limit', errors.haltAbovePercent?.message)}
          hint="Of all readers of the zone in this rollout, 1 to 100. Empty for no limit."
        >
          <Input inputMode="numeric" autoComplete="off" maxLength={6} {...register('haltAbovePercent')} />
        </Field>
        <Controller
          control={control}
          name="stopTime"
          render={({ field: { value, onChange, ...field } }) => (
            <Field
              label={limitLabels.stopTime}
              error={errors.stopTime?.message}
              hint="On the clock of each zone’s host PC. Those that are left go on at the next update time. Empty for no end, as is the update time itself."
            >
              <TimeInput {...field} value={value} onChange={(time, text) => onChange(time || text)} />
            </Field>
          )}
        />
        <Checkbox {...register('forLater')}>Also for later rollouts of this organization (now: {limitsInShort(later)})</Checkbox>
        <p className="text-13 text-ink-2">
          They count at once, another limit also for zones that were resumed beyond the former one. What is halted stays halted until
          somebody resumes it. Readers that somebody has retried or re-applied do not wait.
        </p>
        {failure && <Notice kind="bad">{failure}</Notice>}
      </Saving>
    </DialogPanel>
  )
}
