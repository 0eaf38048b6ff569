import type { ReactNode } from 'react'
import { Navigate } from 'react-router'
import { paths } from '../paths.ts'
import { useDelayed } from '../ui/delay.ts'
import { Page } from '../ui/layout/page.tsx'
import { useTasks } from './tasks.ts'

/** Shows its content once no registration task remains, and leads to the registration before (spec §2). */
export function Registered({ children }: { children: ReactNode }) {
  const { tasks } = useTasks()
  const late = useDelayed(400)
  if (tasks?.length === 0) return children
  return (
    <Page className="grid place-content-center">
      {tasks && <Navigate to={paths.register()} replace />}
      <p role="status" className="text-ink-2">
        {tasks ? 'Not registered, redirecting...' : late && 'Loading...'}
      </p>
    </Page>
  )
}
