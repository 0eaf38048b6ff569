import { companyNameLength } from '@lectern/contract/registration.ts'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useMutation } from '../lib/api/query.ts'
import { useDraft } from '../lib/form/draft.ts'
import { refusals } from '../lib/form/refusal.ts'
import { Button } from '../ui/button/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { useRemainingTasks } from './registering.ts'
import { Step } from './step.tsx'

type Company = { companyName: string }

/** The company's name (spec §2). One that is taken is refused at the field. */
export function OrganizationSetup() {
  const draft = useDraft<Company>('organization')
  const { register, formState, handleSubmit, setError, watch } = useForm<Company>({
    mode: 'onTouched',
    defaultValues: { companyName: '', ...draft.kept },
  })
  const setUp = useMutation('registerOrganization', { errorInPlace: true })
  const takeRemaining = useRemainingTasks()
  useEffect(() => watch((values) => draft.keep(values)).unsubscribe, [watch, draft])

  async function submit({ companyName }: Company) {
    try {
      const remaining = await setUp.mutateAsync({ query: { companyName: companyName.trim() } })
      draft.drop()
      takeRemaining(remaining)
    } catch (error) {
      const [refusal] = refusals(error, {}, 'companyName')
      if (refusal) setError('companyName', { message: refusal.message }, { shouldFocus: true })
    }
  }

  const message = formState.errors.companyName?.message
  return (
    <Step
      task="OrganizationSetup"
      intro="Readers, zones and configurations belong to your organization. Colleagues join it by invitation."
      saving={formState.isSubmitting}
      onSubmit={handleSubmit(submit)}
      action={
        <Button variant="primary" type="submit" disabled={!formState.isValid} busy={formState.isSubmitting} busyLabel="Saving">
          Next
        </Button>
      }
    >
      <Field label="Company name" error={message}>
        <Input
          {...register('companyName', { validate: (text) => text.trim() !== '' || 'Enter the name of your company.' })}
          customValidity={message}
          maxLength={companyNameLength}
          autoComplete="organization"
        />
      </Field>
    </Step>
  )
}
