import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { createContext, type ReactNode, useContext } from 'react'
import type { FieldValues } from 'react-hook-form'
import { BoundFields, type BoundForm } from '../ui/form/bound-form.tsx'
import { FormShell } from '../ui/form/form-shell.tsx'

export const stepTexts: Readonly<Record<RegistrationTask, { label: string; about: string }>> = {
  InitialUserRegistration: { label: 'User Info', about: 'Who you are and how to reach you' },
  JoinAGroup: { label: 'Join a group', about: 'By a mailed invitation' },
  OrganizationSetup: { label: 'Setup your organization', about: 'Company name' },
  SelectProducts: { label: 'Select your products', about: 'Hardware and software you own' },
}

/** The number of the open step, and of all steps. */
export const StepContext = createContext({ number: 1, total: 1 })

interface StepProps {
  task: RegistrationTask
  intro: ReactNode
  action: ReactNode
  children: ReactNode
}

export function Step({ task, intro, action, children }: StepProps) {
  const { number, total } = useContext(StepContext)
  return (
    <div className="registration-main">
      <div className="grid gap-2">
        <h1>{stepTexts[task].label}</h1>
        <p className="text-ink-2">{intro}</p>
      </div>
      {children}
      <div className="registration-foot">
        <span className="text-12 text-ink-3">
          Step {number} of {total}
        </span>
        {action}
      </div>
    </div>
  )
}

interface FormStepProps<Values extends FieldValues> extends Omit<StepProps, 'action'> {
  bound: BoundForm<Values>
  noun?: string
  submit: readonly [label: string, busy: string]
  disabled?: boolean
}

export function FormStep<Values extends FieldValues>({ bound, noun, submit, disabled = false, children, ...step }: FormStepProps<Values>) {
  const { isValid } = bound.form.formState
  return (
    <FormShell bound={bound} submit={submit} disabled={!isValid || disabled} leave={null} className="min-w-0">
      {(action) => (
        <Step {...step} action={action}>
          <BoundFields bound={bound} noun={noun}>
            {children}
          </BoundFields>
        </Step>
      )}
    </FormShell>
  )
}
