import type { ScreenHandle } from '../lib/screens.ts'

/** An entry of a bar. */
export interface Entry {
  to: string
  label: string
  /** Current only on exactly this path. */
  end?: boolean
}

/** The top bar (spec §2). */
export const areas: readonly Entry[] = [
  { to: '/product', label: 'Products' },
  { to: '/data', label: 'Data' },
  { to: '/codedm', label: 'Device Management' },
  { to: '/admin/organizations', label: 'All Organizations' },
]

/** The menu "More" at the end of the top bar: the capabilities for which the specification has no route. */
export const more: readonly Entry[] = [
  { to: '/licences', label: 'Licences' },
  { to: '/readers', label: 'Readers' },
  { to: '/support', label: 'Support' },
  { to: '/admin/marketing', label: 'Marketing' },
  { to: '/admin/firmware', label: 'Firmware releases' },
  { to: '/admin/products', label: 'Product catalogue' },
  { to: '/admin/audit-log', label: 'Audit log' },
]

/** The strip under the bar on the screens of Device Management. */
export const deviceManagement: readonly Entry[] = [
  { to: '/codedm', label: 'Overview', end: true },
  { to: '/codedm/device-dashboard', label: 'Devices' },
  { to: '/codedm/zones', label: 'Zones' },
  { to: '/codedm/apply-config', label: 'Configure' },
  { to: '/codedm/manage-firmware', label: 'Firmware' },
  { to: '/codedm/rollouts', label: 'Rollouts' },
  { to: '/codedm/create-configuration', label: 'Builder' },
  { to: '/codedm/configuration-library', label: 'Library' },
  { to: '/codedm/audit-log', label: 'Audit Log' },
]

type Find = (path: string) => ScreenHandle | null

/** The entries whose screen the person may be led to. */
export const offered = (entries: readonly Entry[], find: Find): Entry[] => entries.filter(({ to }) => find(to) !== null)

/** Of these the ones whose screen is built. */
export const built = (entries: readonly Entry[], find: Find): Entry[] => offered(entries, find).filter(({ to }) => !find(to)?.upcoming)

/** Whether a path belongs to Device Management. */
export const isDeviceManagement = (path: string): boolean => /^\/codedm(\/|$)/.test(path)
