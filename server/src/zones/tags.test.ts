import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

async function taggedZones(names: readonly string[]) {
  const first = await server.zone(names[0])
  const { organization, manager } = first
  const zones = [first, ...(await Promise.all(names.slice(1).map((name) => server.zone(name, organization))))]
  const organizationId = organization.id
  const params = { organizationId }
  const ids = zones.map(({ id }) => id)
  const tag = (places: readonly number[], change: { add?: string[]; remove?: string[] }, { call } = manager) =>
    call('tagZones', { params, body: { zones: places.map((place) => ids[place]!), ...change } })
  const tags = async () => {
    const { body } = await manager.call('listZones', { params })
    return ids.map((id) => body.find((zone) => zone.id === id)?.tags)
  }
  const counts = async ({ call } = manager) => (await call('listTags', { params })).body
  return { organization, params, manager, zones, ids, tag, tags, counts }
}

test('[MNY-01] several zones get tags at once and lose them again; a tag that no zone has is gone', async () => {
  const { tag, tags, counts } = await taggedZones(['Ulm 1', 'Ulm 2', 'Bonn'])
  expect((await tag([0, 1], { add: [' Ulm ', 'South'] })).status).toBe(204)
  await tag([2], { add: ['pilot'] })
  expect(await tags()).toEqual([['South', 'Ulm'], ['South', 'Ulm'], ['pilot']])
  expect(await counts()).toEqual([
    { tag: 'pilot', zones: 1 },
    { tag: 'South', zones: 2 },
    { tag: 'Ulm', zones: 2 },
  ])
  await tag([0, 1, 2], { add: ['PILOT'], remove: ['south'] })
  expect(await tags()).toEqual([['pilot', 'Ulm'], ['pilot', 'Ulm'], ['pilot']])
  expect((await counts()).map(({ tag, zones }) => [tag, zones])).toEqual([
    ['pilot', 3],
    ['Ulm', 2],
  ])
})

test('[MNY-01] a zone has 20 tags at most, a tag 40 characters and no comma; then no zone of the call is changed', async () => {
  const { tag, tags } = await taggedZones(['One', 'Two'])
  const many = (from: number, to: number) => Array.from({ length: to - from }, (_, index) => `t${String(from + index).padStart(2, '0')}`)
  await tag([1], { add: many(0, 20) })
  const refused = await tag([0, 1], { add: ['one more'] })
  expect([refused.status, refused.problem.detail]).toEqual([409, 'The zone "Two" would have 21 tags. A zone may have at most 20.'])
  expect(await tags()).toEqual([undefined, many(0, 20)])
  for (const wrong of ['', '  ', 'x'.repeat(41), 'a,b', 'a\nb'])
    expect([wrong, (await tag([0], { add: [wrong] })).status]).toEqual([wrong, 400])
  expect((await tag([0], { add: ['x'.repeat(40)] })).status).toBe(204)
})

test('[MNY-01] the audit log has each zone whose tags changed, in a sentence; what changes nothing leaves none', async () => {
  const { organization, params, manager, ids, tag } = await taggedZones(['One', 'Two'])
  await tag([0, 1], { add: ['b', 'a'] })
  await tag([0, 1], { add: ['A'] })
  await tag([1], { remove: ['a', 'b'] })
  const auditor = await server.person({ organization, permissions: ['access:audit_log'] })
  const { entryList } = (await auditor.call('listAuditEntries', { params, query: { changeType: 'tagZones', PageSize: 10 } })).body
  const said = entryList.map((entry) => formatSentence({ ...entry, user: { name: 'Ada', email: manager.email } })).toSorted()
  expect(said).toEqual([
    'Ada removed the tags of the zone Two',
    'Ada set the tags of the zone One to a, b',
    'Ada set the tags of the zone Two to a, b',
  ])
  expect(entryList.map(({ target }) => target).toSorted()).toEqual([ids[0]!, ids[1]!, ids[1]!].toSorted())
})

test("[MNY-01] nobody tags another organization's zone, one that is not there, or without the permission", async () => {
  const [own, other] = [await taggedZones(['Own']), await taggedZones(['Other'])]
  const foreign = { params: own.params, body: { zones: [own.ids[0]!, other.ids[0]!], add: ['Mine'] } }
  expect((await own.manager.call('tagZones', foreign)).problem).toMatchObject({ status: 404, detail: 'There is no such zone.' })
  expect((await own.manager.call('tagZones', { ...foreign, body: { zones: [uuidv7()], add: ['Mine'] } })).status).toBe(404)
  const member = await server.person({ organization: own.organization, permissions: ['manage:cfg'] })
  expect((await own.tag([0], { add: ['Mine'] }, member)).status).toBe(403)
  expect([await own.tags(), await other.tags(), await own.counts()]).toEqual([[undefined], [undefined], []])
})

test('[MNY-01 PPL-04] a role limited to zones sees the tags of its zones, and that a tag has more', async () => {
  const { organization, zones, tag, counts } = await taggedZones(['One', 'Two'])
  await tag([0, 1], { add: ['both'] })
  await tag([0], { add: ['mine'] })
  await tag([1], { add: ['theirs'] })
  const member = await server.limitedPerson(organization, [zones[0]!], ['manage:firmware'])
  expect(await counts(member)).toEqual([
    { tag: 'both', zones: 1, isPartial: true },
    { tag: 'mine', zones: 1 },
  ])
  expect((await tag([1], { add: ['x'] }, member)).status).toBe(404)
})

