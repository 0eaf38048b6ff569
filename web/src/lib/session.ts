import { createContext, useContext } from 'react'
import type { Tokens } from './api/fetch.ts'

export interface SessionUser {
  id: string
  /** The access token's `permissions`. */
  permissions: readonly string[]
  picture: string | undefined
  email: string
  name: string
  nickname: string | undefined
  token: string
}

/** At first it is loading and has no user. It has a user exactly when it is authenticated (spec §4). */
export interface Session {
  isLoading: boolean
  isAuthenticated: boolean
  user: SessionUser | null
  error: Error | null
  hasEnded: boolean
  /** The organization accepts calls only from sign-ins with a passkey, and this was none (SES-05). */
  needsPasskey: boolean
  isStoredToken: boolean
  // Returns the user at the time of the call, such as when a screen is left. The function is stable.
  getUser(): SessionUser | null
  /** For the fetch layer. Stable. */
  tokens: Tokens
  /** After the sign-in the user returns to `returnTo`, a path with its query. */
  login(returnTo: string): Promise<void>
  loginWithPasskey(returnTo: string): Promise<void>
  loginWithPopup(): Promise<void>
  logout(): Promise<void>
  getToken(): Promise<string>
}

const Context = createContext<Session | null>(null)

export const SessionContext = Context

/** @throws outside a SessionProvider */
export function useSession(): Session {
  const session = useContext(Context)
  if (!session) throw new Error('useSession was used outside its provider: wrap the component in a SessionProvider')
  return session
}

const Permissions = createContext<readonly string[] | null>(null)

/** Permissions of the role in the active organization, from the server; null until they are known (decision 45). */
export const PermissionsContext = Permissions

/** The token's permissions until the server has sent those of the role. */
export function usePermissions(): readonly string[] {
  const { user } = useSession()
  return useContext(Permissions) ?? user?.permissions ?? []
}

const Limit = createContext(false)

export const LimitContext = Limit

/** Whether the role in the active organization is limited to zones; the server then shows no others (decision 47). */
export const useIsLimited = (): boolean => useContext(Limit)

export function useOneOfPermissions(...permissions: readonly string[]): boolean {
  const held = usePermissions()
  return permissions.some((permission) => held.includes(permission))
}

/** Whether the user has all of the permissions (spec §6). */
export function usePermission(...permissions: readonly string[]): boolean {
  const held = usePermissions()
  return permissions.every((permission) => held.includes(permission))
}
