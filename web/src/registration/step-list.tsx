import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { Check } from 'lucide-react'
import { Bars } from '../ui/bars.tsx'
import { stepTexts } from './step-texts.ts'

type StepListProps = { steps: readonly RegistrationTask[]; pending: readonly RegistrationTask[]; email: string }

/** The steps in the order they came, at the side of the one that is open. */
export function StepList({ steps, pending, email }: StepListProps) {
  return (
    <aside className="registration-aside" aria-label="Progress">
      <p className="heading-2">Set up your account</p>
      <p className="text-ink-2">A few short steps. You can stop and come back; we keep what you have saved.</p>
      {/* The bar has no room for it there. */}
      <p className="text-13 wrap-anywhere text-ink-2 sm:hidden">
        Signed in as <b className="font-semibold text-ink">{email}</b>
      </p>
      <ol className="registration-steps">
        {steps.map((step, index) => {
          const state = step === pending[0] ? 'current' : pending.includes(step) ? 'upcoming' : 'done'
          return (
            <li key={step} className={`registration-step step-${state}`} aria-current={state === 'current' ? 'step' : undefined}>
              <span className="step-mark">{state === 'done' ? <Check size={13} /> : index + 1}</span>
              <span>
                <b>{stepTexts[step].label}</b>
                <span className="sr-only"> {state}</span>
                <em>{stepTexts[step].about}</em>
              </span>
            </li>
          )
        })}
      </ol>
      <Bars symbol="LECTERN" module={2} height={14} className="registration-bars" />
    </aside>
  )
}