test('[MAY-06] a tag that a role limited to zones gives is the same to it, whether hidden zones have it or no zone has', async () => {
  const { organization, params, zones, tag, counts } = await taggedZones(['One', 'Two', 'Three'])
  await tag([2], { add: ['HIDDENtag'] })
  const member = await server.limitedPerson(organization, zones.slice(0, 2), ['manage:firmware', 'access:audit_log'])
  for (const guess of ['hiddentag', 'unknowntag']) expect((await tag([0], { add: [guess] }, member)).status).toBe(204)
  await tag([1], { add: ['HiddenTag', 'UnknownTag'] }, member)
  expect(await counts(member)).toEqual([
    { tag: 'hiddentag', zones: 2 },
    { tag: 'unknowntag', zones: 2 },
  ])
  const both = ['hiddentag', 'unknowntag']
  const seen = async ({ call }: Pick<typeof member, 'call'>) => (await call('listZones', { params })).body.map(({ tags }) => tags)
  expect(await seen(member)).toEqual([both, both])
  expect((await member.call('listZoneSelection', { params })).body.tags).toEqual(both)
  const { entryList } = (await member.call('listAuditEntries', { params, query: { changeType: 'tagZones', PageSize: 10 } })).body
  expect(entryList.map(({ newValue }) => newValue)).toEqual(['hiddentag, unknowntag', 'hiddentag, unknowntag', 'hiddentag'])
  // Who sees all zones sees one spelling, and once they give it the role may know that there is more.
  const manager = await server.person({ organization, permissions: ['manage:firmware'] })
  expect(await seen(manager)).toEqual([['HIDDENtag', 'unknowntag'], ['HIDDENtag'], ['HIDDENtag', 'unknowntag']])
  await tag([1], { remove: ['hiddentag'] }, manager)
  await tag([1], { add: ['hiddentag'] }, manager)
  expect(await counts(member)).toEqual([
    { tag: 'HIDDENtag', zones: 2, isPartial: true },
    { tag: 'unknowntag', zones: 2 },
  ])
})

test('[MNY-01] to choose from, every zone comes in few bytes, with its tags, readers by model and whether it has a host PC', async () => {
  const { params, manager, zones, ids, tag } = await taggedZones(['Two', 'One'])
  const host = await server.host(zones[0]!)
  await host.checkIn([reader('A'), reader('B'), reader('C', { deviceType: 'CR1500' })])
  await tag([0], { add: ['b', 'a'] })
  expect((await manager.call('listZoneSelection', { params })).body).toEqual({
    tags: ['a', 'b'],
    models: ['CR2700', 'CR1500'],
    zones: [
      [ids[1], 'One', [], [], false],
      [ids[0], 'Two', [0, 1], [0, 2, 1, 1], true],
    ],
  })
})

test('[MNY-01] a publish to a tag reaches the zones that have it then, and names those that changed since it was seen', async () => {
  const { params, manager, zones, ids, tag } = await taggedZones(['Ulm 1', 'Ulm 2', 'Bonn', 'Plain'])
  await Promise.all(zones.map((zone) => server.host(zone)))
  await tag([0, 1], { add: ['Ulm', 'pilot'] })
  await tag([2], { add: ['pilot'] })
  const publish = (filter: object, expectedZones: string[]) =>
    manager.call('publishToZones', {
      params,
      body: {
        key: uuidv7(),
        zones: { filter },
        expectedZones,
        when: { now: true },
        parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg></cfg>' } }],
      },
    })
  const { body } = await publish({ tags: ['ulm', 'PILOT'] }, [ids[0]!, ids[1]!])
  expect(body.zones.map(({ name }) => name)).toEqual(['Ulm 1', 'Ulm 2'])
  expect((await publish({ tags: ['pilot'], search: 'ONN' }, [ids[2]!])).body.zones.map(({ name }) => name)).toEqual(['Bonn'])
  const either = await publish({ anyTag: ['ULM', 'pilot', 'nowhere'] }, ids.slice(0, 3))
  expect(either.body.zones.map(({ name }) => name).sort()).toEqual(['Bonn', 'Ulm 1', 'Ulm 2'])
  expect((await publish({ anyTag: ['ulm'], tags: ['pilot'], search: '2' }, [ids[1]!])).body.zones.map(({ name }) => name)).toEqual([
    'Ulm 2',
  ])
  expect((await publish({ anyTag: [] }, ids)).status).toBe(400)
  await tag([0], { remove: ['Ulm'] })
  await tag([2], { add: ['Ulm'] })
  const { status, problem } = await publish({ tags: ['Ulm'] }, [ids[0]!, ids[1]!])
  expect([status, problem.detail]).toEqual([
    409,
    'The zone "Ulm 1" does not match any more. The zone "Bonn" matches now as well. Nothing was published. Look at the zones again.',
  ])
})
