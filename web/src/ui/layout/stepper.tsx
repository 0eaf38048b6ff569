import './stepper.css'
import { Check } from 'lucide-react'
import type { ReactNode } from 'react'
import { BackLink } from './strip.tsx'

export interface Step {
  id: string
  label: string
}

interface StepperProps {
  label: string
  steps: readonly Step[]
  active: string
}

/** @throws "Active step not found" when no step is active (spec §8) */
export function Stepper({ label, steps, active }: StepperProps) {
  const current = activeIndex(steps, active)
  return (
    <ol className="stepper" aria-label={label}>
      {steps.map((step, index) => {
        const state = index < current ? 'done' : index === current ? 'current' : 'upcoming'
        return (
          <li key={step.id} className={`step step-${state}`} aria-current={state === 'current' ? 'step' : undefined}>
            <span className="step-mark">{state === 'done' ? <Check size={13} /> : index + 1}</span>
            <span className="step-label">{step.label}</span>
            {/* An attribute says which is current. */}
            {state !== 'current' && <span className="sr-only"> {state}</span>}
          </li>
        )
      })}
    </ol>
  )
}

interface WizardBarProps extends StepperProps {
  back: { to: string; label: string }
  end?: ReactNode
}

export function WizardBar({ back, end, ...stepper }: WizardBarProps) {
  const current = activeIndex(stepper.steps, stepper.active)
  return (
    <nav className="wizard-bar" aria-label={stepper.label}>
      <div className="wizard-bar-inner">
        <span className="justify-self-start">
          <BackLink to={back.to}>{back.label}</BackLink>
        </span>
        <Stepper {...stepper} label="Steps" />
        <span className="wizard-bar-count">{end ?? `Step ${current + 1} of ${stepper.steps.length}`}</span>
      </div>
    </nav>
  )
}

function activeIndex(steps: readonly Step[], active: string): number {
  const index = steps.findIndex((step) => step.id === active)
  if (index < 0) throw new Error('Active step not found')
  return index
}
