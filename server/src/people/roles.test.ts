import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

async function organizationWithManager() {
  const organization = await server.organization()
  const { call } = await server.person({ organization, permissions: customerPermissions })
  const params = { organizationId: organization.id }
  const create = (name: string, permissions: readonly string[] = []) => call('createRole', { params, body: { name, permissions } })
  return { organization, params, call, create }
}

test('[PPL-04] Viewer, Operator, Manager and Auditor are there, with how many have them', async () => {
  const { organization, params, call } = await organizationWithManager()
  await server.person({ organization })
  expect((await call('listRoles', { params })).body).toEqual({
    areReadOnly: false,
    roleList: [
      { roleId: 'viewer', name: 'Viewer', permissions: [], isBuiltIn: true, members: 1 },
      {
        roleId: 'operator',
        name: 'Operator',
        permissions: ['manage:cfg', 'manage:firmware', 'manage:cfg-lib'],
        isBuiltIn: true,
        members: 0,
      },
      { roleId: 'manager', name: 'Manager', permissions: [...customerPermissions], isBuiltIn: true, members: 1 },
      { roleId: 'auditor', name: 'Auditor', permissions: ['access:audit_log', 'access:analytics'], isBuiltIn: true, members: 0 },
    ],
  })
})

test('[PPL-04] a role of one’s own permits what it lists, for all who have it, also once it is changed', async () => {
  const { organization, params, call, create } = await organizationWithManager()
  const { body: role } = await create('  Night shift ', ['manage:firmware', 'manage:cfg', 'manage:cfg'])
  expect(role).toEqual({
    roleId: expect.any(String),
    name: 'Night shift',
    permissions: ['manage:cfg', 'manage:firmware'],
    isBuiltIn: false,
    members: 0,
  })
  const { userId, call: act } = await server.person({ organization })
  const zone = async (location: string) => (await act('createZone', { params: { ...params, location } })).status
  expect(await zone('A')).toBe(403)
  await call('changeMemberRole', { params: { ...params, memberId: userId }, body: { roleId: role.roleId } })
  expect(await zone('A')).toBe(200)
  const changed = await call('updateRole', {
    params: { ...params, roleId: role.roleId },
    body: { name: 'Readers', permissions: ['manage:cfg'] },
  })
  expect(changed.body).toEqual({ roleId: role.roleId, name: 'Readers', permissions: ['manage:cfg'], isBuiltIn: false, members: 1 })
  expect(await zone('B')).toBe(403)
  expect((await act('getCurrentUser')).body.organizations?.[0]?.role).toEqual({ roleId: role.roleId, name: 'Readers' })
})

test('[PPL-06] of two who edit a role at once the later is refused: a permission that was taken does not come back', async () => {
  const { organization, params, call, create } = await organizationWithManager()
  const other = await server.person({ organization, permissions: customerPermissions })
  const zone = await server.zone('Ward', organization)
  await call('tagZones', { params, body: { zones: [zone.id], add: ['icu', 'ward'], remove: [] } })
  const { roleId } = (await create('Night shift', ['manage:firmware', 'manage:cfg'])).body
  const read = () => call('getRole', { params: { ...params, roleId } })
  const save = (by: typeof call, body: object, tag: string | null) =>
    by('updateRole', { params: { ...params, roleId }, body } as Parameters<typeof call<'updateRole'>>[1], { 'if-match': tag ?? '' })
  const first = (await read()).headers.get('etag')
  const narrowed = { name: 'Night shift', permissions: ['manage:cfg'], zones: [zone.id], tags: ['icu'] }
  expect((await save(call, narrowed, first)).status).toBe(200)
  const late = await save(other.call, { name: 'Nights', permissions: ['manage:firmware', 'manage:cfg'] }, first)
  expect([late.status, late.problem.detail]).toEqual([
    412,
    'Another user has changed this. Nothing was saved. Read it again and repeat your change.',
  ])
  const { body, headers } = await read()
  expect(body).toMatchObject({ name: 'Night shift', permissions: ['manage:cfg'], zones: [{ id: zone.id }], tags: ['icu'] })
  // Each part counts.
  for (const change of [{ tags: ['ward'] }, { zones: [] }, { permissions: [] }, { name: 'Nights' }]) {
    const tag = (await read()).headers.get('etag')
    expect((await save(call, { ...narrowed, ...change }, tag)).status).toBe(200)
    expect((await save(other.call, narrowed, tag)).status).toBe(412)
    expect((await save(call, narrowed, null)).status).toBe(400)
    expect((await save(call, narrowed, '*')).status).toBe(200)
  }
  expect((await read()).headers.get('etag')).toBe(headers.get('etag'))
})

