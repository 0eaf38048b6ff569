import { customerPermissions, type Permission } from '@lectern/contract/http/permissions.ts'

export type CustomerPermission = Exclude<Permission, `global:${string}`>

interface Words {
  label: string
  about: string
  // Of a role that is limited to zones.
  aboutInZones?: string
  /** The specification names it, and lets every member do what it says (spec §6). */
  hasNoEffect?: true
}

const noEffect = (label: string, members: string): Words => ({
  label,
  about: `Has no effect: every member ${members}.`,
  hasNoEffect: true,
})

export const permissionWords: Record<CustomerPermission, Words> = {
  'manage:cfg': {
    label: 'Publish configurations',
    about:
      'Publish configurations to zones; start, move, halt, resume, retry and roll them back. Choose the products of groups; change configs.',
    aboutInZones: 'Publish configurations to its zones; start, move, halt, resume, retry and roll them back.',
  },
  'manage:firmware': {
    label: 'Publish firmware, manage zones',
    about:
      'Publish firmware to zones; create, note and delete zones; remove host PCs and readers; register readers. Choose the products of groups.',
    aboutInZones: 'Publish firmware to its zones; note and delete them; remove their host PCs and readers.',
  },
  'access:audit_log': { label: 'Read the audit log', about: 'See who changed what, and when.' },
  'manage:cfg-lib': {
    label: 'Manage the library',
    about: 'Change, delete and restore the saved configurations of others. Every member does so with their own.',
  },
  'manage:people': {
    label: 'Manage people',
    about:
      'Invite people, give them roles and groups, remove them. They grant only what they have themselves. Add and rename groups, and choose their products. Set maintenance windows and blocked days. Give and take tags that roles are limited to.',
  },
  'manage:licences': {
    label: 'Manage licences',
    about: 'Create licences, read their numbers and files, and revoke them. A licence number enrolls host PCs.',
  },
  'access:analytics': noEffect('See the graphs', 'sees the graphs under Data'),
  'manage:locations': noEffect('Manage locations', 'sees the zones; who publishes firmware manages them'),
  'access:device-dashboard': noEffect('See the device dashboard', 'sees all readers'),
}

// What has an effect first.
export const orderedPermissions: readonly CustomerPermission[] = (customerPermissions as readonly CustomerPermission[]).toSorted(
  (one, other) => Number(permissionWords[one].hasNoEffect ?? false) - Number(permissionWords[other].hasNoEffect ?? false),
)

export const describePermission = (permission: CustomerPermission, isLimited: boolean): string =>
  (isLimited && permissionWords[permission].aboutInZones) || permissionWords[permission].about

/** What the permissions let a member do beyond what every member may. */
export function listEffects(permissions: readonly string[], isLimited = false): string[] {
  return orderedPermissions
    .filter((permission) => permissions.includes(permission) && !permissionWords[permission].hasNoEffect)
    .map((permission) => describePermission(permission, isLimited))
}

export const everyMember =
  'Every member sees zones, readers, rollouts and the graphs, saves configurations in the library and asks for support.'

export const limitedMember =
  'It is limited to zones: you see those, their readers and rollouts, the library and the products, and nothing of the whole organization.'

export const nothingMore = 'Nothing more than every member.'
