import type { ReactNode } from 'react'
import type { FieldValues } from 'react-hook-form'
import { Panel } from '../layout/panel.tsx'
import { BoundFields } from './bound-form.tsx'
import { FormShell, type FormShellProps } from './form-shell.tsx'

interface FormPageProps<Values extends FieldValues> extends FormShellProps<Values> {
  title?: ReactNode
  label?: string
  noun?: string
  cancel?: ReactNode
  /** Below the fields; not dim while it saves, such as an upload's progress. */
  below?: ReactNode
  aside?: ReactNode
  children: ReactNode
}

export function FormPage<Values extends FieldValues>({
  title,
  label,
  noun,
  cancel,
  below,
  aside,
  children,
  ...shell
}: FormPageProps<Values>) {
  return (
    <FormShell {...shell} className={aside ? 'grid items-start gap-4 lg:grid-cols-[minmax(0,1fr)_20rem]' : undefined}>
      {(submit) => (
        <>
          <Panel
            title={title}
            aria-label={label}
            foot={
              <div className="flex flex-1 flex-col-reverse gap-2 sm:flex-row sm:justify-end">
                {cancel}
                {submit}
              </div>
            }
          >
            <BoundFields bound={shell.bound} noun={noun} className="grid max-w-160 gap-5" hasProgress={below !== undefined}>
              {children}
            </BoundFields>
            {below && <div className="grid max-w-160 gap-4 not-empty:mt-5">{below}</div>}
          </Panel>
          {aside}
        </>
      )}
    </FormShell>
  )
}
