import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../button/button.tsx'
import { DialogPanel } from '../dialog/dialog-panel.tsx'
import { BoundFields, type BoundForm } from './bound-form.tsx'

interface FormDialogProps<Values extends FieldValues> {
  title: ReactNode
  bound: BoundForm<Values>
  /** What is edited, in a word. */
  noun?: string
  /** The button's words, and those while it runs. */
  submit: readonly [label: string, busy: string]
  /** Marks what cannot be undone: a red button, and the focus on Back. */
  destructive?: boolean
  close: () => void
  children: ReactNode
}

/** A form in a dialog: fields, what went wrong, Cancel and the primary button. */
export function FormDialog<Values extends FieldValues>({
  title,
  bound,
  noun,
  submit: [label, busyLabel],
  destructive = false,
  close,
  children,
}: FormDialogProps<Values>) {
  const { isSubmitting } = bound.form.formState
  return (
    <DialogPanel
      title={title}
      saving={isSubmitting}
      onSubmit={(event) => void bound.submit(event)}
      actions={
        <>
          <Button data-autofocus={destructive || undefined} disabled={isSubmitting} onClick={() => close()}>
            {destructive ? 'Back' : 'Cancel'}
          </Button>
          <Button variant={destructive ? 'bad' : 'primary'} type="submit" busy={isSubmitting} busyLabel={busyLabel}>
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
