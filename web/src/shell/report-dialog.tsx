import { field } from '@lectern/contract/text/fields.ts'
import * as z from 'zod/mini'
import { useContractForm } from '../lib/form/contract-form.ts'
import { sendFeedback } from '../lib/monitoring/monitoring.ts'
import type { Close } from '../ui/dialog/dialog.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { FormDialog } from '../ui/form/form-dialog.tsx'
import { TextField } from '../ui/form/text-field.tsx'

const Report = z.object({
  message: field(z.string().check(z.refine((text) => text.trim() !== '', 'Say what happened.')), { label: 'What happened' }),
  name: field(z.string(), { label: 'Name' }),
  email: field(z.string(), { label: 'Email', hint: 'So that we can answer you' }),
})

interface ReportDialogProps {
  close: Close<void>
  intro: string
  eventId: string | undefined
  name: string
  email: string
  supportPhone: string | undefined
}

export function ReportDialog({ close, intro, eventId, name, email, supportPhone }: ReportDialogProps) {
  const toast = useToast()
  const bound = useContractForm({
    schema: Report,
    values: { message: '', name, email },
    mode: 'onSubmit',
    draft: 'report',
    save: (report) =>
      sendFeedback({ ...report, associatedEventId: eventId }).catch(() => {
        throw new Error(`The report could not be sent. Try again${supportPhone ? `, or call ${supportPhone}` : ''}.`)
      }),
    onSaved: () => {
      toast({ title: 'Report sent' })
      close()
    },
  })
  return (
    <FormDialog title="Report an issue" bound={bound} submit={['Send report', 'Sending']} close={close}>
      <p>{intro}</p>
      <TextField name="message" lines={4} />
      <TextField name="name" autoComplete="name" />
      <TextField name="email" type="email" autoComplete="email" />
    </FormDialog>
  )
}
