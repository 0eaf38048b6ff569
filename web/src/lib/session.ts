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

/** Loading and without a user at first; there is a user exactly when it is authenticated (spec §4). */
export interface Session {
  isLoading: boolean
  isAuthenticated: boolean
  user: SessionUser | null
  error: Error | null
  hasEnded: boolean
  /** The organization takes calls only from a sign-in with a passkey, which this one was not (SES-05). */
  needsPasskey: boolean
  isStoredToken: boolean
  // As it is at the call, e.g. when a screen is left; stable.
  getUser(): SessionUser | null
  /** For the fetch layer; stable. */
  tokens: Tokens
  /** The user returns to `returnTo`, a path with its query. */
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

/** Of the active organization's role, as the server says; null until it has (decision 45). */
export const PermissionsContext = Permissions

/** Until the server says them, the token's. */
export function usePermissions(): readonly string[] {
  const { user } = useSession()
  return useContext(Permissions) ?? user?.permissions ?? []
}

const Limit = createContext(false)

export const LimitContext = Limit

/** Whether the role in the active organization is limited to zones: the server shows no others (decision 47). */
export const useIsLimited = (): boolean => useContext(Limit)

export function useOneOfPermissions(...permissions: readonly string[]): boolean {
  const held = usePermissions()
  return permissions.some((permission) => held.includes(permission))
}

/** All of the permissions (spec §6). */
export function usePermission(...permissions: readonly string[]): boolean {
  const held = usePermissions()
  return permissions.every((permission) => held.includes(permission))
}
