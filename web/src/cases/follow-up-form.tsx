import { type CaseDetail, UpdateCase } from '@lectern/contract/cases/cases.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { usePermission } from '../lib/session.ts'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormPage } from '../ui/form/form-page.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { useChangeCase } from './use-change-case.ts'

export function FollowUpForm({ id, found }: { id: string; found: CaseDetail }) {
  const toast = useToast()
  const isStaff = usePermission('global:access:organizations')
  const { mutateAsync } = useChangeCase(id, { errorInPlace: true })
  const reopens = found.status === 'Closed' && !isStaff
  const toInput = ({ followUp }: { followUp: string }): UpdateCase => ({
    id,
    followUp: followUp.trim(),
    ...(reopens && { status: 'New' }),
  })
  const bound = useContractForm({
    schema: UpdateCase,
    values: { followUp: '' },
    toInput,
    draft: `follow-up/${id}`,
    keepsDraft: true,
    mode: 'onSubmit',
    save: (values) => mutateAsync({ body: toInput(values) }),
    onSaved() {
      bound.discard()
      toast({ title: reopens ? 'Follow-up sent, case reopened' : 'Follow-up sent' })
    },
  })
  return (
    <FormPage title="Follow up" bound={bound} leave={null} submit={[reopens ? 'Send and reopen' : 'Send follow-up', 'Sending']}>
      <TextField
        name="followUp"
        lines={4}
        hint={reopens ? 'This case is closed. A follow-up reopens it.' : 'It is added to the description, under your address.'}
      />
    </FormPage>
  )
}
