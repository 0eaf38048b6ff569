import { createContext, useContext } from 'react'
import type { Tokens } from './api/fetch.ts'

/** Who is signed in (spec §3). */
export interface SessionUser {
  /** The provider's id of the person. */
  id: string
  /** The access token's `permissions`. */
  permissions: readonly string[]
  /** Address of the person's picture. */
  picture: string | undefined
  email: string
  name: string
  /** What the provider calls them for short. */
  nickname: string | undefined
  /** The access token. */
  token: string
}

/** The session starts loading and without a user; a user exists exactly when it is authenticated (spec §4). */
export interface Session {
  isLoading: boolean
  isAuthenticated: boolean
  user: SessionUser | null
  /** Why the last sign-in or token retrieval failed. */
  error: Error | null
  /** There was a session in this page, and it is over. */
  hasEnded: boolean
  /** It is the session of a locally stored token. */
  isStoredToken: boolean
  /** For the fetch layer; the same for the page's life. */
  tokens: Tokens
  /** Leaves for the identity provider; the person comes back to `returnTo`, a path with its query. */
  login(returnTo: string): Promise<void>
  /** The same in a window of its own. */
  loginWithPopup(): Promise<void>
  logout(): Promise<void>
  /** The access token, obtained silently. */
  getToken(): Promise<string>
}

const Context = createContext<Session | null>(null)

export const SessionContext = Context

/** The session. Throws outside a SessionProvider. */
export function useSession(): Session {
  const session = useContext(Context)
  if (!session) throw new Error('useSession was used outside its provider: wrap the component in a SessionProvider')
  return session
}

/** Whether the person holds every one of the permissions (spec §6). */
export function usePermission(...permissions: readonly string[]): boolean {
  const { user } = useSession()
  return permissions.every((permission) => user?.permissions.includes(permission))
}
