import type { Permission } from '../http/permissions.ts'

/** Permissions as people read them, in the form of a role and in sentences. */
export const permissionLabels: Record<Permission, string> = {
  'manage:cfg': 'Publish configurations',
  'manage:firmware': 'Publish firmware, manage zones',
  'manage:cfg-lib': 'Manage the library',
  'manage:locations': 'Manage locations',
  'manage:licences': 'Manage licences',
  'access:audit_log': 'Read the audit log',
  'access:analytics': 'See the graphs',
  'access:device-dashboard': 'See the device dashboard',
  'manage:people': 'Manage people',
  'global:access:organizations': 'See all organizations',
  'global:access:analytics': 'See the graphs of all organizations',
}

/** “Publish configurations”, “Manage people”. Quoted, as a label may have a comma. */
export const quotePermissions = (permissions: readonly string[], last = ', '): string => {
  const labels = permissions.map((permission) => `“${permissionLabels[permission as Permission] ?? permission}”`)
  return labels.length < 2 ? labels.join('') : `${labels.slice(0, -1).join(', ')}${last}${labels.at(-1)}`
}
