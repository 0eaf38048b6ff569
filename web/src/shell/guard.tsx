import { type ReactNode, useEffect } from 'react'
import { useLocation } from 'react-router'
import { useDocumentTitle } from '../lib/document-title.ts'
import { useSession } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { useDelayed } from '../ui/delay.ts'
import { OpeningStatus } from './frame.tsx'
import { MessagePage } from './message-page.tsx'

/**
 * Spec §2. A visitor goes to the login and returns to path and query. After a failed sign-in, or an ended session, the user decides when to
 * leave the page.
 */
export function Guard({ children }: { children: ReactNode }) {
  const { isLoading, isAuthenticated, hasEnded, error, login } = useSession()
  const { pathname, search } = useLocation()
  // Two slashes would name another host.
  const here = `/${pathname.replace(/^\/+/, '')}${search}`
  const isVisitor = !isLoading && !isAuthenticated && !hasEnded && error === null
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
  return <OpeningStatus>{late && 'Signing in…'}</OpeningStatus>
}

function SignedOut({ returnTo }: { returnTo: string }) {
  const { hasEnded, login, loginWithPopup, ...session } = useSession()
  const error: Coded | null = session.error
  // The title says already that a sign-in is required. It does not say why no frame could be used.
  const isPlain = hasEnded && error?.code === 'login_required' && !crossOriginIsolated
  const words = describe(isPlain ? null : error)
  return (
    <MessagePage
      title={hasEnded ? 'Your session has ended' : words.title}
      alert
      actions={
        <>
          <Button variant="primary" onClick={() => void login(returnTo)}>
            Sign in
          </Button>
          {hasEnded && <Button onClick={() => void loginWithPopup()}>Sign in with a pop-up</Button>}
        </>
      }
    >
      {hasEnded && <p>Sign in to continue where you left off.</p>}
      {words.detail && <p>{words.detail}</p>}
      {words.code && <p className="mono text-13">{words.code}</p>}
    </MessagePage>
  )
}

const fallbacks = ['Login failed', 'Get access token failed']

interface Coded extends Error {
  code?: string
}

/** A failure's own message is shown below the specification's (spec §8). */
function describe(error: Coded | null) {
  if (error === null) return { title: 'Login failed' }
  const isFallback = fallbacks.includes(error.message)
  return { title: isFallback ? error.message : 'Login failed', detail: isFallback ? undefined : error.message, code: error.code }
}
