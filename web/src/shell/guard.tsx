import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { useDelayed } from '../ui/delay.ts'
import { Page } from '../ui/layout/page.tsx'
import { SignedOut } from './signed-out.tsx'

/**
 * Shows its content to nobody without a session (spec §2). A visitor is sent to login and comes back to path and query. Where the
 * sign-in failed, or a session has ended under the person's hands, it says so and waits: leaving the page is theirs to decide.
 */
export function Guard({ children }: { children: ReactNode }) {
  const { isLoading, isAuthenticated, hasEnded, error, login } = useSession()
  const { pathname, search } = useLocation()
  // One slash: two would name another host.
  const here = `/${pathname.replace(/^\/+/, '')}${search}`
  const isVisitor = !isLoading && !isAuthenticated && !hasEnded && error === null
  // Once for each time somebody turns out to be a visitor.
  useEffect(() => {
    if (isVisitor) void login(here)
  }, [isVisitor])
  if (isAuthenticated) return children
  if (isLoading || isVisitor) return <Opening />
  return <SignedOut returnTo={here} />
}

function Opening() {
  useDocumentTitle('Signing in')
  const late = useDelayed(400)
  return (
    <Page className="grid place-content-center">
      <p role="status" className="text-ink-2">
        {late && 'Signing in…'}
      </p>
    </Page>
  )
}
