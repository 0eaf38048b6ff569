import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

async function withZones(...names: string[]) {
  const organization = await server.organization()
  const params = { organizationId: organization.id }
  const manager = await server.person({ organization, permissions: customerPermissions })
  const zones = []
  for (const location of names) zones.push((await manager.call('createZone', { params: { ...params, location } })).body)
  const create = (body: object) => manager.call('createRole', { params, body: { name: 'Ward', permissions: ['manage:firmware'], ...body } })
  const list = async () => (await manager.call('listRoles', { params })).body.roleList.filter(({ isBuiltIn }) => !isBuiltIn)
  const log = async () => (await manager.call('listAuditEntries', { params, query: { PageSize: 10 } })).body.entryList
  return { organization, params, manager, zones, create, list, log }
}

test('[PPL-04] a role is limited to the zones that it names, until it is changed', async () => {
  const { params, manager, zones, create, list, log } = await withZones('B', 'A', 'C')
  const [b, a] = zones.map(({ id, name }) => ({ id, name }))
  const created = await create({ zones: [b!.id, a!.id, b!.id] })
  expect(created.body).toMatchObject({ name: 'Ward', zones: [a, b] })
  expect((await log())[0]).toMatchObject({
    changeType: 'createRole',
    newValue: '“Publish firmware, manage zones”, limited to 2 zones (A, B)',
  })
  const change = (body: object) =>
    manager.call('updateRole', { params: { ...params, roleId: created.body.roleId }, body: { name: 'Ward', permissions: [], ...body } })
  expect((await change({})).body.zones).toEqual([a, b])
  expect((await change({ zones: [b!.id] })).body.zones).toEqual([b])
  expect((await list())[0]).toMatchObject({ zones: [b] })
  expect((await change({ zones: null })).body).not.toHaveProperty('zones')
  expect((await list())[0]).not.toHaveProperty('zones')
  expect((await create({ name: 'Everywhere' })).body).not.toHaveProperty('zones')
})

test('[PPL-04] it names zones of its organization, at least one, and no permission that is of the whole organization', async () => {
  const { zones, create, list } = await withZones('A')
  const other = await withZones('B')
  const gone = 'One of the zones is no longer there. Choose again.'
  for (const id of [uuidv7(), other.zones[0]!.id])
    expect((await create({ zones: [zones[0]!.id, id] })).problem).toMatchObject({
      status: 400,
      errors: [{ field: 'zones', message: gone }],
    })
  expect((await create({ zones: [] })).problem).toMatchObject({ status: 400, detail: 'Choose at least one zone or tag.' })
  for (const [permission, label] of [
    ['manage:people', 'Manage people'],
    ['manage:licences', 'Manage licences'],
    ['access:analytics', 'See the graphs'],
  ] as const) {
    const message = `A role that is limited to zones cannot have “${label}”.`
    const { problem } = await create({ zones: [zones[0]!.id], permissions: ['manage:cfg', permission] })
    expect(problem).toMatchObject({ status: 400, errors: [{ field: 'permissions', message }] })
  }
  expect(await list()).toEqual([])
})

test('[PPL-04] of a zone that is deleted the role keeps nothing, and of the last one it sees none, not all', async () => {
  const { organization, params, manager, zones, list } = await withZones('A', 'B', 'C')
  const person = await server.limitedPerson(organization, zones.slice(0, 2), ['manage:firmware'])
  const names = async () => (await person.call('listZones', { params })).body.map(({ name }) => name)
  expect(await names()).toEqual(['A', 'B'])
  // What is theirs they may delete as well.
  expect((await person.call('deleteZone', { params: { ...params, location: zones[0]!.id } })).status).toBe(204)
  expect(await names()).toEqual(['B'])
  await manager.call('deleteZone', { params: { ...params, location: zones[1]!.id } })
  expect(await names()).toEqual([])
  expect((await list())[0]).toMatchObject({ zones: [] })
  expect((await person.call('getDeviceTotals', { params })).body.allDevices).toBe(0)
  expect((await person.call('getCurrentUser')).body).toMatchObject({ isLimitedToZones: true, permissions: ['manage:firmware'] })
})

