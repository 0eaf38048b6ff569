import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

/** A member and a keeper of the library, who may change what others made. */
async function library() {
  const organization = await server.organization()
  const params = { organizationId: organization.id }
  const as = ({ call, email }: Awaited<ReturnType<typeof server.person>>) => ({
    email,
    create: async (name: string, command = 'SYAZTCSEN1') =>
      (await call('createLibraryEntry', { params, body: { name, device: 'CR2700', content: { kind: 'commands', commands: [command] } } }))
        .body,
    add: (id: string) =>
      call('addLibraryVersion', { params: { ...params, id }, body: { content: { kind: 'commands', commands: ['SYAZTCSEN0'] } } }),
    remove: (id: string) => call('deleteLibraryEntry', { params: { ...params, id } }),
    removeNamed: (name: string) => call('deleteSavedConfiguration', { params: { ...params, device: 'CR2700', name } }),
    restore: (id: string) => call('restoreLibraryEntry', { params: { ...params, id } }),
    entry: (id: string) => call('getLibraryEntry', { params: { ...params, id } }),
    version: (id: string) => call('getLibraryVersion', { params: { ...params, id, number: 1 } }),
    names: async () => (await call('listLibrary', { params })).body.map(({ name }) => name),
    specified: async () => (await call('listSavedConfigurations', { params })).body.map(({ name }) => name),
    deleted: async () => (await call('listDeletedLibraryEntries', { params })).body,
  })
  const member = await server.person({ organization })
  const keeper = as(await server.person({ organization, permissions: ['manage:cfg-lib'] }))
  return { organization, params, member: as(member), keeper, other: as(await server.person({ organization })), userId: member.userId }
}

const age = (id: string, days: number) =>
  db
    .updateTable('saved_configuration')
    .set({ deleted_at: new Date(Date.now() - days * 86_400_000) })
    .where('id', '=', id)
    .execute()

test('[MAY-01] a deleted entry is gone everywhere, and comes back with all its versions', async () => {
  const { member } = await library()
  const { id } = await member.create('Wristband')
  const before = (await member.add(id)).body
  expect((await member.remove(id)).status).toBe(204)
  expect([(await member.entry(id)).status, (await member.version(id)).status, (await member.remove(id)).status]).toEqual([404, 404, 404])
  expect([await member.names(), await member.specified()]).toEqual([[], []])
  expect(await member.deleted()).toEqual([
    { id, name: 'Wristband', device: 'CR2700', version: 2, deletedAt: expect.stringMatching(/^2.*Z$/), deletedBy: member.email },
  ])
  const { status, body } = await member.restore(id)
  expect([status, body]).toEqual([200, before])
  expect([await member.names(), await member.deleted()]).toEqual([['Wristband'], []])
  expect((await member.restore(id)).status).toBe(404)
})

test('[MAY-01] it frees its name, and comes back as "name (2)" where that is taken by then', async () => {
  const { member } = await library()
  const long = 'x'.repeat(200)
  const first = [(await member.create('Wristband')).id, (await member.create(long)).id]
  await member.remove(first[0]!)
  expect((await member.removeNamed(long)).status).toBe(204)
  for (const name of ['wristband', 'Wristband (2)', long]) await member.create(name)
  expect((await member.restore(first[0]!)).body.name).toBe('Wristband (3)')
  expect((await member.restore(first[1]!)).body.name).toBe(`${'x'.repeat(196)} (2)`)
})

test('[MAY-01] whoever may delete it may bring it back, and sees it among the deleted', async () => {
  const { member, keeper, other } = await library()
  const [mine, theirs] = [await member.create('Mine'), await other.create('Theirs')]
  await member.remove(mine.id)
  await keeper.remove(theirs.id)
  const names = async (person: typeof member) => (await person.deleted()).map(({ name }) => name)
  expect([await names(member), await names(other), await names(keeper)]).toEqual([['Mine'], ['Theirs'], ['Theirs', 'Mine']])
  expect((await member.restore(theirs.id)).status).toBe(403)
  expect((await other.restore(theirs.id)).status).toBe(200)
  expect((await keeper.restore(mine.id)).status).toBe(200)
  const stranger = (await library()).keeper
  await member.remove(mine.id)
  expect([(await stranger.restore(mine.id)).status, await stranger.deleted()]).toEqual([404, []])
})

test('[MAY-01] whoever has left, and comes back, has made nothing', async () => {
  const { organization, params, member, userId } = await library()
  const { id } = await member.create('Wristband')
  const manager = await server.person({ organization, permissions: ['manage:people'] })
  await manager.call('removeMember', { params: { ...params, memberId: userId } })
  await server.join(userId, organization, [])
  expect((await member.entry(id)).body.mayChange).toBe(false)
  expect((await member.remove(id)).status).toBe(403)
})

test('[MAY-01] no publish takes a deleted entry, and none that was published is lost', async () => {
  const zone = await server.zone()
  const params = { organizationId: zone.organization.id }
  const { call } = zone.manager
  const body = { name: 'Wristband', device: 'CR2700', content: { kind: 'commands', commands: ['SYAZTCSEN1'] } }
  const { id } = (await call('createLibraryEntry', { params, body })).body
  const publish = () =>
    call('publishLibraryVersion', {
      params: { ...params, location: zone.id, device: 'CR2700' },
      body: { configurationId: id, version: 1, when: 'now' },
    })
  expect((await publish()).status).toBe(200)
  await call('deleteLibraryEntry', { params: { ...params, id } })
  const { status, problem } = await publish()
  expect([status, problem.detail]).toEqual([409, 'The configuration for the CR2700 is no longer in the library. Choose another one.'])
})

test('[MAY-01] after 30 days it cannot be brought back, and the sweep removes it', async () => {
  const { member } = await library()
  const [kept, gone] = [await member.create('Kept'), await member.create('Gone')]
  await member.remove(kept.id)
  await member.remove(gone.id)
  await age(kept.id, 29)
  await age(gone.id, 31)
  expect((await member.deleted()).map(({ name }) => name)).toEqual(['Kept'])
  expect((await member.restore(gone.id)).status).toBe(404)
  await server.app.sweep()
  const left = await db.selectFrom('saved_configuration').select('name').where('id', 'in', [kept.id, gone.id]).execute()
  expect(left).toEqual([{ name: 'Kept' }])
  expect((await member.restore(kept.id)).status).toBe(200)
})

test('the audit log says who deleted it, who brought it back, and under which name', async () => {
  const { organization, member } = await library()
  const { id } = await member.create('Wristband')
  await member.remove(id)
  await member.create('Wristband')
  await member.restore(id)
  const entries = db
    .selectFrom('audit_entry')
    .select(['change_type', 'config_name', 'new_value'])
    .where('organization_id', '=', organization.key)
  expect((await entries.orderBy('id').execute()).slice(1)).toEqual([
    { change_type: 'AdvancedConfigDeleted', config_name: 'Wristband', new_value: null },
    { change_type: 'AdvancedConfigCreated', config_name: 'Wristband', new_value: null },
    { change_type: 'restoreLibraryEntry', config_name: 'Wristband', new_value: 'renamed to Wristband (2)' },
  ])
})
