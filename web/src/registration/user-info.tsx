import { defaultCountry } from '@lectern/contract/countries.ts'
import { UserRegistration } from '@lectern/contract/registration.ts'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useSession } from '../lib/session.ts'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { PersonFields } from '../users/person-fields.tsx'
import { FormStep } from './step.tsx'
import { useStoreTasks } from './tasks.ts'

const empty = { firstName: '', lastName: '', countryCode: defaultCountry, workPhoneNumber: '' }

export function UserInfo() {
  const { user } = useSession()
  const workEmail = user?.email ?? ''
  const { mutateAsync } = useMutation('registerUser', { errorInPlace: true })
  const toInput = (values: typeof empty): UserRegistration => ({ ...values, workEmail })
  const bound = useContractForm({
    schema: UserRegistration,
    values: empty,
    toInput,
    draft: 'registration',
    save: (values) => mutateAsync({ body: toInput(values) }),
    onSaved: useStoreTasks(),
  })
  return (
    <FormStep
      task="InitialUserRegistration"
      intro="Your work email comes from your sign-in and cannot be changed here."
      bound={bound}
      submit={['Register', 'Registering']}
    >
      <PersonFields
        phone="workPhoneNumber"
        email={
          <Field label="Work email">
            <Input value={workEmail} readOnly autoComplete="email" />
          </Field>
        }
      />
    </FormStep>
  )
}
