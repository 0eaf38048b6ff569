import { CreateCase } from '@lectern/contract/cases/cases.ts'
import { useNavigate } from 'react-router'
import { useMutation } from '../lib/api/query.ts'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { usePermission } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { Button } from '../ui/button/button.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { Page, PageHead } from '../ui/layout/page.tsx'
import { BackStrip } from '../ui/layout/strip.tsx'
import { modelChoices, newCase, priorityChoices, reasonChoices, toCreateInput } from './case-values.ts'

export default function NewCasePage() {
  useDocumentTitle('New case')
  return (
    <>
      <BackStrip to={paths.cases()} label="Support" />
      <Page>
        <PageHead title="New case" intro="What you write here is stored in this tab until you send or discard it." />
        <CaseForm />
      </Page>
    </>
  )
}

function CaseForm() {
  const isStaff = usePermission('global:access:organizations')
  const navigate = useNavigate()
  const toast = useToast()
  const { mutateAsync } = useMutation('createCase', { errorInPlace: true })
  const bound = useContractForm({
    schema: CreateCase,
    values: newCase,
    toInput: toCreateInput,
    draft: 'case',
    keepsDraft: true,
    save: (values) => mutateAsync({ body: toCreateInput(values) }),
    async onSaved({ id, subject }) {
      toast({ title: 'Case opened', detail: subject })
      await navigate(paths.case({ caseId: id }))
    },
  })

  function discard() {
    bound.discard()
    bound.form.setFocus('subject')
  }

  return (
    <FormPage
      label="Case"
      bound={bound}
      leave={null}
      submit={['Open case', 'Opening']}
      cancel={<Button variant="ghost" disabled={bound.form.formState.isSubmitting} onClick={discard} children="Discard" />}
    >
      {isStaff && <TextField name="contactEmail" type="email" />}
      <TextField name="subject" />
      <TextField name="description" lines={7} />
      <div className="grid grid-cols-1 gap-5 sm:grid-cols-3">
        <SelectField name="model" options={modelChoices} />
        <SelectField name="reason" options={reasonChoices} />
        <SelectField name="priority" options={priorityChoices} />
      </div>
      <TextField name="plan" lines={3} />
    </FormPage>
  )
}
