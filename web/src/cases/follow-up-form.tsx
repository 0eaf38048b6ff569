import { type CaseDetail, caseLimits } from '@lectern/contract/cases/cases.ts'
import { useEffect, useState } from 'react'
import { useForm } from 'react-hook-form'
import { useDraft } from '../lib/form/draft.ts'
import { aboutField, placeProblem } from '../lib/form/form-problems.ts'
import { usePermission } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Textarea } from '../ui/input/textarea.tsx'
import { Panel } from '../ui/layout/panel.tsx'
import { useChangeCase } from './use-change-case.ts'

type FollowUpValues = { followUp: string }

/** Adds a follow-up. A customer's opens a closed case again. A half-written one outlasts a reload. */
export function FollowUpForm({ id, found }: { id: string; found: CaseDetail }) {
  const toast = useToast()
  const [failure, setFailure] = useState<string>()
  const draft = useDraft<FollowUpValues>(`follow-up/${id}`)
  const form = useForm<FollowUpValues>({ defaultValues: { followUp: '', ...draft.kept } })
  const { register, handleSubmit, watch, reset, formState } = form
  const isStaff = usePermission('global:access:organizations')
  const { mutateAsync } = useChangeCase(id, { errorInPlace: true })
  const reopens = found.status === 'Closed' && !isStaff
  useEffect(() => watch((values) => draft.keep(values)).unsubscribe, [watch, draft])

  const send = handleSubmit(async ({ followUp }) => {
    setFailure(undefined)
    try {
      await mutateAsync({ body: { id, followUp: followUp.trim(), ...(reopens && { status: 'New' }) } })
      reset({ followUp: '' })
      draft.drop()
      toast({ title: reopens ? 'Follow-up sent, case reopened' : 'Follow-up sent' })
    } catch (error) {
      setFailure(placeProblem(error, form))
    }
  })

  return (
    <form noValidate onSubmit={send}>
      <Panel
        title="Follow up"
        foot={
          <>
            <span className="flex-1" />
            <Button variant="primary" type="submit" busy={formState.isSubmitting} busyLabel="Sending">
              {reopens ? 'Send and reopen' : 'Send follow-up'}
            </Button>
          </>
        }
      >
        <Field
          label="Your follow-up"
          error={aboutField('The follow-up', formState.errors.followUp?.message)}
          hint={reopens ? 'This case is closed. A follow-up opens it again.' : 'It stands below the description, under your address.'}
        >
          <Textarea
            rows={4}
            maxLength={caseLimits.followUp}
            readOnly={formState.isSubmitting}
            {...register('followUp', { validate: (text) => text.trim() !== '' || 'must not be empty' })}
          />
        </Field>
        {failure && (
          <Notice kind="bad" className="mt-4">
            {failure}
          </Notice>
        )}
      </Panel>
    </form>
  )
}
