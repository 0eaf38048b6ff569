import type { ComponentProps, ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../button/button.tsx'
import { useLeaveGuard } from '../dialog/leave-guard.tsx'
import type { BoundForm } from './bound-form.tsx'

export interface FormShellProps<Values extends FieldValues> {
  bound: BoundForm<Values>
  submit: readonly [label: string, busy: string]
  disabled?: boolean
  /** Whether another button submitted it. */
  submittedByOther?: boolean
  /** The question before it is left unsaved; null where none is needed. */
  leave?: { title: string; question: string } | null
}

interface FormShellParts<Values extends FieldValues> extends FormShellProps<Values> {
  className?: string | undefined
  button?: Pick<ComponentProps<typeof Button>, 'icon' | 'className'>
  /** Draws the form around its submit button. */
  children: (submit: ReactNode) => ReactNode
}

const unsaved = { title: 'Leave without saving?', question: 'Your changes are not saved.' }

export function FormShell<Values extends FieldValues>({
  bound,
  submit: [label, busyLabel],
  disabled = false,
  submittedByOther = false,
  leave = unsaved,
  className,
  button,
  children,
}: FormShellParts<Values>) {
  const { isDirty, isSubmitting } = bound.form.formState
  return (
    <form noValidate className={className} onSubmit={(event) => void bound.submit(event)}>
      {leave && <LeaveGuard {...leave} isActive={isDirty} query passes={bound.isSaved} />}
      {children(
        <Button
          {...button}
          variant="primary"
          type="submit"
          busy={isSubmitting && !submittedByOther}
          disabled={disabled || (isSubmitting && submittedByOther)}
          busyLabel={busyLabel}
        >
          {label}
        </Button>,
      )}
    </form>
  )
}

function LeaveGuard(guard: Parameters<typeof useLeaveGuard>[0]) {
  useLeaveGuard(guard)
  return null
}
