import type { Auth0ClientOptions } from '@auth0/auth0-spa-js'
import { passkeyAcr } from '@lectern/contract/http/step-up.ts'
import { type ReactNode, startTransition, useCallback, useEffect, useMemo, useRef, useState } from 'react'
import { forgetKnownMember } from '../lib/known-member.ts'
import { type Session, SessionContext, type SessionUser } from '../lib/session.ts'
import { removeDrafts, removeStored } from '../lib/stored-text.ts'
import { releaseLockOnLeaving } from './abandoned-lock.ts'
import { type IdentityError, toIdentityError } from './identity-error.ts'
import { popupTimeout } from './identity-options.ts'
import { toSessionUser } from './session-user.ts'
import { type StoredTokenCheck, storedTokenKey } from './stored-token.ts'
import { type Identity, isCallback, useIdentity } from './use-identity.ts'
import { useTokens } from './use-tokens.ts'

interface SessionProviderProps {
  options: Auth0ClientOptions
  /** Null where locally stored tokens are not accepted. */
  storedToken: StoredTokenCheck | null
  /** Replaces the URL after the redirect callback, so that it has neither code nor state (spec §2). The session loads until then. */
  onReturn: (path: string) => void | Promise<void>
  children: ReactNode
}

export function SessionProvider({ options, storedToken, onReturn, children }: SessionProviderProps) {
  const [isReturning, setReturning] = useState(isCallback)
  const goBack = useCallback(
    async (path: string | undefined) => {
      await onReturn(path ?? location.pathname)
      // In one update with the router’s next screen: the screen before must not render again, as it might redirect.
      startTransition(() => setReturning(false))
    },
    [onReturn],
  )
  const identity = useIdentity(options, goBack)
  const { token, tokens, stored, failure, setFailure, wasEnded, needsPasskey } = useTokens(identity, storedToken)
  const latestUser = useRef<SessionUser | null>(null)
  const getUser = useCallback(() => latestUser.current, [])
  const { isLeaving, ...actions } = useSignIn(identity, setFailure, getUser)

  useEffect(releaseLockOnLeaving, [])

  // The library leaves the URL of a failed callback as it is.
  useEffect(() => {
    if (identity.error !== undefined && isCallback()) void goBack(returnTarget(identity.error))
  }, [identity.error, goBack])

  const { user: profile } = identity
  const signedIn = useMemo(() => (profile && token !== null ? toSessionUser(profile, token) : null), [profile, token])
  const user = isLeaving || isReturning ? null : (stored.user ?? signedIn)
  latestUser.current = user
  const isOpening = identity.isLoading || stored.isChecking || (profile !== undefined && token === null && failure === null)

  const session: Session = {
    ...actions,
    isLoading: isLeaving || isReturning || identity.isLoading || (user === null && isOpening),
    isAuthenticated: user !== null,
    user,
    error: failure ?? (identity.error !== undefined ? toIdentityError(identity.error, 'Login failed') : null),
    hasEnded: user === null && wasEnded,
    needsPasskey,
    isStoredToken: stored.user !== null,
    getUser,
    tokens,
    getToken: tokens.get,
  }
  return <SessionContext value={session}>{children}</SessionContext>
}

function useSignIn(
  { loginWithRedirect, loginWithPopup, logout }: Identity,
  setFailure: (failure: IdentityError | null) => void,
  getUser: () => SessionUser | null,
) {
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
    async loginWithPasskey(returnTo: string) {
      try {
        await loginWithRedirect({ appState: { returnTo }, authorizationParams: { acr_values: passkeyAcr } })
      } catch (error) {
        setFailure(toIdentityError(error, 'Login failed'))
      }
    },
    async loginWithPopup() {
      setFailure(null)
      await loginWithPopup({}, { timeoutInSeconds: popupTimeout })
    },
    async logout() {
      const userId = getUser()?.id
      const { deleteStoredFiles, mayRemoveUnsent } = await import('../lib/files/leaving.ts')
      if (userId !== undefined && !mayRemoveUnsent(userId)) return
      setLeaving(true)
      removeStored(storedTokenKey)
      forgetKnownMember()
      removeDrafts()
      // Where the browser forbids storage, there are no files.
      await deleteStoredFiles(userId).catch(() => {})
      await logout({ logoutParams: { returnTo: `${location.origin}/` } })
    },
  }
}

function returnTarget(error: unknown): string | undefined {
  const { appState } = error as { appState?: { returnTo?: string } }
  return appState?.returnTo
}
