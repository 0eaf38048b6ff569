import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { createContext, type ReactNode, type SubmitEvent, useContext, useEffect, useRef } from 'react'
import { Notice } from '../ui/feedback/notice.tsx'
import { Saving } from '../ui/form/saving.tsx'
import { stepTexts } from './step-texts.ts'

/** Which of how many the open step is. `isFirst` in this visit: what opens later takes focus, so that it is noticed. */
export const StepContext = createContext({ number: 1, total: 1, isFirst: true })

type StepProps = {
  task: RegistrationTask
  intro: ReactNode
  /** The fields. */
  children: ReactNode
  /** The button, at the right of the foot. */
  action: ReactNode
  saving?: boolean
  /** Why it could not be saved, where no field is to blame. */
  failure?: string | undefined
  onSubmit?: (event: SubmitEvent<HTMLFormElement>) => void
}

/** A step of the registration: title, fields, and a foot that counts the steps. A form where something is submitted. */
export function Step({ task, intro, children, action, saving = false, failure, onSubmit }: StepProps) {
  const { number, total, isFirst } = useContext(StepContext)
  const heading = useRef<HTMLHeadingElement>(null)
  useEffect(() => {
    if (!isFirst) heading.current?.focus()
  }, [isFirst])
  const content = (
    <>
      <div className="grid gap-2">
        <h1 ref={heading} tabIndex={-1}>
          {stepTexts[task].label}
        </h1>
        <p className="text-ink-2">{intro}</p>
      </div>
      <Saving busy={saving} className="grid gap-5">
        {children}
      </Saving>
      {failure && <Notice kind="bad">{failure}</Notice>}
      <div className="registration-foot">
        <span className="text-12 text-ink-3">
          Step {number} of {total}
        </span>
        {action}
      </div>
    </>
  )
  if (!onSubmit) return <div className="registration-main">{content}</div>
  return (
    <form className="registration-main" noValidate onSubmit={onSubmit}>
      {content}
    </form>
  )
}
