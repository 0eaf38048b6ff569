import { randomUUID, scryptSync } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import type { TestServer } from '../server.ts'

/** A request whose code is 123456. */
export const knownRequest = {
  browser: 'a browser',
  code_hash: scryptSync('123456', 'a browser', 32).toString('base64url'),
  address: '203.0.113.7',
  agent: 'Firefox on Windows',
}

/** Each function prepares its call and returns the function that makes it. */
export function peopleWrites(server: TestServer) {
  async function withPeople() {
    const organization = await server.organization()
    const manager = await server.person({ organization, permissions: ['manage:people', 'manage:cfg', 'manage:firmware', 'manage:cfg-lib'] })
    const member = await server.person({ organization })
    const params = { organizationId: organization.id, memberId: member.userId }
    return { organization, manager, member, params }
  }
  async function withInvitation() {
    const { organization, manager } = await withPeople()
    const body = { email: `${randomUUID()}@people.example`, roleId: 'viewer', groupId: organization.groupId }
    const { invitationId } = (await manager.call('createInvitation', { params: { organizationId: organization.id }, body })).body
    return { manager, params: { organizationId: organization.id, invitationId } }
  }
  async function withRole() {
    const { organization, manager } = await withPeople()
    const params = { organizationId: organization.id }
    const { roleId } = (await manager.call('createRole', { params, body: { name: 'Clerk', permissions: ['manage:people'] } })).body
    return { manager, params: { ...params, roleId } }
  }
  async function withRecovery() {
    const { organization, manager, member } = await withPeople()
    const row = { organization_id: organization.key, id: uuidv7(), user_id: member.userId, ...knownRequest }
    const expires_at = new Date(Date.now() + 3_600_000)
    await server.app.db
      .insertInto('passkey_recovery')
      .values({ ...row, expires_at })
      .execute()
    return { manager, params: { organizationId: organization.id, recoveryId: row.id } }
  }
  return {
    setSignInRule: async () => {
      const { organization, manager, params } = await withPeople()
      await server.app.db.updateTable('organization').set({ requires_passkeys: true }).where('id', '=', organization.key).execute()
      const token = await server.issuer.token(manager.subject, { amr: ['pop'] })
      return () => server.call('setSignInRule', { params, body: { requiresPasskeys: false } }, { token })
    },
    confirmRecovery: async () => {
      const { manager, params } = await withRecovery()
      return () => manager.call('confirmRecovery', { params, body: { code: '123456' } })
    },
    refuseRecovery: async () => {
      const { manager, params } = await withRecovery()
      return () => manager.call('refuseRecovery', { params })
    },
    setActiveOrganization: async () => {
      const { organization, member } = await withPeople()
      return () => member.call('setActiveOrganization', { body: { organizationId: organization.id } })
    },
    changeMemberRole: async () => {
      const { manager, params } = await withPeople()
      return () => manager.call('changeMemberRole', { params, body: { roleId: 'operator' } })
    },
    changeMemberGroup: async () => {
      const { manager, params } = await withPeople()
      const { gid } = (await manager.call('createGroup', { body: { name: 'Other' } })).body
      return () => manager.call('changeMemberGroup', { params, body: { groupId: gid } })
    },
    removeMember: async () => {
      const { manager, params } = await withPeople()
      return () => manager.call('removeMember', { params })
    },
    leaveOrganization: async () => {
      const { member, params } = await withPeople()
      return () => member.call('leaveOrganization', { params })
    },
    createInvitation: async () => {
      const { organization, manager, params } = await withPeople()
      const body = { email: `${randomUUID()}@people.example`, roleId: 'viewer', groupId: organization.groupId }
      return () => manager.call('createInvitation', { params, body })
    },
    resendInvitation: async () => {
      const { manager, params } = await withInvitation()
      return () => manager.call('resendInvitation', { params })
    },
    revokeInvitation: async () => {
      const { manager, params } = await withInvitation()
      return () => manager.call('revokeInvitation', { params })
    },
    createRole: async () => {
      const { manager, params } = await withPeople()
      return () => manager.call('createRole', { params, body: { name: 'Clerk', permissions: ['manage:people'] } })
    },
    updateRole: async () => {
      const { manager, params } = await withRole()
      return () => manager.call('updateRole', { params, body: { name: 'Clerk', permissions: [] } })
    },
    deleteRole: async () => {
      const { manager, params } = await withRole()
      return () => manager.call('deleteRole', { params })
    },
  }
}
