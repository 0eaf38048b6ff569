import type { ScreenHandle } from '../lib/screens.ts'
import { paths } from '../paths.ts'

/** An entry of a bar. */
export interface Entry {
  to: string
  label: string
  /** Current only on exactly this path. */
  end?: boolean
}

/** The top bar (spec §2). */
export const areas: readonly Entry[] = [
  { to: paths.products(), label: 'Products' },
  { to: paths.data(), label: 'Data' },
  { to: paths.deviceManagement(), label: 'Device Management' },
  { to: paths.organizations(), label: 'All Organizations' },
]

/** The menu "More" at the end of the top bar: the capabilities for which the specification has no route. */
export const more: readonly Entry[] = [
  { to: paths.licences(), label: 'Licences' },
  { to: paths.readers(), label: 'Readers' },
  { to: paths.cases(), label: 'Support' },
  { to: paths.marketing(), label: 'Marketing' },
  { to: paths.releases(), label: 'Firmware releases' },
  { to: paths.catalogue(), label: 'Product catalogue' },
  { to: paths.vendorAuditLog(), label: 'Audit log' },
]

/** The strip under the bar on the screens of Device Management. */
export const deviceManagement: readonly Entry[] = [
  { to: paths.deviceManagement(), label: 'Overview', end: true },
  { to: paths.devices(), label: 'Devices' },
  { to: paths.zones(), label: 'Zones' },
  { to: paths.applyConfig(), label: 'Configure' },
  { to: paths.manageFirmware(), label: 'Firmware' },
  { to: paths.rollouts(), label: 'Rollouts' },
  { to: paths.createConfiguration(), label: 'Builder' },
  { to: paths.library(), label: 'Library' },
  { to: paths.auditLog(), label: 'Audit Log' },
]

type Find = (path: string) => ScreenHandle | null

/** The entries whose screen the person may be led to. */
export const offered = (entries: readonly Entry[], find: Find): Entry[] => entries.filter(({ to }) => find(to) !== null)

/** Of these the ones whose screen is built. */
export const built = (entries: readonly Entry[], find: Find): Entry[] => offered(entries, find).filter(({ to }) => !find(to)?.upcoming)

/** Whether a path belongs to Device Management. */
export const isDeviceManagement = (path: string): boolean => /^\/codedm(\/|$)/.test(path)
