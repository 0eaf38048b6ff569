import type { FeatureFlag, FeatureFlags } from '@lectern/contract/feature-flags.ts'
import { createContext, useContext } from 'react'
import type { RouteObject } from 'react-router'
import { useFeatureFlags } from './feature-flags.ts'
import { useSession } from './session.ts'

/** What a route may say of its screen. */
export interface ScreenHandle {
  /** Permissions without any of which the screen is not shown (spec §6). */
  needs?: readonly string[]
  /** The feature flag without which it is not shown (spec §3). */
  flag?: FeatureFlag
  /** The screen has a bar of its own in the strip's place, as wizards do. */
  ownStrip?: boolean
  /** It shows also to somebody who belongs to no organization, as the vendor's staff do; or to those of them who hold this permission. */
  withoutOrganization?: boolean | string
  /** Specified and not built yet: its page says so, and so do links to it. */
  upcoming?: boolean
}

/** Every screen by its full path, e.g. `/product/id/:productId/details`. */
export type Screens = ReadonlyMap<string, ScreenHandle>

/** The screens of a route table. */
export function collectScreens(routes: readonly RouteObject[], base = ''): Screens {
  return new Map(
    routes.flatMap((route) => {
      const path = route.path === undefined ? base : `${base}/${route.path.replace(/^\//, '')}`
      const isScreen = (route.path !== undefined || route.index) && !route.children
      const own: [string, ScreenHandle][] = isScreen ? [[path || '/', route.handle ?? {}]] : []
      return [...own, ...collectScreens(route.children ?? [], path)]
    }),
  )
}

/** What somebody holds that decides which screens are theirs. */
export interface Holdings {
  permissions: readonly string[]
  flags: FeatureFlags
}

/** The permissions that somebody lacks for a screen; all that it needs must be held (spec §6). */
export const missingPermissions = ({ needs = [] }: ScreenHandle, { permissions }: Pick<Holdings, 'permissions'>): string[] =>
  needs.filter((permission) => !permissions.includes(permission))

/** Whether a screen is only for people with an organization. */
export const needsOrganization = (
  { withoutOrganization = false }: ScreenHandle,
  { permissions }: Pick<Holdings, 'permissions'>,
): boolean => (typeof withoutOrganization === 'string' ? !permissions.includes(withoutOrganization) : !withoutOrganization)

/** Whether a feature flag keeps a screen from everybody. */
export const isSwitchedOff = ({ flag }: ScreenHandle, { flags }: Pick<Holdings, 'flags'>): boolean => flag !== undefined && !flags[flag]

/** The screen at a path, if somebody may be led there. */
export function screenFor(screens: Screens, path: string, holdings: Holdings): ScreenHandle | null {
  const screen = screens.get(path)
  return screen && missingPermissions(screen, holdings).length === 0 && !isSwitchedOff(screen, holdings) ? screen : null
}

/** What the signed-in person holds. */
export function useHoldings(): Holdings {
  const { user } = useSession()
  return { permissions: user?.permissions ?? [], flags: useFeatureFlags() }
}

const Context = createContext<Screens | null>(null)

export const ScreensContext = Context

/** Finds a screen by its path. Null where nothing shall lead this person: there is no such screen, or it is not theirs. */
export function useScreens(): (path: string) => ScreenHandle | null {
  const screens = useContext(Context)
  const holdings = useHoldings()
  if (!screens) throw new Error('useScreens was used outside its provider')
  return (path) => screenFor(screens, path, holdings)
}
