import type { PublicSettings } from '@lectern/contract/system.ts'
import { type ReactNode, useState } from 'react'
import { createIdentityOptions } from './identity-options.ts'
import { SessionProvider } from './session-provider.tsx'
import type { StoredTokenCheck } from './stored-token.ts'

interface SessionProps {
  settings: PublicSettings
  onReturn: (path: string) => void
  children: ReactNode
}

export function Session({ settings, onReturn, children }: SessionProps) {
  const [options] = useState(() => createIdentityOptions(settings.auth, location.origin))
  const [storedToken] = useState(() => (settings.localToken ? createStoredTokenCheck(settings.auth) : null))
  return (
    <SessionProvider options={options} storedToken={storedToken} onReturn={onReturn}>
      {children}
    </SessionProvider>
  )
}

// Loads the check with the first stored token, as few users store one.
function createStoredTokenCheck(auth: PublicSettings['auth']): StoredTokenCheck {
  let check: StoredTokenCheck | undefined
  return async (token) => {
    try {
      check ??= (await import('./stored-token-check.ts')).createStoredTokenCheck(auth)
      return await check(token)
    } catch {
      return null
    }
  }
}
