import { CreateCase, caseLimits } from '@lectern/contract/cases/cases.ts'
import { useEffect, useState } from 'react'
import { Controller, useForm } from 'react-hook-form'
import { useNavigate } from 'react-router'
import { useMutation } from '../lib/api/query.ts'
import { useDraft } from '../lib/form/draft.ts'
import { aboutField, placeProblem, schemaResolver } from '../lib/form/form-problems.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { Input } from '../ui/input/input.tsx'
import { Select } from '../ui/input/select.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { type CaseValues, caseInput, modelChoices, newCase, priorityChoices, reasonChoices } from './case-values.ts'

/** Opens a case. A half-written one outlasts a reload. */
export function CaseForm() {
  const isStaff = usePermission('global:access:organizations')
  const navigate = useNavigate()
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const draft = useDraft<CaseValues>('case')
  const form = useForm<CaseValues>({
    mode: 'onTouched',
    resolver: schemaResolver<CaseValues>(CreateCase, caseInput),
    defaultValues: { ...newCase, ...draft.kept },
  })
  const { register, control, handleSubmit, watch, reset, setFocus, formState } = form
  const { errors, isSubmitting } = formState
  const { mutateAsync } = useMutation('createCase', { errorInPlace: true })
  useEffect(() => watch((values) => draft.keep(values)).unsubscribe, [watch, draft])

  const send = handleSubmit(async (values) => {
    setFailure(undefined)
    try {
      const { id, subject } = await mutateAsync({ body: caseInput(values) })
      draft.drop()
      toast({ title: 'Case opened', detail: subject })
      await navigate(paths.case({ caseId: id }))
    } catch (error) {
      setFailure(placeProblem(error, form))
    }
  })

  function discard() {
    reset(newCase)
    draft.drop()
    setFailure(undefined)
    setFocus('subject')
  }

  return (
    <form noValidate onSubmit={send} className="max-w-200">
      <Panel
        aria-label="Case"
        foot={
          <>
            <Button variant="ghost" disabled={isSubmitting} onClick={discard}>
              Discard
            </Button>
            <span className="flex-1" />
            <Button variant="primary" type="submit" busy={isSubmitting} busyLabel="Opening">
              Open case
            </Button>
          </>
        }
      >
        <Saving busy={isSubmitting} className="grid gap-5">
          {isStaff && (
            <Field
              label="Contact"
              error={aboutField('Contact', errors.contactEmail?.message)}
              hint="The e-mail address of whom the case is for. Left empty, it is yours."
            >
              <Input type="email" autoComplete="off" {...register('contactEmail')} />
            </Field>
          )}
          <Field label="Subject" required error={aboutField('Subject', errors.subject?.message)}>
            <Input autoComplete="off" maxLength={caseLimits.subject} {...register('subject')} />
          </Field>
          <Field
            label="Description"
            required
            error={aboutField('Description', errors.description?.message)}
            hint="What you did, what you expected, and what happened instead. Serial numbers help."
          >
            <Textarea rows={7} {...register('description')} />
          </Field>
          <div className="grid gap-5 sm:grid-cols-3">
            <Controller
              control={control}
              name="model"
              render={({ field }) => (
                <Field label="Reader" error={aboutField('Reader', errors.model?.message)}>
                  <Select options={modelChoices} value={field.value} onChange={field.onChange} onBlur={field.onBlur} ref={field.ref} />
                </Field>
              )}
            />
            <Controller
              control={control}
              name="reason"
              render={({ field }) => (
                <Field label="Reason" error={aboutField('Reason', errors.reason?.message)}>
                  <Select options={reasonChoices} value={field.value} onChange={field.onChange} onBlur={field.onBlur} ref={field.ref} />
                </Field>
              )}
            />
            <Controller
              control={control}
              name="priority"
              render={({ field }) => (
                <Field label="Priority" error={aboutField('Priority', errors.priority?.message)}>
                  <Select options={priorityChoices} value={field.value} onChange={field.onChange} onBlur={field.onBlur} ref={field.ref} />
                </Field>
              )}
            />
          </div>
          <Field
            label="Action plan"
            error={aboutField('Action plan', errors.plan?.message)}
            hint="What you have tried, and what should happen next. May be left empty."
          >
            <Textarea rows={3} {...register('plan')} />
          </Field>
        </Saving>
        {failure && (
          <Notice kind="bad" className="mt-5">
            {failure}
          </Notice>
        )}
      </Panel>
    </form>
  )
}
