import { customerPermissions, type Permission } from '@lectern/contract/http/permissions.ts'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/** Zones of an organization, each by its name. */
async function withZones(...names: string[]) {
  const organization = await server.organization()
  const params = { organizationId: organization.id }
  const manager = await server.person({ organization, permissions: customerPermissions })
  const zones: Record<string, string> = {}
  for (const location of names) zones[location] = (await manager.call('createZone', { params: { ...params, location } })).body.id
  const tag = (places: readonly string[], change: { add?: string[]; remove?: string[] }, { call } = manager) =>
    call('tagZones', { params, body: { zones: places.map((place) => zones[place]!), ...change } })
  const limited = (tags: readonly string[], chosen: readonly string[] = [], permissions: readonly Permission[] = ['manage:firmware']) =>
    server.limitedPerson(
      organization,
      chosen.map((place) => ({ id: zones[place]! })),
      permissions,
      tags,
    )
  const seen = async ({ call }: typeof manager) => (await call('listZones', { params })).body.map(({ name }) => name)
  const create = (body: object) => manager.call('createRole', { params, body: { name: 'Ulm', permissions: ['manage:firmware'], ...body } })
  const list = async () => (await manager.call('listRoles', { params })).body.roleList.filter(({ isBuiltIn }) => !isBuiltIn)
  const tags = async () =>
    Object.fromEntries((await manager.call('listZones', { params })).body.map((zone) => [zone.name, (zone.tags ?? []).join()]))
  return { organization, params, manager, zones, tag, limited, seen, create, list, tags }
}

test('[PPL-04] a role limited to tags has every zone that carries one, from the call that gives the tag to the one that takes it', async () => {
  const { params, organization, zones, tag, limited, seen, list } = await withZones('Chosen', 'Ulm 1', 'Ulm 2', 'Bonn')
  const host = await server.host({ id: zones.Bonn!, organization })
  await host.checkIn([reader('B1'), reader('B2')])
  await tag(['Chosen', 'Ulm 1'], { add: ['Ulm'] })
  await tag(['Ulm 2'], { add: ['pilot'] })
  const person = await limited(['ULM', 'pilot'], ['Chosen'])
  const readers = async () => (await person.call('getDeviceTotals', { params })).body.allDevices
  const note = (place: string) => person.call('setZoneNote', { params: { ...params, location: zones[place]! }, body: { note: 'x' } })
  expect([await seen(person), await readers(), (await note('Bonn')).status]).toEqual([['Chosen', 'Ulm 1', 'Ulm 2'], 0, 404])
  expect((await list())[0]).toMatchObject({ zones: [{ name: 'Chosen' }], tags: ['pilot', 'Ulm'], zoneCount: 3 })
  await tag(['Bonn'], { add: ['Pilot'] })
  expect([await seen(person), await readers(), (await note('Bonn')).status]).toEqual([['Bonn', 'Chosen', 'Ulm 1', 'Ulm 2'], 2, 200])
  await tag(['Bonn', 'Ulm 1', 'Chosen'], { remove: ['pilot', 'ulm'] })
  expect([await seen(person), await readers(), (await note('Bonn')).status]).toEqual([['Chosen', 'Ulm 2'], 0, 404])
  expect((await list())[0]).toMatchObject({ tags: ['pilot', 'Ulm'], zoneCount: 2 })
})

test('[PPL-04] of a tag that no zone carries a role sees nothing, not everything, until one carries it again', async () => {
  const { params, manager, zones, tag, limited, seen, list } = await withZones('A', 'B', 'C')
  await tag(['A'], { add: ['Ulm'] })
  const person = await limited(['Ulm'])
  await tag(['A'], { remove: ['Ulm'] })
  expect(await seen(person)).toEqual([])
  expect((await person.call('getDeviceTotals', { params })).body.allDevices).toBe(0)
  expect((await person.call('getCurrentUser')).body).toMatchObject({ isLimitedToZones: true })
  expect((await list())[0]).toMatchObject({ zones: [], tags: ['Ulm'], zoneCount: 0 })
  expect((await manager.call('listTags', { params })).body).toEqual([])
  await tag(['B'], { add: ['ulm'] })
  expect(await seen(person)).toEqual(['B'])
  await manager.call('deleteZone', { params: { ...params, location: zones.B! } })
  await tag(['A'], { add: ['other'] })
  expect([await seen(person), (await list())[0]?.zoneCount]).toEqual([[], 0])
})

