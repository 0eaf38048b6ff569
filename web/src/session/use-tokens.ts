import { useCallback, useEffect, useMemo, useRef, useState } from 'react'
import type { Tokens } from '../lib/api/fetch.ts'
import type { SessionUser } from '../lib/session.ts'
import { readStored, watchStored } from '../lib/stored-text.ts'
import { type IdentityError, needsSignIn, toIdentityError } from './identity-error.ts'
import { type StoredTokenCheck, storedTokenKey } from './stored-token.ts'
import type { Identity } from './use-identity.ts'

export function useTokens({ user, getToken, logout: leave }: Identity, storedToken: StoredTokenCheck | null) {
  const [token, setToken] = useState<string | null>(null)
  const [failure, setFailure] = useState<IdentityError | null>(null)
  const [wasEnded, setEnded] = useState(false)
  const [needsPasskey, setNeedsPasskey] = useState(false)

  // Ends the provider's session too, so that a session never becomes another user's.
  const forget = useCallback(
    async (why: IdentityError | null) => {
      setEnded(true)
      setToken(null)
      setFailure(why)
      await leave({ openUrl: false })
    },
    [leave],
  )
  const { stored, getStored, end } = useEnding(storedToken, forget)
  const retrieve = useCallback(
    async (cacheMode: 'on' | 'off') => {
      try {
        const retrieved = await getToken({ cacheMode })
        setToken(retrieved)
        setFailure(null)
        return retrieved
      } catch (error) {
        const why = toIdentityError(error, 'Get access token failed')
        if (needsSignIn(why)) await end(why)
        throw why
      }
    },
    [getToken, end],
  )
  const tokens = useMemo<Tokens>(
    () => ({
      get: async () => getStored().user?.token ?? retrieve('on'),
      // A stored token cannot be renewed. The server refuses it again, which ends the session.
      renew: async () => getStored().user?.token ?? retrieve('off'),
      refused: () => void end(null),
      needsPasskey: () => setNeedsPasskey(true),
    }),
    [retrieve, getStored, end],
  )

  // The permissions are in the access token.
  const isAuthenticated = user !== undefined
  useEffect(() => {
    if (isAuthenticated && token === null) retrieve('on').catch((error: IdentityError) => setFailure(error))
  }, [isAuthenticated, token, retrieve])

  return { token, tokens, stored, failure, setFailure, wasEnded, needsPasskey }
}

/** `getStored`: returns the latest stored session. It is stable, so that `Tokens` is. */
function useEnding(storedToken: StoredTokenCheck | null, forget: (why: IdentityError | null) => Promise<void>) {
  const stored = useStoredSession(
    storedToken,
    useCallback(() => void forget(null), [forget]),
  )
  const latest = useRef(stored)
  latest.current = stored
  const getStored = useCallback(() => latest.current, [])
  const end = useCallback(
    async (why: IdentityError | null) => {
      latest.current.drop()
      await forget(why)
    },
    [forget],
  )
  return { stored, getStored, end }
}

interface StoredSession {
  isChecking: boolean
  user: SessionUser | null
  drop(): void
}

/**
 * Read at the start and when another tab changes it (spec §4); none without `check`. Calls `onEnd` when the token is removed, or replaced
 * by one that is not accepted.
 */
function useStoredSession(check: StoredTokenCheck | null, onEnd: () => void): StoredSession {
  const [isChecking, setChecking] = useState(() => check !== null && readStored(storedTokenKey) !== null)
  const [user, setUser] = useState<SessionUser | null>(null)
  const isUsed = useRef(false)

  useEffect(() => {
    if (!check) return
    let newest = 0
    const read = async (token: string | null) => {
      newest += 1
      const turn = newest
      const found = token ? await check(token) : null
      if (turn !== newest) return
      if (isUsed.current && !found) onEnd()
      isUsed.current = found !== null
      setUser(found)
      setChecking(false)
    }
    void read(readStored(storedTokenKey))
    const stop = watchStored(storedTokenKey, (token) => void read(token))
    return () => {
      newest += 1
      stop()
    }
  }, [check, onEnd])

  const drop = useCallback(() => {
    isUsed.current = false
    setUser(null)
  }, [])
  return { isChecking, user, drop }
}
