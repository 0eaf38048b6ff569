import { type CaseDetail, caseStatuses, UpdateCase } from '@lectern/contract/cases/cases.ts'
import { useState } from 'react'
import { q } from '../lib/api/query.ts'
import { useContractForm } from '../lib/form/contract-form.ts'
import { useEdit } from '../lib/form/edit.ts'
import { usePermission } from '../lib/session.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { SelectField } from '../ui/form/choice-fields.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'
import { modelChoices, priorityChoices, reasonChoices, toChanges, toEditValues, withCurrent } from './case-values.ts'
import { useChangeCase } from './use-change-case.ts'

const statusChoices = caseStatuses.map((value) => ({ value, label: value }))

interface EditCaseProps {
  id: string
  found: CaseDetail
  close: Close<void>
}

export function EditCase({ id, found, close }: EditCaseProps) {
  const isStaff = usePermission('global:access:organizations')
  const toast = useToast()
  const { mutateAsync } = useChangeCase(id, { errorInPlace: true })
  const [before, setBefore] = useState(toEditValues(found))
  const bound = useContractForm({
    schema: UpdateCase,
    values: before,
    draft: `case/${id}`,
    toInput: (values) => ({ id, ...toChanges(before, values) }),
    toValues(newest: CaseDetail) {
      const values = toEditValues(newest)
      setBefore(values)
      return values
    },
    edit: useEdit(found, q('getCase', { params: { id } })),
    async save(values, basedOn) {
      const changes = toChanges(before, values)
      if (Object.keys(changes).length === 0) return
      await mutateAsync({ body: { id, ...changes }, basedOn })
      toast({ title: 'Case saved' })
    },
    onSaved: () => close(),
  })
  return (
    <FormDialog title="Edit case" wide bound={bound} noun="case" submit={['Save', 'Saving']} close={close}>
      <TextField name="subject" required />
      <div className="grid gap-4 sm:grid-cols-2">
        {isStaff && <SelectField name="status" options={withCurrent(statusChoices, before.status)} />}
        <SelectField name="priority" options={withCurrent(priorityChoices, before.priority)} />
        <SelectField name="model" options={withCurrent(modelChoices, before.model)} />
        <SelectField name="reason" options={withCurrent(reasonChoices, before.reason)} />
      </div>
      <TextField name="plan" lines={4} />
    </FormDialog>
  )
}