test('[PPL-04 PPL-06] nobody widens what they or others see by tags: those of roles take what a change of these roles takes', async () => {
  const { params, organization, manager, tag, limited, seen, tags, list } = await withZones('Mine', 'Both', 'Other')
  await tag(['Mine', 'Both'], { add: ['Ulm'] })
  await tag(['Other'], { add: ['Bonn'] })
  const [person, neighbour] = [await limited(['Ulm'], ['Mine']), await limited(['bonn'])]
  const operator = await server.person({ organization, permissions: ['manage:cfg', 'manage:firmware'] })
  const before = await tags()
  const sentence = (name: string, permission = 'Manage people') =>
    `Roles are limited to the tag "${name}". Giving or taking it needs the permission “${permission}”.`
  const refused = async (places: string[], change: { add?: string[]; remove?: string[] }, by: typeof manager) => {
    const { status, problem } = await tag(places, change, by)
    return [status, problem?.detail, problem?.errors?.[0]?.field]
  }
  // The other role is not let into a zone, and the person's own role neither kept out of it nor in it, whatever else the call does. How a
  // tag of other zones is written is not disclosed.
  expect(await refused(['Mine'], { add: ['BONN'] }, person)).toEqual([403, sentence('BONN'), 'add'])
  expect(await refused(['Mine'], { add: ['harmless', ' Bonn '], remove: ['x'] }, person)).toEqual([403, sentence('Bonn'), 'add'])
  expect(await refused(['Both'], { remove: ['ulm'] }, person)).toEqual([403, sentence('ulm'), 'remove'])
  expect(await refused(['Mine', 'Both'], { add: ['Ulm'] }, person)).toEqual([403, sentence('Ulm'), 'add'])
  expect(await refused(['Other'], { add: ['Ulm'] }, operator)).toEqual([403, sentence('Ulm'), 'add'])
  // Whoever manages people grants what they have themselves, by a tag as by the role.
  const clerk = await server.person({ organization, permissions: ['manage:people', 'manage:firmware'] })
  await limited(['bonn'], [], ['access:audit_log'])
  expect(await refused(['Mine'], { add: ['Bonn'] }, clerk)).toEqual([403, sentence('Bonn', 'Read the audit log'), 'add'])
  expect((await tag(['Other'], { remove: ['Ulm'] }, clerk)).status).toBe(204)
  // A zone of others does not exist for them, whatever the tag.
  expect((await tag(['Other'], { add: ['harmless'] }, person)).status).toBe(404)
  expect(await tags()).toEqual(before)
  expect([await seen(person), await seen(neighbour)]).toEqual([['Both', 'Mine'], ['Other']])
  // What limits no role is theirs to give.
  expect((await tag(['Mine'], { add: ['harmless'] }, person)).status).toBe(204)
  expect((await person.call('listTags', { params })).body).toEqual([
    { tag: 'harmless', zones: 1 },
    { tag: 'Ulm', zones: 2, limitsRoles: true },
  ])
  expect((await tag(['Mine'], { add: ['Bonn'] })).status).toBe(204)
  expect(await seen(neighbour)).toEqual(['Mine', 'Other'])

  for (const { roleId, name, tags } of await list())
    if (tags?.includes('Bonn'))
      await manager.call('updateRole', { params: { ...params, roleId }, body: { name, permissions: [], zones: null } })
  expect((await tag(['Both'], { add: ['Bonn'] }, person)).status).toBe(204)
})

test('[PPL-04] its tags are there in its organization, stand beside its zones, and are in the audit log', async () => {
  const { params, manager, zones, tag, create, list } = await withZones('A', 'B')
  const other = await withZones('A')
  await tag(['A', 'B'], { add: ['Ulm', 'pilot'] })
  await other.tag(['A'], { add: ['theirs'] })
  for (const tags of [['theirs'], ['Ulm', 'none']])
    expect((await create({ zones: [], tags })).problem).toMatchObject({
      status: 400,
      errors: [{ field: 'tags', message: 'One of the tags is no longer there. Choose again.' }],
    })
  for (const body of [{ zones: [], tags: [] }, { zones: [] }])
    expect((await create(body)).problem).toMatchObject({ status: 400, detail: 'Choose at least one zone or tag.' })
  for (const body of [{ tags: ['Ulm'] }, { zones: null, tags: ['Ulm'] }])
    expect((await create(body)).problem).toMatchObject({ status: 400, errors: [{ field: 'tags' }] })
  expect((await create({ zones: [], tags: ['Ulm'], permissions: ['manage:people'] })).problem).toMatchObject({
    status: 400,
    detail: 'A role that is limited to zones cannot have “Manage people”.',
  })
  expect(await list()).toEqual([])

  const { roleId } = (await create({ zones: [], tags: ['ulm', 'Ulm', 'pilot'] })).body
  const change = async (body: object) => {
    const { body: role } = await manager.call('updateRole', {
      params: { ...params, roleId },
      body: { name: 'Ulm', permissions: [], ...body },
    })
    return [role.zones?.map(({ name }) => name), role.tags, role.zoneCount]
  }
  expect(await change({})).toEqual([[], ['pilot', 'Ulm'], 2])
  expect(await change({ zones: [zones.A], tags: ['Ulm'] })).toEqual([['A'], ['Ulm'], 2])
  expect(await change({ zones: [zones.A] })).toEqual([['A'], [], 1])
  expect(await change({ zones: null })).toEqual([undefined, undefined, undefined])
  const { entryList } = (await manager.call('listAuditEntries', { params, query: { PageSize: 5 } })).body
  expect(entryList.map(({ newValue }) => newValue)).toEqual([
    'no permissions',
    'no permissions, limited to 1 zone (A)',
    'no permissions, limited to 1 zone (A) and 1 tag (Ulm)',
    'no permissions, limited to 2 tags (pilot, Ulm)',
    '“Publish firmware, manage zones”, limited to 2 tags (pilot, Ulm)',
  ])
})

test('an organization has at most 100 roles of its own', async () => {
  const { organization, params, manager, create, list } = await withZones()
  const roles = Array.from({ length: 99 }, (_, index) => ({
    organization_id: organization.key,
    id: crypto.randomUUID(),
    name: `Role ${index}`,
    permissions: [],
  }))
  await server.app.db.insertInto('role').values(roles).execute()
  const made = await Promise.all(['One', 'Two'].map((name) => create({ name })))
  expect(made.map(({ status }) => status).sort()).toEqual([200, 409])
  expect(made.find(({ status }) => status === 409)?.problem.detail).toBe('An organization may have at most 100 roles of its own.')
  expect(await list()).toHaveLength(100)
  await manager.call('deleteRole', { params: { ...params, roleId: roles[0]!.id } })
  expect((await create({ name: 'Three' })).status).toBe(200)
})
