import { type ReactNode, useState } from 'react'
import { Navigate } from 'react-router'
import { useKnownMember } from '../lib/tab-organization.ts'
import { paths } from '../paths.ts'
import { OpeningStatus } from '../shell/frame.tsx'
import { useDelayed } from '../ui/delay.ts'
import { useTasks } from './tasks.ts'

/** Shows its content once no registration task is left; leads to registration before (spec §2). */
export function Registered({ children }: { children: ReactNode }) {
  const { tasks } = useTasks()
  const known = useKnownMember()
  const [isKnown] = useState(known !== undefined)
  const late = useDelayed(400)
  if (tasks ? tasks.length === 0 : isKnown) return children
  return (
    <>
      {tasks && <Navigate to={paths.register()} replace />}
      <OpeningStatus>{tasks ? 'Not registered, redirecting...' : late && 'Loading...'}</OpeningStatus>
    </>
  )
}
