import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { serverForFile, startServer } from '../testing/server.ts'

const server = await serverForFile()

/** A person of two organizations, with other permissions in each. */
async function personOfTwo() {
  const [first, second] = [await server.organization(), await server.organization()]
  const person = await server.person({ organization: first, permissions: ['manage:cfg', 'manage:people'] })
  await server.join(person.userId, second, ['access:audit_log', 'manage:people'])
  const naming = (organization: string) => ({ 'lectern-organization': organization })
  return { first, second, person, naming }
}

test('[PPL-02 PER-01] the organization joined first is active, with its name, role and permissions', async () => {
  const { first, second, person } = await personOfTwo()
  expect((await person.call('getCurrentUser')).body).toMatchObject({
    organizationId: [first.id, second.id],
    organizations: [
      { id: first.id, name: first.name, role: { name: 'manage:cfg, manage:people' } },
      { id: second.id, name: second.name, role: { name: 'access:audit_log, manage:people' } },
    ],
    permissions: ['manage:cfg', 'manage:people'],
    group: { gid: first.groupId },
  })
})

test('[PPL-02] a call names its organization in its header: two tabs work in two organizations', async () => {
  const { first, second, person, naming } = await personOfTwo()
  for (const [active, other, permissions] of [
    [first, second, ['manage:cfg', 'manage:people']],
    [second, first, ['access:audit_log', 'manage:people']],
  ] as const) {
    const headers = naming(active.id)
    expect((await person.call('getCurrentUser', {}, headers)).body).toMatchObject({
      organizationId: [active.id, other.id],
      permissions,
      group: { gid: active.groupId },
    })
    const { gid } = (await person.call('createGroup', { body: { name: 'Made here' } }, headers)).body
    expect((await person.call('listGroups', {}, headers)).body.map((group) => group.gid)).toEqual([active.groupId, gid])
    expect((await person.call('getGroup', { params: { id: gid } }, headers)).status).toBe(200)
    expect((await person.call('getGroup', { params: { id: gid } }, naming(other.id))).status).toBe(404)
    expect((await person.call('listRegistrationTasks', {}, headers)).status).toBe(200)
  }
})

test('[PPL-02] a header that names an unknown or a foreign organization is refused alike; a path counts before it', async () => {
  const { first, person, naming } = await personOfTwo()
  const foreign = await server.organization()
  for (const id of [foreign.id, uuidv7(), '', 'x'])
    expect((await person.call('listGroups', {}, naming(id))).problem).toMatchObject({
      status: 404,
      detail: 'There is no such organization.',
    })
  const params = { organizationId: first.id }
  expect((await person.call('listZones', { params }, naming(foreign.id))).status).toBe(200)
})

test('[PPL-02] the preference decides where no header does, and is one of their own organizations', async () => {
  const { first, second, person, naming } = await personOfTwo()
  const prefer = (organizationId: string) => person.call('setActiveOrganization', { body: { organizationId } })
  const { status, body } = await prefer(second.id)
  expect([status, body.organizationId, body.permissions]).toEqual([200, [second.id, first.id], ['access:audit_log', 'manage:people']])
  expect((await person.call('getCurrentUser')).body).toEqual(body)
  expect((await person.call('getCurrentUser', {}, naming(first.id))).body.organizationId).toEqual([first.id, second.id])
  for (const id of [(await server.organization()).id, uuidv7()])
    expect((await prefer(id)).problem).toMatchObject({ status: 404, detail: 'There is no such organization.' })
  await person.call('leaveOrganization', { params: { organizationId: second.id } })
  expect((await person.call('getCurrentUser')).body).toMatchObject({
    organizationId: [first.id],
    permissions: ['manage:cfg', 'manage:people'],
  })
})

test('[PPL-01] with ORGANIZATION_PERMISSIONS=token the token decides, and roles are read-only', async () => {
  const portal = await startServer({ environment: { ORGANIZATION_PERMISSIONS: 'token' } })
  onTestFinished(portal.stop)
  const organization = await portal.organization()
  const params = { organizationId: organization.id }
  const { subject, userId } = await portal.person({ organization })
  const as = async (...permissions: string[]) => {
    const token = await portal.issuer.token(subject, { permissions })
    return <N extends Parameters<typeof portal.call>[0]>(name: N, args = {}) => portal.call(name, args, { token })
  }
  const clerk = await as('manage:people', 'manage:firmware')
  expect((await clerk('createZone', { params: { ...params, location: 'A' } })).status).toBe(200)
  expect((await clerk('getCurrentUser')).body).toMatchObject({
    permissions: ['manage:people', 'manage:firmware'],
    organizations: [{ id: organization.id, role: null }],
  })
  expect((await clerk('listRoles', { params })).body).toMatchObject({ areReadOnly: true })
  const other = await portal.person({ organization })
  const readOnly = { status: 409, detail: 'Roles are managed at the identity provider.' }
  const change = { params: { ...params, memberId: other.userId }, body: { roleId: 'viewer' } }
  expect((await clerk('changeMemberRole', change)).problem).toMatchObject(readOnly)
  expect((await clerk('createRole', { params, body: { name: 'Mine', permissions: [] } })).problem).toMatchObject(readOnly)
  expect((await clerk('removeMember', { params: { ...params, memberId: other.userId } })).status).toBe(204)
  expect((await (await as())('removeMember', { params: { ...params, memberId: userId } })).status).toBe(403)
})
