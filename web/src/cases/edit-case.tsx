import { type CaseDetail, caseLimits, caseStatuses } from '@lectern/contract/cases/cases.ts'
import { useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { q } from '../lib/api/query.ts'
import { useEdit } from '../lib/form/edit.ts'
import { aboutField, placeProblem } from '../lib/form/form-problems.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { ChangedMeanwhile } from '../ui/form/changed-meanwhile.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { Select } from '../ui/input/select.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { diffValues, type EditValues, editValues, modelChoices, priorityChoices, reasonChoices, withCurrent } from './case-values.ts'
import { useChangeCase } from './use-change-case.ts'

const statusChoices = caseStatuses.map((value) => ({ value, label: value }))

/** Changes what a case is beside its text; its status too, for the vendor's staff. */
export function EditCase({ id, found, close }: { id: string; found: CaseDetail; close: Close<void> }) {
  const isStaff = usePermission('global:access:organizations')
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const edit = useEdit(found, q('getCase', { params: { id } }))
  const [before, setBefore] = useState(editValues(found))
  const form = useForm<EditValues>({ mode: 'onTouched', defaultValues: before })
  const { register, control, handleSubmit, formState } = form
  const { errors, isSubmitting } = formState
  const { mutateAsync } = useChangeCase(id, { errorInPlace: true })

  const saveOver = (basedOn: CaseDetail | undefined) =>
    handleSubmit(async (values) => {
      setFailure(undefined)
      const changes = diffValues(before, values)
      try {
        if (Object.keys(changes).length > 0) {
          await mutateAsync({ body: { id, ...changes }, basedOn })
          toast({ title: 'Case saved' })
        }
        close()
      } catch (error) {
        if (!edit.fail(error)) setFailure(placeProblem(error, form))
      }
    })

  async function loadNewer() {
    const newest = editValues(await edit.restart())
    setBefore(newest)
    form.reset(newest)
  }

  const choice = (
    name: 'status' | 'model' | 'reason' | 'priority',
    label: string,
    options: readonly { value: string; label: string }[],
  ) => (
    <Controller
      control={control}
      name={name}
      render={({ field }) => (
        <Field label={label} error={aboutField(label, errors[name]?.message)}>
          <Select
            options={withCurrent(options, before[name])}
            value={field.value}
            onChange={field.onChange}
            onBlur={field.onBlur}
            ref={field.ref}
          />
        </Field>
      )}
    />
  )

  return (
    <DialogPanel
      title="Edit case"
      wide
      saving={isSubmitting}
      onSubmit={saveOver(edit.basis)}
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
      <div className="grid gap-4">
        <Field label="Subject" required error={aboutField('Subject', errors.subject?.message)}>
          <Input
            autoComplete="off"
            maxLength={caseLimits.subject}
            {...register('subject', { validate: (text) => text.trim() !== '' || 'must not be empty' })}
          />
        </Field>
        <div className="grid gap-4 sm:grid-cols-2">
          {isStaff && choice('status', 'Status', statusChoices)}
          {choice('priority', 'Priority', priorityChoices)}
          {choice('model', 'Reader', modelChoices)}
          {choice('reason', 'Reason', reasonChoices)}
        </div>
        <Field label="Action plan" error={aboutField('Action plan', errors.plan?.message)}>
          <Textarea rows={4} maxLength={caseLimits.plan} {...register('plan')} />
        </Field>
        {edit.isOutdated && <ChangedMeanwhile what="case" onLoad={loadNewer} onSaveAnyway={async () => saveOver(await edit.renew())()} />}
        {failure && <Notice kind="bad">{failure}</Notice>}
      </div>
    </DialogPanel>
  )
}