test('a role is read alone as in the list; one of another organization is not there', async () => {
  const { params, call, create } = await organizationWithManager()
  const { roleId } = (await create('Night shift', ['manage:cfg'])).body
  const { roleList } = (await call('listRoles', { params })).body
  const read = (id: string) => call('getRole', { params: { ...params, roleId: id } })
  for (const id of [roleId, 'manager']) expect((await read(id)).body).toEqual(roleList.find((role) => role.roleId === id))
  const foreign = (await (await organizationWithManager()).create('Night shift')).body.roleId
  for (const id of [foreign, uuidv7(), 'x'])
    expect((await read(id)).problem).toMatchObject({ status: 404, detail: 'There is no such role.' })
})

test('[PPL-04] its name is unique in the organization, in any case, also among those built in', async () => {
  const { params, call, create } = await organizationWithManager()
  const { roleId } = (await create('Night shift')).body
  for (const name of ['night SHIFT', 'Manager', 'viewer'])
    expect((await create(name)).problem).toMatchObject({
      status: 409,
      detail: `There is a role ${name} already.`,
      errors: [{ field: 'name' }],
    })
  const other = (await create('Day shift')).body
  const rename = (name: string) => call('updateRole', { params: { ...params, roleId: other.roleId }, body: { name, permissions: [] } })
  expect((await rename('Night shift')).status).toBe(409)
  expect((await rename('DAY shift')).status).toBe(200)
  expect((await (await organizationWithManager()).create('Night shift')).body.roleId).not.toBe(roleId)
  expect((await create(' ')).problem.detail).toBe('name must not be empty')
})

test('[PPL-04] it is deleted when nobody has it and no invitation names it', async () => {
  const { organization, params, call, create } = await organizationWithManager()
  const { roleId } = (await create('Night shift')).body
  const remove = () => call('deleteRole', { params: { ...params, roleId } })
  const { userId } = await server.person({ organization })
  const give = (id: string) => call('changeMemberRole', { params: { ...params, memberId: userId }, body: { roleId: id } })
  await give(roleId)
  expect((await remove()).problem).toMatchObject({
    status: 409,
    detail: '1 member has the role Night shift. Give them another role first.',
  })
  await give('viewer')
  const body = { email: 'guest@people.example', roleId, groupId: organization.groupId }
  const { invitationId } = (await call('createInvitation', { params, body })).body
  expect((await remove()).problem).toMatchObject({ status: 409, detail: '1 invitation names the role Night shift. Revoke it first.' })
  await call('revokeInvitation', { params: { ...params, invitationId } })
  expect((await remove()).status).toBe(204)
  expect((await remove()).problem).toMatchObject({ status: 404, detail: 'There is no such role.' })
})

test('[PPL-04] a role that is deleted while it is given: one of both', async () => {
  for (let round = 0; round < 4; round++) {
    const { organization, params, call, create } = await organizationWithManager()
    const { roleId } = (await create('Night shift')).body
    const { userId } = await server.person({ organization })
    const answers = await Promise.all([
      call('deleteRole', { params: { ...params, roleId } }),
      call('changeMemberRole', { params: { ...params, memberId: userId }, body: { roleId } }),
    ])
    expect([
      [204, 400],
      [409, 200],
    ]).toContainEqual(answers.map(({ status }) => status))
  }
})

test('[PPL-04] a built-in role, and one of another organization, stay as they are', async () => {
  const { params, call } = await organizationWithManager()
  const foreign = (await (await organizationWithManager()).create('Night shift')).body.roleId
  const change = (roleId: string) => call('updateRole', { params: { ...params, roleId }, body: { name: 'Mine', permissions: [] } })
  const remove = (roleId: string) => call('deleteRole', { params: { ...params, roleId } })
  for (const act of [change, remove]) {
    expect((await act('manager')).problem).toMatchObject({ status: 409, detail: 'Manager is built in and stays as it is.' })
    for (const roleId of [foreign, uuidv7(), 'x'])
      expect((await act(roleId)).problem).toMatchObject({ status: 404, detail: 'There is no such role.' })
  }
})
