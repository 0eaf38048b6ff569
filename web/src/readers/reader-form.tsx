import { type Reader, ReaderInput } from '@lectern/contract/readers.ts'
import { q, useMutation } from '../lib/api/query.ts'
import { type ContractForm, useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { CheckboxField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

const toValues = ({ sn, codeMasterId, isLost }: Reader) => ({ sn, codeMasterId: codeMasterId ?? '', isLost })
type Values = ReturnType<typeof toValues>
const toInput = ({ sn, codeMasterId, isLost }: Values) => ({ sn, codeMasterId: codeMasterId.trim() || null, isLost })

export function NewReader({ organizationId, close }: { organizationId: string; close: Close<void> }) {
  const { mutateAsync } = useMutation('createReader', { errorInPlace: true })
  const toast = useToast()
  const bound = useContractForm({
    schema: ReaderInput,
    values: { sn: '', codeMasterId: '', isLost: false },
    toInput,
    draft: 'reader',
    save: (values) => mutateAsync({ params: { customerid: organizationId }, body: toInput(values) }),
    onSaved({ sn }) {
      toast({ title: 'Reader registered', detail: sn })
      close()
    },
  })
  return <ReaderDialog title="Register reader" submit={['Register', 'Registering']} bound={bound} close={close} />
}

export function EditReader({ reader, close }: { reader: Reader; close: Close<void> }) {
  const { mutateAsync } = useMutation('updateReader', { errorInPlace: true })
  const toast = useToast()
  const params = { id: reader.readerId }
  const bound = useContractForm({
    schema: ReaderInput,
    values: toValues(reader),
    toInput,
    toValues,
    draft: `reader/${reader.readerId}`,
    edit: useEdit(reader, q('getReader', { params })),
    save: (values, basedOn) => mutateAsync({ params, body: toInput(values), basedOn }),
    onSaved({ sn }) {
      toast({ title: 'Registered reader saved', detail: sn })
      close()
    },
  })
  return <ReaderDialog title={`Edit ${reader.sn}`} submit={['Save', 'Saving']} bound={bound} close={close} />
}

interface ReaderDialogProps {
  title: string
  submit: readonly [label: string, busy: string]
  bound: ContractForm<Values>
  close: Close<void>
}

const ReaderDialog = (props: ReaderDialogProps) => (
  <FormDialog {...props} noun="registered reader">
    <TextField name="sn" mono />
    <TextField name="codeMasterId" />
    <CheckboxField name="isLost" />
  </FormDialog>
)
