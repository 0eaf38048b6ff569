import { Auth0Provider, type Auth0ProviderOptions, useAuth0 } from '@auth0/auth0-react'
import { type ReactNode, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Tokens } from '../lib/api/fetch.ts'
import { dropAllFiles } from '../lib/kept-files.ts'
import { type Session, SessionContext } from '../lib/session.ts'
import { removeStored } from '../lib/stored-text.ts'
import { releaseLockOnLeaving } from './abandoned-lock.ts'
import { type IdentityError, identityError, needsSignIn } from './identity-error.ts'
import { popupTimeout } from './identity-options.ts'
import { sessionUser } from './session-user.ts'
import { type StoredTokenCheck, storedTokenKey } from './stored-token.ts'
import { useStoredSession } from './use-stored-session.ts'

interface SessionProviderProps {
  options: Auth0ProviderOptions
  /** How a locally stored token is judged; null where none is honoured. */
  storedToken: StoredTokenCheck | null
  /** Replaces the URL after the redirect callback, so that no code or state is left in it (spec §2). The session loads until it is done. */
  onReturn: (path: string) => void | Promise<void>
  children: ReactNode
}

/** The identity session of everything inside it (spec §4). */
export function SessionProvider({ options, storedToken, onReturn, children }: SessionProviderProps) {
  const [isReturning, setReturning] = useState(isCallback)
  const goBack = useCallback(
    async (path: string | undefined) => {
      await onReturn(path ?? location.pathname)
      // Together with the screen that the router shows by then: the one before it must not come to life, and perhaps lead elsewhere.
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
  const [token, setToken] = useState<string | null>(null)
  const [failure, setFailure] = useState<IdentityError | null>(null)
  const [wasEnded, setEnded] = useState(false)
  const [isLeaving, setLeaving] = useState(false)

  const { getAccessTokenSilently, logout: leave } = identity
  // Whoever was signed in besides goes too: a session never turns into another person's.
  const forget = useCallback(
    async (why: IdentityError | null) => {
      setEnded(true)
      setToken(null)
      setFailure(why)
      await leave({ openUrl: false })
    },
    [leave],
  )
  const stored = useStoredSession(
    storedToken,
    useCallback(() => void forget(null), [forget]),
  )
  // Read when a call is made, not when the function was: the functions below must stay the same for the page's life.
  const current = useRef(stored)
  current.current = stored
  const end = useCallback(
    async (why: IdentityError | null) => {
      current.current.drop()
      await forget(why)
    },
    [forget],
  )
  const retrieve = useCallback(
    async (cacheMode: 'on' | 'off') => {
      try {
        const retrieved = await getAccessTokenSilently({ cacheMode })
        setToken(retrieved)
        setFailure(null)
        return retrieved
      } catch (error) {
        const why = identityError(error, 'Get access token failed')
        if (needsSignIn(why)) await end(why)
        throw why
      }
    },
    [getAccessTokenSilently, end],
  )
  const tokens = useMemo<Tokens>(
    () => ({
      get: async () => current.current.user?.token ?? retrieve('on'),
      // A stored token cannot be renewed; the server refuses it once more, and the session is over.
      renew: async () => current.current.user?.token ?? retrieve('off'),
      refused: () => void end(null),
    }),
    [retrieve, end],
  )

  useEffect(releaseLockOnLeaving, [])

  // The user's permissions stand in the access token.
  useEffect(() => {
    if (identity.isAuthenticated && token === null) retrieve('on').catch((error: IdentityError) => setFailure(error))
  }, [identity.isAuthenticated, token, retrieve])

  // The library leaves the URL of a failed callback as it is.
  useEffect(() => {
    if (identity.error && isCallback()) void goBack(returnTarget(identity.error))
  }, [identity.error, goBack])

  const { user: profile } = identity
  const signedIn = useMemo(() => (profile && token !== null ? sessionUser(profile, token) : null), [profile, token])
  const user = isLeaving || isReturning ? null : (stored.user ?? signedIn)
  const isOpening = identity.isLoading || stored.isChecking || (identity.isAuthenticated && token === null && failure === null)

  const session: Session = {
    isLoading: isLeaving || isReturning || identity.isLoading || (user === null && isOpening),
    isAuthenticated: user !== null,
    user,
    error: failure ?? (identity.error ? identityError(identity.error, 'Login failed') : null),
    hasEnded: user === null && wasEnded,
    isStoredToken: stored.user !== null,
    tokens,
    async login(returnTo) {
      try {
        await identity.loginWithRedirect({ appState: { returnTo } })
      } catch (error) {
        setFailure(identityError(error, 'Login failed'))
      }
    },
    async loginWithPopup() {
      setFailure(null)
      await identity.loginWithPopup({}, { timeoutInSeconds: popupTimeout })
    },
    async logout() {
      setLeaving(true)
      removeStored(storedTokenKey)
      // A browser that forbids the storage has kept nothing in it.
      await dropAllFiles().catch(() => {})
      await leave({ logoutParams: { returnTo: `${location.origin}/` } })
    },
    getToken: tokens.get,
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

/** Whether the page was opened by the provider's answer: a code or an error, with a state (spec §4). */
const isCallback = (): boolean => /[?&](code|error)=[^&]/.test(location.search) && /[?&]state=[^&]/.test(location.search)

function returnTarget(error: Error): string | undefined {
  const { appState } = error as { appState?: { returnTo?: string } }
  return appState?.returnTo
}
