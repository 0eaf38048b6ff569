import { useSession } from '../lib/session.ts'
import { Button } from '../ui/button/button.tsx'
import { MessagePage } from './message-page.tsx'

/** What stands in a page's place when its session is over, or none could be had. */
export function SignedOut({ returnTo }: { returnTo: string }) {
  const { hasEnded, login, loginWithPopup, ...session } = useSession()
  const error: Coded | null = session.error
  // That a sign-in is required is what the title says; why no frame could be asked is not.
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
      {hasEnded && <p>Sign in to go on where you were.</p>}
      {words.detail && <p>{words.detail}</p>}
      {words.code && <p className="mono text-13">{words.code}</p>}
    </MessagePage>
  )
}

const fallbacks = ['Login failed', 'Get access token failed']

type Coded = Error & { code?: string }

/** A failure's own words stand below the specification's (spec §8). */
function describe(error: Coded | null) {
  if (error === null) return { title: 'Login failed' }
  const isFallback = fallbacks.includes(error.message)
  return { title: isFallback ? error.message : 'Login failed', detail: isFallback ? undefined : error.message, code: error.code }
}
