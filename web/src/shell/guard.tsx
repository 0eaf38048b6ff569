import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { useDelayed } from '../ui/delay.ts'
import { lazyPart } from '../ui/lazy-part.tsx'
import { OpeningStatus } from './frame.tsx'

const SignedOut = lazyPart(async () => (await import('./signed-out.tsx')).SignedOut)
const NeedsPasskey = lazyPart(async () => (await import('./needs-passkey.tsx')).NeedsPasskey)

/**
 * Spec §2. A visitor goes to the login and returns to path and query. After a failed sign-in or an ended session, the user decides when to
 * leave the page.
 */
export function Guard({ children }: { children: ReactNode }) {
  const { isLoading, isAuthenticated, hasEnded, needsPasskey, error, login } = useSession()
  const { pathname, search } = useLocation()
  // Two slashes would name another host.
  const here = `/${pathname.replace(/^\/+/, '')}${search}`
  const isVisitor = !isLoading && !isAuthenticated && !hasEnded && error === null
  useEffect(() => {
    if (isVisitor) void login(here)
  }, [isVisitor])
  if (isAuthenticated && needsPasskey) return <NeedsPasskey returnTo={here} />
  if (isAuthenticated) return children
  if (isLoading || isVisitor) return <Opening />
  return <SignedOut returnTo={here} />
}

function Opening() {
  useDocumentTitle('Signing in')
  const late = useDelayed(400)
  return <OpeningStatus>{late && 'Signing in…'}</OpeningStatus>
}
