import { useCallback, useEffect, useRef, useState } from 'react'
import type { SessionUser } from '../lib/session.ts'
import { readStored, watchStored } from '../lib/stored-text.ts'
import { type StoredTokenCheck, storedTokenKey } from './stored-token.ts'

export interface StoredSession {
  isChecking: boolean
  user: SessionUser | null
  drop(): void
}

/**
 * Read at start and when another tab changes it (spec §4); none without `check`. Calls `onEnd` when the token is removed, or replaced by
 * one that is not accepted.
 */
export function useStoredSession(check: StoredTokenCheck | null, onEnd: () => void): StoredSession {
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
