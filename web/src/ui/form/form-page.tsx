import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Button } from '../button/button.tsx'
import { useLeaveGuard } from '../dialog/leave-guard.tsx'
import { Panel } from '../layout/panel.tsx'
import { BoundFields, type BoundForm } from './bound-form.tsx'

interface FormPageProps<Values extends FieldValues> {
  /** Heads the panel; without it `label` names it. */
  title?: ReactNode
  label?: string
  bound: BoundForm<Values>
  /** What is edited, in a word. */
  noun?: string
  /** The button's words, and those while it runs. */
  submit: readonly [label: string, busy: string]
  /** Whether another button than that one submitted it. */
  submittedByOther?: boolean
  /** Left of the primary button: the way out without saving, another way to save. */
  cancel?: ReactNode
  /** The question when it is left unsaved; none where the entries are kept anyway. */
  leave?: { title: string; question: string }
  /** Beside the fields, e.g. a preview. */
  aside?: ReactNode
  children: ReactNode
}

const unsaved = { title: 'Leave without saving?', question: 'Your changes are not saved.' }

/** A form as a page: fields in a panel, what went wrong, the way out and the primary button. Leaving it unsaved asks first. */
export function FormPage<Values extends FieldValues>({
  title,
  label,
  bound,
  noun,
  submit: [submitLabel, busyLabel],
  submittedByOther = false,
  cancel,
  leave = unsaved,
  aside,
  children,
}: FormPageProps<Values>) {
  const { isDirty, isSubmitting } = bound.form.formState
  useLeaveGuard({ isActive: isDirty, ...leave, query: true, passes: bound.isSaved })
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
              disabled={isSubmitting && submittedByOther}
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
      </Panel>
      {aside}
    </form>
  )
}
