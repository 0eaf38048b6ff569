import '../ui/layout/stepper.css'
import '../ui/layout/panel.css'
import './register-page.css'
import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { Check } from 'lucide-react'
import { type ComponentType, useState } from 'react'
import { Navigate } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { paths } from '../paths.ts'
import { BareFrame } from '../shell/bare-frame.tsx'
import { Bars } from '../ui/bars.tsx'
import { Button } from '../ui/button/button.tsx'
import { useFocusOnNewPage } from '../ui/layout/page-focus.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { Step, StepContext, stepTexts } from './step.tsx'
import { appendTasks, useTasks } from './tasks.ts'

const SelectProducts = lazyPart(async () => (await import('./step-forms.tsx')).SelectProducts, null)
const UserInfo = lazyPart(async () => (await import('./step-forms.tsx')).UserInfo, null)
const OrganizationSetup = lazyPart(async () => (await import('./step-forms.tsx')).OrganizationSetup, null)

const steps: Readonly<Record<RegistrationTask, ComponentType>> = {
  InitialUserRegistration: UserInfo,
  JoinAGroup,
  OrganizationSetup,
  SelectProducts,
}

export default function RegisterPage() {
  const { tasks } = useTasks()
  return (
    <BareFrame>
      {tasks ? (
        <Wizard pending={tasks} />
      ) : (
        <p role="status" className="text-ink-2">
          Loading...
        </p>
      )}
    </BareFrame>
  )
}

function Wizard({ pending }: { pending: readonly RegistrationTask[] }) {
  const [seen, setSeen] = useState(pending)
  const all = appendTasks(seen, pending)
  if (all !== seen) setSeen(all)
  const [current] = pending
  useFocusOnNewPage(current ?? '')
  useDocumentTitle(current ? stepTexts[current].label : 'Register')
  if (current === undefined) return <Navigate to={paths.home()} replace />
  const Current = steps[current]
  return (
    <div className="registration panel">
      <StepList all={all} pending={pending} />
      <StepContext value={{ number: all.indexOf(current) + 1, total: all.length }}>
        <Current key={current} />
      </StepContext>
    </div>
  )
}

interface StepListProps {
  all: readonly RegistrationTask[]
  pending: readonly RegistrationTask[]
}

function StepList({ all, pending }: StepListProps) {
  const { user } = useSession()
  return (
    <aside className="registration-aside" aria-label="Progress">
      <p className="heading-2">Set up your account</p>
      <p className="text-ink-2">A few short steps. You can stop and come back; what you have saved stays.</p>
      {/* Shown here on narrow screens, whose bar has no room for it. */}
      <p className="text-13 wrap-anywhere text-ink-2 sm:hidden">
        Signed in as <b className="font-semibold text-ink">{user?.email}</b>
      </p>
      <ol className="registration-steps">
        {all.map((step, index) => {
          const state = step === pending[0] ? 'current' : pending.includes(step) ? 'upcoming' : 'done'
          return (
            <li key={step} className={`registration-step step-${state}`} aria-current={state === 'current' ? 'step' : undefined}>
              <span className="step-mark">{state === 'done' ? <Check size={13} /> : index + 1}</span>
              <span>
                <b>{stepTexts[step].label}</b>
                {state !== 'current' && <span className="sr-only"> {state}</span>}
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

/** Text only (spec §2). The user opens a mailed invitation, perhaps in another tab, and checks again here. */
function JoinAGroup() {
  const { refetch, isFetching } = useTasks()
  const { user } = useSession()
  return (
    <Step
      task="JoinAGroup"
      intro="Your company is registered with Lectern already."
      action={
        <Button busy={isFetching} busyLabel="Checking" onClick={() => void refetch()}>
          Check again
        </Button>
      }
    >
      <div className="grid max-w-prose gap-3">
        <p>
          Whoever manages people at your company can invite you: under People, at{' '}
          <b className="font-semibold wrap-anywhere">{user?.email}</b>. Open the link of the mail here, signed in as you are now.
        </p>
        <p className="text-ink-2">An invitation is good for seven days.</p>
      </div>
    </Step>
  )
}
