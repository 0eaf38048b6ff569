import './registration.css'
import type { RegistrationTask } from '@lectern/contract/registration.ts'
import { type ComponentType, useState } from 'react'
import { Navigate } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { BareFrame } from '../shell/bare-frame.tsx'
import { JoinAGroup } from './join-a-group.tsx'
import { OrganizationSetup } from './organization-setup.tsx'
import { SelectProducts } from './select-products.tsx'
import { StepContext } from './step.tsx'
import { StepList } from './step-list.tsx'
import { stepTexts } from './step-texts.ts'
import { useTasks, withFurther } from './tasks.ts'
import { UserInfo } from './user-info.tsx'

const steps: Readonly<Record<RegistrationTask, ComponentType>> = {
  InitialUserRegistration: UserInfo,
  JoinAGroup,
  OrganizationSetup,
  SelectProducts,
}

/** `/register`, the onboarding wizard (spec §2): the steps that the server lists, the first pending one open. */
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
  const { user } = useSession()
  const [seen, setSeen] = useState(pending)
  const all = withFurther(seen, pending)
  if (all !== seen) setSeen(all)
  const [current] = pending
  const [first] = useState(current)
  useDocumentTitle(current ? stepTexts[current].label : 'Register')
  if (current === undefined) return <Navigate to="/" replace />
  const Current = steps[current]
  return (
    <div className="registration panel">
      <StepList steps={all} pending={pending} email={user?.email ?? ''} />
      <StepContext value={{ number: all.indexOf(current) + 1, total: all.length, isFirst: current === first }}>
        <Current key={current} />
      </StepContext>
    </div>
  )
}
