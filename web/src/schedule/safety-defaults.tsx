import type { PublishingDefaults } from '@lectern/contract/schedule/publishing-defaults.ts'
import { useQuery } from '@tanstack/react-query'
import { q, useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import { QueryStates } from '../ui/feedback/query-states.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { SafetyFields, toDefaults, toSafetyForm, toSafetyInput, toSafetyValues } from './safety-fields.tsx'

const SafetyForm = toSafetyForm()

export function SafetyDefaults({ organizationId }: { organizationId: string }) {
  const query = useQuery(q('getPublishingDefaults', { params: { organizationId } }))
  return (
    <QueryStates query={query} failed="Error loading the defaults">
      {(defaults) => <DefaultsForm organizationId={organizationId} defaults={defaults} />}
    </QueryStates>
  )
}

function DefaultsForm({ organizationId, defaults }: { organizationId: string; defaults: PublishingDefaults }) {
  const toast = useToast()
  const params = { organizationId }
  const edit = useEdit(defaults, q('getPublishingDefaults', { params }))
  const { mutateAsync } = useMutation('setPublishingDefaults', { errorInPlace: true })
  const bound = useContractForm({
    schema: SafetyForm,
    values: toSafetyValues(defaults),
    toValues: toSafetyValues,
    toInput: toSafetyInput,
    draft: 'publishing-defaults',
    edit,
    save: (values, basedOn) => mutateAsync({ params, body: toDefaults(values), basedOn }),
    onSaved(saved) {
      bound.form.reset(toSafetyValues(saved))
      edit.resume(saved)
      toast({ title: 'Defaults saved', detail: 'Later rollouts have them, unless something else is chosen.' })
    },
  })
  return (
    <FormPage title="Defaults of rollouts" noun="defaults" bound={bound} submit={['Save', 'Saving']}>
      <SafetyFields />
    </FormPage>
  )
}
