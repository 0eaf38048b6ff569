import { Auth0Provider, type Auth0ProviderOptions, useAuth0 } from '@auth0/auth0-react'
import { type ReactNode, startTransition, useCallback, useEffect, useMemo, useState } from 'react'
import { type Session, SessionContext } from '../lib/session.ts'
import { deleteStoredFiles } from '../lib/stored-files.ts'
import { removeStored } from '../lib/stored-text.ts'
import { releaseLockOnLeaving } from './abandoned-lock.ts'
import { type IdentityError, toIdentityError } from './identity-error.ts'
import { popupTimeout } from './identity-options.ts'
import { toSessionUser } from './session-user.ts'
import { type StoredTokenCheck, storedTokenKey } from './stored-token.ts'
import { type Identity, useTokens } from './use-tokens.ts'

interface SessionProviderProps {
  options: Auth0ProviderOptions
  /** Null where locally stored tokens are not accepted. */
  storedToken: StoredTokenCheck | null
  /** Replaces the URL after the redirect callback, so that it has no code or state (spec §2). The session loads until then. */
  onReturn: (path: string) => void | Promise<void>
  children: ReactNode
}

export function SessionProvider({ options, storedToken, onReturn, children }: SessionProviderProps) {
  const [isReturning, setReturning] = useState(isCallback)
  const goBack = useCallback(
    async (path: string | undefined) => {
      await onReturn(path ?? location.pathname)
      // In one update with the router’s next screen: the screen before must not render again, and perhaps redirect.
      startTransition(() => setReturning(false))
    },
    [onReturn],
  )
  return (
    <Auth0Provider {...options} onRedirectCallback={(state) => void goBack(state?.returnTo)}>
      <SessionState storedToken={storedToken} isReturning={isReturning} goBack={goBack}>
        {children}
      </SessionState>
    </Auth0Provider>
  )
}

interface SessionStateProps {
  storedToken: StoredTokenCheck | null
  isReturning: boolean
  goBack: (path: string | undefined) => Promise<void>
  children: ReactNode
}

function SessionState({ storedToken, isReturning, goBack, children }: SessionStateProps) {
  const identity = useAuth0()
  const { token, tokens, stored, failure, setFailure, wasEnded } = useTokens(identity, storedToken)
  const { isLeaving, ...actions } = useSignIn(identity, setFailure)

  useEffect(releaseLockOnLeaving, [])

  // The library does not clean the URL of a failed callback.
  useEffect(() => {
    if (identity.error && isCallback()) void goBack(returnTarget(identity.error))
  }, [identity.error, goBack])

  const { user: profile } = identity
  const signedIn = useMemo(() => (profile && token !== null ? toSessionUser(profile, token) : null), [profile, token])
  const user = isLeaving || isReturning ? null : (stored.user ?? signedIn)
  const isOpening = identity.isLoading || stored.isChecking || (identity.isAuthenticated && token === null && failure === null)

  const session: Session = {
    ...actions,
    isLoading: isLeaving || isReturning || identity.isLoading || (user === null && isOpening),
    isAuthenticated: user !== null,
    user,
    error: failure ?? (identity.error ? toIdentityError(identity.error, 'Login failed') : null),
    hasEnded: user === null && wasEnded,
    isStoredToken: stored.user !== null,
    tokens,
    getToken: tokens.get,
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

function useSignIn({ loginWithRedirect, loginWithPopup, logout }: Identity, setFailure: (failure: IdentityError | null) => void) {
  const [isLeaving, setLeaving] = useState(false)
  return {
    isLeaving,
    async login(returnTo: string) {
      try {
        await loginWithRedirect({ appState: { returnTo } })
      } catch (error) {
        setFailure(toIdentityError(error, 'Login failed'))
      }
    },
    async loginWithPopup() {
      setFailure(null)
      await loginWithPopup({}, { timeoutInSeconds: popupTimeout })
    },
    async logout() {
      setLeaving(true)
      removeStored(storedTokenKey)
      // A browser that forbids storage has no files.
      await deleteStoredFiles().catch(() => {})
      await logout({ logoutParams: { returnTo: `${location.origin}/` } })
    },
  }
}

/** Whether the URL is the provider's callback: a code or an error, with a state (spec §4). */
const isCallback = (): boolean => /[?&](code|error)=[^&]/.test(location.search) && /[?&]state=[^&]/.test(location.search)

function returnTarget(error: Error): string | undefined {
  const { appState } = error as { appState?: { returnTo?: string } }
  return appState?.returnTo
}
