import { defaultCountry } from '@lectern/contract/countries.ts'
import { CompanyInput, UserRegistration } from '@lectern/contract/registration.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'
import { trimTexts, useContractForm } from '../lib/form/contract-form.ts'
import { useSession } from '../lib/session.ts'
import { GroupProductsForm, ProductsField } from '../products/group-products.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { Field } from '../ui/form/field.tsx'
import { TextField } from '../ui/form/text-field.tsx'
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
    keepsDraft: true,
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

export function OrganizationSetup() {
  const { mutateAsync } = useMutation('registerOrganization', { errorInPlace: true })
  const bound = useContractForm({
    schema: CompanyInput,
    values: { companyName: '' },
    draft: 'organization',
    keepsDraft: true,
    failureAt: 'companyName',
    save: (values) => mutateAsync({ query: trimTexts(values) }),
    onSaved: useStoreTasks(),
  })
  return (
    <FormStep
      task="OrganizationSetup"
      intro="Readers, zones and configurations belong to your organization. Colleagues join it by invitation."
      bound={bound}
      submit={['Next', 'Saving']}
    >
      <TextField name="companyName" autoComplete="organization" />
    </FormStep>
  )
}

export function SelectProducts() {
  const person = useQuery(q('getCurrentUser', {}))
  const group = person.data?.group ?? undefined
  return (
    <GroupProductsForm group={group} productIds={[]} draft="products" keepsDraft>
      {(bound) => (
        <FormStep
          task="SelectProducts"
          intro={`What ${group ? group.name : 'your group'} works with. You can change it later.`}
          bound={bound}
          noun="list"
          submit={['Next', 'Saving']}
          disabled={!group}
        >
          <ProductsField />
          {person.error && !person.data && <Notice kind="bad">{person.error.message}</Notice>}
        </FormStep>
      )}
    </GroupProductsForm>
  )
}
