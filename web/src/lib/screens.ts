import type { FeatureFlag, FeatureFlags } from '@lectern/contract/feature-flags.ts'
import { createContext, useContext } from 'react'
import type { RouteObject } from 'react-router'
import { useFeatureFlags } from './feature-flags.ts'
import { useIsLimited, usePermissions } from './session.ts'

export interface ScreenHandle {
  /** The user must have all of these (spec §6). */
  needs?: readonly string[]
  /** The feature flag that shows it (spec §3). */
  flag?: FeatureFlag
  /** Whether it is about the organization as a whole, so not for a role limited to zones (decision 47). */
  ofWhole?: boolean
  /** Whether it has a bar of its own in place of the strip, as wizards do. */
  ownStrip?: boolean
  /** Whether users without an organization see it, such as staff; a text: only those with this permission. */
  withoutOrganization?: boolean | string
  upcoming?: boolean
}

/** Screens by full path, such as `/product/id/:productId/details`. */
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

export const needsWholeOrganization = ({ ofWhole = false }: ScreenHandle, { isLimited }: Pick<Holdings, 'isLimited'>): boolean =>
  ofWhole && isLimited

/** The screens, and the user's facts that decide which are shown. */
export interface Offer {
  screens: Screens
  /** Whether the user belongs to an organization. */
  hasOrganization: boolean
}

/** Returns null where the user may not see it, or has no organization that it could be about. */
export function screenFor({ screens, hasOrganization }: Offer, path: string, holdings: Holdings): ScreenHandle | null {
  const screen = screens.get(path)
  if (
    !screen ||
    missingPermissions(screen, holdings).length > 0 ||
    isSwitchedOff(screen, holdings) ||
    needsWholeOrganization(screen, holdings)
  )
    return null
  return hasOrganization || !needsOrganization(screen, holdings) ? screen : null
}

export function useHoldings(): Holdings {
  return { permissions: usePermissions(), flags: useFeatureFlags(), isLimited: useIsLimited() }
}

const Context = createContext<Offer | null>(null)

export const ScreensContext = Context

/** Returns null where the path has no screen, or none for this user. */
export function useScreens(): (path: string) => ScreenHandle | null {
  const offer = useContext(Context)
  const holdings = useHoldings()
  if (!offer) throw new Error('useScreens was used outside its provider')
  return (path) => screenFor(offer, path, holdings)
}
