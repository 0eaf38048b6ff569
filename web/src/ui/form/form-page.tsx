import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../button/button.tsx'
import { useLeaveGuard } from '../dialog/leave-guard.tsx'
import { Panel } from '../layout/panel.tsx'
import { BoundFields, type BoundForm } from './bound-form.tsx'

interface FormPageProps<Values extends FieldValues> {
  title?: ReactNode
  label?: string
  bound: BoundForm<Values>
  noun?: string
  submit: readonly [label: string, busy: string]
  disabled?: boolean
  /** Whether another button than that one submitted it. */
  submittedByOther?: boolean
  cancel?: ReactNode
  /** The question before it is left unsaved; null where entries stay in a draft. */
  leave?: { title: string; question: string } | null
  /** Below the fields and not dim while it saves, e.g. the progress of an upload. */
  below?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

const unsaved = { title: 'Leave without saving?', question: 'Your changes are not saved.' }

export function FormPage<Values extends FieldValues>({
  title,
  label,
  bound,
  noun,
  submit: [submitLabel, busyLabel],
  disabled = false,
  submittedByOther = false,
  cancel,
  leave = unsaved,
  below,
  aside,
  children,
}: FormPageProps<Values>) {
  const { isDirty, isSubmitting } = bound.form.formState
  useLeaveGuard({ ...(leave ?? unsaved), isActive: isDirty && leave !== null, query: true, passes: bound.isSaved })
  return (
    <form
      noValidate
      onSubmit={(event) => void bound.submit(event)}
      className={aside ? 'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]' : undefined}
    >
      <Panel
        title={title}
        aria-label={label}
        foot={
          <div className="flex flex-1 flex-col-reverse gap-2 sm:flex-row sm:justify-end">
            {cancel}
            <Button
              variant="primary"
              type="submit"
              busy={isSubmitting && !submittedByOther}
              disabled={disabled || (isSubmitting && submittedByOther)}
              busyLabel={busyLabel}
            >
              {submitLabel}
            </Button>
          </div>
        }
      >
        <BoundFields bound={bound} noun={noun} className="grid max-w-160 gap-5">
          {children}
        </BoundFields>
        {below && <div className="grid max-w-160 gap-4 not-empty:mt-5">{below}</div>}
      </Panel>
      {aside}
    </form>
  )
}
