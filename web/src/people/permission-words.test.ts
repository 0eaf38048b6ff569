import { endpoints } from '@lectern/contract/endpoints.ts'
import type { Endpoint } from '@lectern/contract/http/endpoint.ts'
import { expect, test } from 'vitest'
import { describePermission, offeredPermissions } from './permission-words.ts'

/** The words that tell of each write which needs a permission. */
const told: Record<string, Record<string, string>> = {
  'manage:cfg': {
    publishCfg: 'Publish configurations',
    publishCodeRules: 'Publish configurations',
    publishLibraryVersion: 'Publish configurations',
    uploadScript: 'Publish configurations',
    reapplyConfiguration: 'apply them to readers again',
    createDeskRecord: 'Set readers up at a desk',
    withdrawDeskRecord: 'withdraw their records',
    setGroupProducts: 'Choose the products of groups',
    createConfig: 'change configs',
    editConfig: 'change configs',
    deleteConfig: 'change configs',
  },
  'manage:firmware': {
    publishFirmwareVersion: 'Publish firmware',
    publishFirmwareFile: 'Publish firmware',
    uploadFirmware: 'Publish firmware',
    createZone: 'create',
    setZoneNote: 'note',
    tagZones: 'tag',
    deleteZone: 'delete',
    removeHost: 'remove',
    deleteDevice: 'readers',
    reapplyFirmware: 'apply firmware to readers again',
    createReader: 'register readers',
    updateReader: 'register readers',
    deleteReader: 'register readers',
    setGroupProducts: 'Choose the products of groups',
  },
  'manage:licences': { createLicence: 'Create licences', generateLicence: 'Create licences', revokeLicence: 'revoke them' },
  'manage:people': {
    createInvitation: 'Invite people',
    resendInvitation: 'Invite people',
    revokeInvitation: 'Invite people',
    createRole: 'give them roles',
    updateRole: 'give them roles',
    deleteRole: 'give them roles',
    changeMemberRole: 'give them roles',
    changeMemberGroup: 'groups',
    removeMember: 'remove them',
    confirmRecovery: 'confirm that they recover their account',
    refuseRecovery: 'confirm that they recover their account',
    setSignInRule: 'require passkeys',
    createGroup: 'Add and rename groups',
    renameGroup: 'Add and rename groups',
    setGroupProducts: 'choose their products',
    setSchedule: 'Set maintenance windows and blocked days',
    setZoneSchedule: 'Set maintenance windows and blocked days',
    setPublishingDefaults: 'the limits and phases that rollouts begin with',
  },
}

const writes = Object.entries<Endpoint>(endpoints).flatMap(([name, { method, access, limitedRole }]) => {
  if (method === 'GET' || typeof access !== 'object') return []
  const permissions = 'organization' in access ? access.organization : 'oneOf' in access ? access.oneOf : []
  return permissions
    .filter((permission) => offeredPermissions.some((one) => one === permission))
    .map((permission) => ({ name, permission: permission as (typeof offeredPermissions)[number], inZones: limitedRole !== undefined }))
})

test('the words of a permission tell of every write that needs it, for a role limited to zones of those it has', () => {
  expect(writes.length).toBeGreaterThan(40)
  for (const { name, permission, inZones } of writes)
    for (const isLimited of inZones ? [false, true] : [false])
      expect(describePermission(permission, isLimited), `${name} needs ${permission}`).toContain(
        told[permission]?.[name] ?? `${name} in the list here`,
      )
})
