import { randomUUID } from 'node:crypto'
import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { describe, expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

async function organizationWithClerk() {
  const organization = await server.organization()
  const params = { organizationId: organization.id }
  const manager = await server.person({ organization, permissions: customerPermissions })
  const createRole = async (name: string, permissions: readonly string[]) =>
    (await manager.call('createRole', { params, body: { name, permissions } })).body.roleId
  const changeRole = (roleId: string, body: object) =>
    manager.call('updateRole', { params: { ...params, roleId }, body: { name: 'Clerks', permissions: [], ...body } })
  const clerks = await createRole('Clerks', ['manage:people', 'manage:cfg', 'manage:firmware', 'manage:cfg-lib'])
  const clerk = await server.person({ organization })
  await manager.call('changeMemberRole', { params: { ...params, memberId: clerk.userId }, body: { roleId: clerks } })
  const invite = async (name: string, roleId: string, by = clerk) => {
    const email = `${name}-${randomUUID()}@guests.example`
    const body = { email, roleId, groupId: organization.groupId }
    const link = (await by.call('createInvitation', { params, body })).body.link!
    return { email, invitation: /invitation=(\S+)/.exec(link)![1]! }
  }
  const names = async () =>
    (await manager.call('listInvitations', { params })).body.invitationList.map(({ email }) => email.split('-')[0]).sort()
  const join = async ({ email, invitation }: { email: string; invitation: string }) =>
    (await server.person({ email })).call('joinGroup', { params: { id: organization.groupId }, body: { invitation } })
  const lastChange = async () => (await manager.call('listAuditEntries', { params, query: { PageSize: 1 } })).body.entryList[0]?.newValue
  return { organization, params, manager, createRole, changeRole, clerks, clerk, invite, names, join, lastChange }
}

describe('open invitations are taken back which their inviter could not give by now', () => {
  test('[PPL-06] when a role may not manage people any more: all of its members’, and nobody else’s', async () => {
    const { manager, changeRole, clerks, invite, names, join, lastChange } = await organizationWithClerk()
    const own = await invite('clerk', 'viewer')
    await invite('manager', 'operator', manager)
    await changeRole(clerks, { permissions: ['manage:cfg', 'manage:firmware', 'manage:cfg-lib'] })
    expect(await names()).toEqual(['manager'])
    expect(await lastChange()).toBe(
      '“Publish configurations”, “Publish firmware, manage zones”, “Manage the library”, 1 invitation taken back',
    )
    expect((await join(own)).problem).toMatchObject({ status: 410, detail: expect.stringContaining('taken back') })
  })

  test('[PPL-06] when their role has less than the one that is given; what it still has stays', async () => {
    const { changeRole, clerks, invite, names, lastChange } = await organizationWithClerk()
    await invite('operator', 'operator')
    await invite('viewer', 'viewer')
    await changeRole(clerks, { permissions: ['manage:people', 'manage:cfg'] })
    expect(await names()).toEqual(['viewer'])
    await changeRole(clerks, { permissions: ['manage:people'] })
    expect([await names(), await lastChange()]).toEqual([['viewer'], '“Manage people”'])
  })

  test('[PPL-06] when the role that is given gets more than they have', async () => {
    const { createRole, changeRole, invite, names, join } = await organizationWithClerk()
    const helpers = await createRole('Helpers', [])
    const helper = await invite('helper', helpers)
    await invite('viewer', 'viewer')
    await changeRole(helpers, { name: 'Helpers', permissions: ['access:audit_log'] })
    expect(await names()).toEqual(['viewer'])
    expect((await join(helper)).status).toBe(410)
  })

  test('[PPL-06] when they get another role that has less', async () => {
    const { params, manager, createRole, clerk, invite, names } = await organizationWithClerk()
    const roleId = await createRole('Small', ['manage:people'])
    await invite('operator', 'operator')
    await invite('viewer', 'viewer')
    await manager.call('changeMemberRole', { params: { ...params, memberId: clerk.userId }, body: { roleId } })
    expect(await names()).toEqual(['viewer'])
  })
})
