import type { Permission } from '@lectern/contract/http/permissions.ts'

interface Words {
  about: string
  // Words for a role that is limited to zones.
  aboutInZones?: string
}

/**
 * In the order of the form. Permissions that the specification names but that permit nothing beyond what every member may (spec §6) are not
 * offered.
 */
const permissionWords = {
  'manage:cfg': {
    about:
      'Publish configurations to zones; start, move, halt, resume, retry and roll them back; apply them to readers again. Set readers up at a desk, and withdraw their records. Choose the products of groups; change configs.',
    aboutInZones:
      'Publish configurations to its zones; start, move, halt, resume, retry and roll them back; apply them to readers again. Set readers up at a desk.',
  },
  'manage:firmware': {
    about:
      'Publish firmware to zones; create, note, tag and delete zones; remove host PCs and readers; apply firmware to readers again; register readers. Choose the products of groups.',
    aboutInZones:
      'Publish firmware to its zones; note, tag and delete them; remove their host PCs and readers; apply firmware to readers again.',
  },
  'manage:cfg-lib': { about: 'Change, delete and restore the saved configurations of others. Every member does so with their own.' },
  'manage:licences': { about: 'Create licences, read their numbers and files, and revoke them. A licence number enrolls host PCs.' },
  'access:audit_log': { about: 'See who changed what, and when.' },
  'manage:people': {
    about:
      'Invite people, give them roles and groups, remove them; confirm that they recover their account; require passkeys. They grant only what they have themselves, and change only whoever may do no more. Add and rename groups, and choose their products. Set maintenance windows and blocked days, on which nothing is updated anywhere, and the limits and phases that rollouts begin with. Give and take tags that roles are limited to.',
  },
} satisfies Partial<Record<Permission, Words>>

type OfferedPermission = keyof typeof permissionWords
export const offeredPermissions = Object.keys(permissionWords) as OfferedPermission[]

export function describePermission(permission: OfferedPermission, isLimited: boolean): string {
  const { about, aboutInZones }: Words = permissionWords[permission]
  return (isLimited && aboutInZones) || about
}

/** What the permissions let a member do beyond what every member may. */
export const listEffects = (permissions: readonly string[], isLimited = false): string[] =>
  offeredPermissions.filter((one) => permissions.includes(one)).map((one) => describePermission(one, isLimited))

export const everyMember =
  'Every member sees zones, readers, rollouts and the graphs, saves configurations in the library and asks for support.'

export const limitedMember =
  'It is limited to zones: you see those, their readers and rollouts, the library and the products, and nothing of the whole organization.'

export const nothingMore = 'Nothing more than every member.'
