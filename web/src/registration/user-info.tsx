import { defaultCountry } from '@lectern/contract/countries.ts'
import { isPhoneNumber } from '@lectern/contract/text/phone.ts'
import { useEffect } from 'react'
import { useForm } from 'react-hook-form'
import { useMutation } from '../lib/api/query.ts'
import { useDraft } from '../lib/form/draft.ts'
import { refusals } from '../lib/form/refusal.ts'
import { useSession } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { PersonFields, type PersonForm } from '../users/person-fields.tsx'
import { useRemainingTasks } from './registering.ts'
import { Step } from './step.tsx'

const empty: PersonForm = { firstName: '', lastName: '', countryCode: defaultCountry, phone: '' }

/** Who somebody is (spec §2). The work e-mail is the one they signed in with. */
export function UserInfo() {
  const { user } = useSession()
  const email = user?.email ?? ''
  const draft = useDraft<PersonForm>('registration')
  const form = useForm<PersonForm>({ mode: 'onTouched', defaultValues: { ...empty, ...draft.kept } })
  const { formState, handleSubmit, setError, watch } = form
  const register = useMutation('registerUser', { errorInPlace: true })
  const takeRemaining = useRemainingTasks()
  useEffect(() => watch((values) => draft.keep(values)).unsubscribe, [watch, draft])

  async function submit({ firstName, lastName, countryCode, phone }: PersonForm) {
    try {
      const body = { firstName, lastName, countryCode, workEmail: email, workPhoneNumber: phone }
      const remaining = await register.mutateAsync({ body })
      draft.drop()
      takeRemaining(remaining)
    } catch (error) {
      for (const { name, message } of refusals(error, formFields, 'root')) setError(name, { message }, { shouldFocus: true })
    }
  }

  return (
    <Step
      task="InitialUserRegistration"
      intro="Your work email comes from your sign-in and cannot be changed here."
      saving={formState.isSubmitting}
      failure={formState.errors.root?.message}
      onSubmit={handleSubmit(submit)}
      action={
        <Button variant="primary" type="submit" disabled={!formState.isValid} busy={formState.isSubmitting} busyLabel="Registering">
          Register
        </Button>
      }
    >
      <PersonFields
        form={form}
        phoneLabel="Work phone"
        phoneHint="Only used for support calls you ask for."
        rules={{
          lastName: (text) => text.trim() !== '' || 'Enter your last name.',
          phone: (text) => isPhoneNumber(text) || 'Enter a phone number, such as +1\u00a0503\u00a0555\u00a00188.',
        }}
        email={
          <Field label="Work email">
            <Input value={email} readOnly autoComplete="email" />
          </Field>
        }
      />
    </Step>
  )
}

const formFields = { firstName: 'firstName', lastName: 'lastName', countryCode: 'countryCode', workPhoneNumber: 'phone' } as const
