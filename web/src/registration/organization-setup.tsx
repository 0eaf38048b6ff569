import { CompanyInput } from '@lectern/contract/registration.ts'
import { useMutation } from '../lib/api/query.ts'
import { trimTexts, useContractForm } from '../lib/form/contract-form.ts'
import { TextField } from '../ui/form/text-field.tsx'
import { FormStep } from './step.tsx'
import { useStoreTasks } from './tasks.ts'

export function OrganizationSetup() {
  const { mutateAsync } = useMutation('registerOrganization', { errorInPlace: true })
  const bound = useContractForm({
    schema: CompanyInput,
    values: { companyName: '' },
    draft: 'organization',
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
