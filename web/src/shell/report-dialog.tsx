import { useForm } from 'react-hook-form'
import { sendFeedback } from '../lib/monitoring/monitoring.ts'
import { Button } from '../ui/button/button.tsx'
import type { Close } from '../ui/dialog/dialog.tsx'
import { DialogPanel } from '../ui/dialog/dialog-panel.tsx'
import { Notice } from '../ui/feedback/notice.tsx'
import { useToast } from '../ui/feedback/toast.tsx'
import { Field } from '../ui/form/field.tsx'
import { Input } from '../ui/input/input.tsx'
import { Textarea } from '../ui/input/textarea.tsx'

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
  const { register, handleSubmit, setError, formState } = useForm({ defaultValues: { message: '', name, email } })
  const { errors, isSubmitting } = formState

  const submit = handleSubmit(async (report) => {
    try {
      await sendFeedback({ ...report, associatedEventId: eventId })
    } catch {
      return setError('root', { message: `The report could not be sent. Try again${supportPhone ? `, or call ${supportPhone}` : ''}.` })
    }
    toast({ title: 'Report sent' })
    close()
  })

  return (
    <DialogPanel
      title="Report an issue"
      saving={isSubmitting}
      onSubmit={submit}
      actions={
        <>
          <Button disabled={isSubmitting} onClick={() => close()}>
            Cancel
          </Button>
          <Button type="submit" variant="primary" busy={isSubmitting} busyLabel="Sending">
            Send report
          </Button>
        </>
      }
    >
      <div className="grid gap-4">
        <p>{intro}</p>
        <Field label="What happened" required error={errors.message?.message}>
          <Textarea
            rows={4}
            className="text-14"
            {...register('message', { validate: (text) => text.trim() !== '' || 'Say what happened.' })}
          />
        </Field>
        <Field label="Name">
          <Input autoComplete="name" {...register('name')} />
        </Field>
        <Field label="Email" hint="So that we can answer you">
          <Input type="email" autoComplete="email" {...register('email')} />
        </Field>
        {errors.root && <Notice kind="bad">{errors.root.message}</Notice>}
      </div>
    </DialogPanel>
  )
}
