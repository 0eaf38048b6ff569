import type { ScreenHandle } from '../lib/screens.ts'
import { paths } from '../paths.ts'

export interface Entry {
  to: string
  label: string
  /** Current on exactly this path only. */
  end?: boolean
}

export const areas: readonly Entry[] = [
  { to: paths.products(), label: 'Products' },
  { to: paths.data(), label: 'Data' },
  { to: paths.deviceManagement(), label: 'Device Management' },
  { to: paths.organizations(), label: 'All Organizations' },
]

/** The menu "More": screens without a route in the specification. */
export const more: readonly Entry[] = [
  { to: paths.people(), label: 'People' },
  { to: paths.licences(), label: 'Licences' },
  { to: paths.readers(), label: 'Registered readers' },
  { to: paths.cases(), label: 'Support' },
  { to: paths.marketing(), label: 'Marketing' },
  { to: paths.releases(), label: 'Firmware releases' },
  { to: paths.catalogue(), label: 'Product catalogue' },
  { to: paths.vendorAuditLog(), label: 'Audit log' },
]

export const deviceManagement: readonly Entry[] = [
  { to: paths.deviceManagement(), label: 'Overview', end: true },
  { to: paths.devices(), label: 'Devices' },
  { to: paths.zones(), label: 'Zones' },
  { to: paths.applyConfig(), label: 'Configure' },
  { to: paths.manageFirmware(), label: 'Firmware' },
  { to: paths.rollouts(), label: 'Rollouts' },
  { to: paths.calendar(), label: 'Calendar' },
  { to: paths.createConfiguration(), label: 'Builder' },
  { to: paths.readConfiguration(), label: 'Read Barcode' },
  { to: paths.setUpReader(), label: 'Set Up Reader' },
  { to: paths.library(), label: 'Library' },
  { to: paths.auditLog(), label: 'Audit Log' },
]

const people: readonly Entry[] = [
  { to: paths.people(), label: 'Members', end: true },
  { to: paths.invitations(), label: 'Invitations' },
  { to: paths.roles(), label: 'Roles' },
  { to: paths.signIn(), label: 'Sign-in' },
]

type Find = (path: string) => ScreenHandle | null

export const offered = (entries: readonly Entry[], find: Find): Entry[] => entries.filter(({ to }) => find(to) !== null)

export const built = (entries: readonly Entry[], find: Find): Entry[] => offered(entries, find).filter(({ to }) => !find(to)?.upcoming)

export const isDeviceManagement = (path: string): boolean => /^\/codedm(\/|$)/.test(path)

/** The screens beside that of the path; null where there are none. */
export function tabsBeside(path: string, find: Find): { label: string; tabs: Entry[] } | null {
  if (isDeviceManagement(path)) return { label: 'Device Management', tabs: built(deviceManagement, find) }
  const tabs = /^\/people(\/|$)/.test(path) ? built(people, find) : []
  return tabs.length > 1 ? { label: 'People', tabs } : null
}
