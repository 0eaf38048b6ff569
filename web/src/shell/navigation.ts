import type { RouteObject } from 'react-router'

/** An entry of a bar. */
export interface Entry {
  to: string
  label: string
  /** Current only on exactly this path. */
  end?: boolean
  /** The permission without which it is not shown. */
  needs?: string
}

/** The top bar (spec §2). */
export const areas: readonly Entry[] = [
  { to: '/product', label: 'Products' },
  { to: '/data', label: 'Data' },
  { to: '/codedm', label: 'Device Management' },
  { to: '/admin/organizations', label: 'All Organizations', needs: 'global:access:organizations' },
]

/** The strip under the bar on the screens of Device Management. */
export const deviceManagement: readonly Entry[] = [
  { to: '/codedm', label: 'Overview', end: true },
  { to: '/codedm/device-dashboard', label: 'Devices' },
  { to: '/codedm/zones', label: 'Zones' },
  { to: '/codedm/apply-config', label: 'Configure', needs: 'manage:cfg' },
  { to: '/codedm/manage-firmware', label: 'Firmware', needs: 'manage:firmware' },
  { to: '/codedm/rollouts', label: 'Rollouts' },
  { to: '/codedm/create-configuration', label: 'Builder' },
  { to: '/codedm/configuration-library', label: 'Library' },
  { to: '/codedm/audit-log', label: 'Audit Log', needs: 'access:audit_log' },
]

/** The entries that lead somewhere: their screen exists, and the person may see it. */
export function offered(entries: readonly Entry[], screens: ReadonlySet<string>, permissions: readonly string[]): Entry[] {
  return entries.filter(({ to, needs }) => screens.has(to) && (needs === undefined || permissions.includes(needs)))
}

/** Where `/` leads: to the products (spec §2), or to Device Management where there is no such screen. */
export const homeOf = (screens: ReadonlySet<string>): string => (screens.has('/product') ? '/product' : '/codedm')

/** The full paths of every screen in a route table. */
export function screensOf(routes: readonly RouteObject[], base = ''): Set<string> {
  return new Set(
    routes.flatMap((route) => {
      const path = route.path === undefined ? base : `${base}/${route.path.replace(/^\//, '')}`
      const own = (route.path !== undefined || route.index) && !route.children ? [path || '/'] : []
      return [...own, ...screensOf(route.children ?? [], path)]
    }),
  )
}
