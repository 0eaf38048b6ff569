import type { FeatureFlag, FeatureFlags } from '@lectern/contract/feature-flags.ts'
import { createContext, useContext } from 'react'
import type { RouteObject } from 'react-router'
import { useFeatureFlags } from './feature-flags.ts'
import { useIsLimited, usePermissions } from './session.ts'

export interface ScreenHandle {
  /** All must be held (spec §6). */
  needs?: readonly string[]
  /** The feature flag without which it is not shown (spec §3). */
  flag?: FeatureFlag
  /** About the organization as a whole: not for a role that is limited to zones (decision 47). */
  ofWhole?: boolean
  /** Has a bar of its own instead of the strip, as wizards do. */
  ownStrip?: boolean
  /** Also for users without an organization, such as staff; or for those of them with this permission. */
  withoutOrganization?: boolean | string
  upcoming?: boolean
}

/** By full path, e.g. `/product/id/:productId/details`. */
export type Screens = ReadonlyMap<string, ScreenHandle>

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

export interface Holdings {
  permissions: readonly string[]
  flags: FeatureFlags
  /** Whether the role is limited to zones. */
  isLimited: boolean
}

export const missingPermissions = ({ needs = [] }: ScreenHandle, { permissions }: Pick<Holdings, 'permissions'>): string[] =>
  needs.filter((permission) => !permissions.includes(permission))

export const needsOrganization = (
  { withoutOrganization = false }: ScreenHandle,
  { permissions }: Pick<Holdings, 'permissions'>,
): boolean => (typeof withoutOrganization === 'string' ? !permissions.includes(withoutOrganization) : !withoutOrganization)

export const isSwitchedOff = ({ flag }: ScreenHandle, { flags }: Pick<Holdings, 'flags'>): boolean => flag !== undefined && !flags[flag]

export const isBeyondZones = ({ ofWhole = false }: ScreenHandle, { isLimited }: Pick<Holdings, 'isLimited'>): boolean =>
  ofWhole && isLimited

/** What the screens are looked for in. */
export interface Offer {
  screens: Screens
  /** Whether the user belongs to an organization. */
  hasOrganization: boolean
}

/** Null where the user may not see it, or has no organization that it could be about. */
export function screenFor({ screens, hasOrganization }: Offer, path: string, holdings: Holdings): ScreenHandle | null {
  const screen = screens.get(path)
  if (!screen || missingPermissions(screen, holdings).length > 0 || isSwitchedOff(screen, holdings) || isBeyondZones(screen, holdings))
    return null
  return hasOrganization || !needsOrganization(screen, holdings) ? screen : null
}

export function useHoldings(): Holdings {
  return { permissions: usePermissions(), flags: useFeatureFlags(), isLimited: useIsLimited() }
}

const Context = createContext<Offer | null>(null)

export const ScreensContext = Context

/** Null where the path has no screen, or none for this user. */
export function useScreens(): (path: string) => ScreenHandle | null {
  const offer = useContext(Context)
  const holdings = useHoldings()
  if (!offer) throw new Error('useScreens was used outside its provider')
  return (path) => screenFor(offer, path, holdings)
}
