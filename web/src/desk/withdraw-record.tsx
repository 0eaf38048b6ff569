import { type DeskRecord, Withdrawal } from '@lectern/contract/desk/desk.ts'
import { useMutation } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

interface WithdrawRecordProps {
  organizationId: string
  record: DeskRecord
  close: Close<void>
}

export function WithdrawRecord({ organizationId, record, close }: WithdrawRecordProps) {
  const { mutateAsync } = useMutation('withdrawDeskRecord', { errorInPlace: true })
  const toast = useToast()
  const bound = useContractForm({
    schema: Withdrawal,
    values: { reason: '' },
    draft: `desk-record/${record.id}`,
    save: (body) => mutateAsync({ params: { organizationId, id: record.id }, body }),
    onSaved() {
      toast({ title: 'Record withdrawn', detail: record.serialNumber })
      close()
    },
  })
  return (
    <FormDialog
      title={`Withdraw the record of ${record.serialNumber}`}
      submit={['Withdraw', 'Withdrawing']}
      bound={bound}
      close={close}
      destructive
    >
      <p>The record stays, and says that it is withdrawn and why. This cannot be undone.</p>
      <TextField name="reason" required />
    </FormDialog>
  )
}
