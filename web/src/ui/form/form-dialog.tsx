import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../button/button.tsx'
import { DialogPanel } from '../dialog/dialog-panel.tsx'
import { BoundFields, type BoundForm } from './bound-form.tsx'

interface FormDialogProps<Values extends FieldValues> {
  title: ReactNode
  bound: BoundForm<Values>
  noun?: string
  submit: readonly [label: string, busy: string]
  disabled?: boolean
  destructive?: boolean
  back?: string
  wide?: boolean
  close: () => void
  children: ReactNode
}

export function FormDialog<Values extends FieldValues>({
  title,
  bound,
  noun,
  submit: [label, busyLabel],
  disabled,
  destructive = false,
  back = destructive ? 'Back' : 'Cancel',
  wide,
  close,
  children,
}: FormDialogProps<Values>) {
  const { isSubmitting } = bound.form.formState
  return (
    <DialogPanel
      title={title}
      wide={wide}
      saving={isSubmitting}
      onSubmit={(event) => void bound.submit(event)}
      actions={
        <>
          <Button data-autofocus={destructive || undefined} disabled={isSubmitting} onClick={() => close()}>
            {back}
          </Button>
          <Button variant={destructive ? 'bad' : 'primary'} type="submit" disabled={disabled} busy={isSubmitting} busyLabel={busyLabel}>
            {label}
          </Button>
        </>
      }
    >
      <BoundFields bound={bound} noun={noun} className="grid gap-4">
        {children}
      </BoundFields>
    </DialogPanel>
  )
}