test('[PPL-04] a change of the zones holds with the next call', async () => {
  const { organization, params, zones } = await withZones('A', 'B')
  const person = await server.limitedPerson(organization, zones.slice(0, 1), [])
  const names = async () => (await person.call('listZones', { params })).body.map(({ name }) => name)
  expect(await names()).toEqual(['A'])
  const body = { name: 'Other', permissions: [], zones: [zones[1]!.id] }
  await person.manager.call('updateRole', { params: { ...params, roleId: person.roleId }, body })
  expect(await names()).toEqual(['B'])
  await person.manager.call('changeMemberRole', { params: { ...params, memberId: person.userId }, body: { roleId: 'viewer' } })
  expect(await names()).toEqual(['A', 'B'])
})

test('[PPL-04 PPL-06] whose role is limited grants nothing: not even where it had a permission to manage people', async () => {
  const { organization, params, zones } = await withZones('A')
  const person = await server.limitedPerson(organization, zones, ['manage:cfg'])
  // As no call can write it.
  await server.app.db
    .updateTable('role')
    .set({ permissions: [...customerPermissions] })
    .where('id', '=', person.roleId)
    .execute()
  const calls = [
    person.call('createRole', { params, body: { name: 'Everything', permissions: [] } }),
    person.call('updateRole', { params: { ...params, roleId: person.roleId }, body: { name: 'Mine', permissions: [], zones: null } }),
    person.call('changeMemberRole', { params: { ...params, memberId: person.userId }, body: { roleId: 'viewer' } }),
    person.call('createInvitation', { params, body: { email: 'b@people.example', roleId: person.roleId, groupId: organization.groupId } }),
  ]
  expect((await Promise.all(calls)).map(({ status }) => status)).toEqual([403, 403, 403, 403])
  expect((await person.call('getCurrentUser')).body.permissions).not.toContain('manage:people')
})

test('[PPL-04] in another organization the same person is not limited; a registry that a call names is that of its organization', async () => {
  const { organization, zones } = await withZones('A')
  const person = await server.limitedPerson(organization, zones, [])
  const other = await server.organization()
  await server.join(person.userId, other, [])
  const list = (customerid: string, active: string) =>
    person.call('listReaders', { params: { customerid, connectstatus: 'all' } }, { 'lectern-organization': active })
  expect((await list(other.id, other.id)).status).toBe(200)
  expect((await list(organization.id, other.id)).status).toBe(403)
  expect((await list(organization.id, organization.id)).status).toBe(403)
})

test('[PPL-04] who joins with such a role is not told the members of the group', async () => {
  const { organization, params, manager, create, zones } = await withZones('A')
  const { roleId } = (await create({ zones: [zones[0]!.id] })).body
  const guest = await server.person()
  const { groupId } = organization
  const { link } = (await manager.call('createInvitation', { params, body: { email: guest.email, roleId, groupId } })).body
  const invitation = new URL(link!).searchParams.get('invitation')
  const joined = await guest.call('joinGroup', { params: { id: groupId }, body: { invitation } })
  expect([joined.status, joined.body.users]).toEqual([200, []])
  expect((await guest.call('listZones', { params })).body).toMatchObject([{ name: 'A' }])
})

test('whoever is invited to a limited role is not asked for the products of the group', async () => {
  const { organization, zones } = await withZones('A')
  const person = await server.limitedPerson(organization, zones, [])
  expect((await person.call('listRegistrationTasks')).body).toEqual(['InitialUserRegistration'])
  expect((await person.manager.call('listRegistrationTasks')).body).toEqual(['InitialUserRegistration', 'SelectProducts'])
})
