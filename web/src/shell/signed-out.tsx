import { useSession } from '../lib/session.ts'
import { isStorageFull, listDrafts } from '../lib/stored-text.ts'
import { Button } from '../ui/button/button.tsx'
import { MessagePage } from './message-page.tsx'

export function SignedOut({ returnTo }: { returnTo: string }) {
  const { hasEnded, login, loginWithPopup, ...session } = useSession()
  const error: Coded | null = session.error
  const isFull = isStorageFull(error?.cause)
  // The title says already that a sign-in is required, without why no frame could be used.
  const isPlain = hasEnded && error?.code === 'login_required' && !crossOriginIsolated
  const words = describe(isPlain ? null : error)

  function clear() {
    localStorage.clear()
    sessionStorage.clear()
    void login(returnTo)
  }

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
          {isFull && <Button onClick={clear}>Clear it and sign in</Button>}
        </>
      }
    >
      {hasEnded && <p>Sign in to continue where you left off.</p>}
      {hasEnded && listDrafts().length > 0 && <p>What you entered in a form is kept in this tab: open the form again, and it is there.</p>}
      {words.detail && <p>{words.detail}</p>}
      {isFull && <p>Clearing it removes what Lectern keeps in this browser, such as forms that are not saved.</p>}
      {words.code && !isFull && <p className="mono text-13">{words.code}</p>}
    </MessagePage>
  )
}

const fallbacks = ['Login failed', 'Get access token failed']

interface Coded extends Error {
  code?: string
}

/** A failure's own message is below the specification's (spec §8). */
function describe(error: Coded | null) {
  if (error === null) return { title: 'Login failed' }
  const isFallback = fallbacks.includes(error.message)
  return { title: isFallback ? error.message : 'Login failed', detail: isFallback ? undefined : error.message, code: error.code }
}
