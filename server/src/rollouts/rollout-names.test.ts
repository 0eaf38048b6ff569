import { customerPermissions } from '@lectern/contract/http/permissions.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader, type TestPerson } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { timeIn } from '../testing/waiting-rollout.ts'

const server = await serverForFile()

/** Zones of one organization, each with a host PC that has a reader. The first two zones have the tag Clinic. */
async function clinics(names: readonly string[]) {
  const organization = await server.organization()
  const organizationId = organization.id
  const zones = []
  for (const name of names) {
    const zone = await server.zone(name, organization)
    const host = await server.host(zone)
    await host.checkIn([reader(`${name}-1`)])
    zones.push(zone)
  }
  const manager = await server.person({ organization, permissions: customerPermissions })
  const tagged = zones.slice(0, 2).map(({ id }) => id)
  await manager.call('tagZones', { params: { organizationId }, body: { zones: tagged, add: ['Clinic'] } })
  const publish = async (zonesChosen: object, more: object = {}, { call }: Pick<TestPerson, 'call'> = manager) => {
    const key = uuidv7()
    const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: `<cfg>${key}</cfg>`, fileName: 'Wristband' } }]
    const body = { key, zones: zonesChosen, parts, when: { updateTime: timeIn(6) }, ...more }
    const answer = await call('publishToZones', { params: { organizationId }, body })
    expect(answer.status).toBe(200)
    return answer.body.rolloutId
  }
  const read = async (id: string, { call }: Pick<TestPerson, 'call'> = manager) =>
    (await call('getRollout', { params: { organizationId, id } })).body
  const find = async (textFilter: string, { call }: Pick<TestPerson, 'call'> = manager) =>
    (await call('listRollouts', { params: { organizationId }, query: { textFilter } })).body.rolloutList.map(({ id }) => id)
  return { organization, organizationId, zones, manager, publish, read, find }
}

test('[SEE-05] the words of a choice of zones stay with the rollout, on its page, in the list, in the calendar and in the audit log', async () => {
  const { organizationId, zones, manager, publish, read, find } = await clinics(['Aachen', 'Bonn', 'Celle', 'Düren'])
  const ids = zones.map(({ id }) => id)
  const tagged = await publish({ filter: { tags: ['Clinic'] } })
  const one = await publish({ ids: [ids[2]] })
  const named = await publish({ ids: [ids[3], ids[0], ids[1], ids[2]] })
  const searched = await publish({ filter: { tags: ['Clinic'], search: ' bo ' } })
  const all = await publish({ filter: {} })
  const words = {
    [tagged]: '2 zones tagged Clinic',
    [named]: '4 zones by name: Aachen, Bonn, Celle and 1 more',
    [searched]: '1 zone tagged Clinic with “bo” in their name',
    [all]: 'All 4 zones',
  }
  for (const [id, zoneWords] of Object.entries(words)) expect(await read(id)).toMatchObject({ zoneWords })
  expect(await read(one)).not.toHaveProperty('zoneWords')
  const { rolloutList } = (await manager.call('listRollouts', { params: { organizationId } })).body
  expect(Object.fromEntries(rolloutList.flatMap(({ id, zoneWords }) => (zoneWords ? [[id, zoneWords]] : [])))).toEqual(words)
  expect([await find('tagged clinic'), await find('all 4')]).toEqual([[searched, tagged], [all]])

  // A zone that gets the tag later does not change the words of what was chosen.
  await manager.call('tagZones', { params: { organizationId }, body: { zones: [ids[2]], add: ['Clinic'] } })
  expect((await read(tagged)).zoneWords).toBe('2 zones tagged Clinic')

  // One of the four zones no longer waits.
  await manager.call('startRollout', { params: { organizationId, id: all }, body: { zones: [ids[0]] } })
  const from = new Date().toISOString().slice(0, 10)
  const { days } = (await manager.call('getCalendar', { params: { organizationId }, query: { from } })).body
  expect(days.flatMap(({ runs }) => runs)).toMatchObject([{ rollout: all, zoneWords: '3 of all 4 zones' }])

  await manager.call('haltRollout', { params: { organizationId, id: all } })
  const entries = (await manager.call('listAuditEntries', { params: { organizationId }, query: { fold: true, PageSize: 20 } })).body
    .entryList
  expect(entries.find(({ changeType }) => changeType === 'haltRollout')?.target).toBe('Wristband in all 4 zones')
  const heads = entries.filter(({ changeType }) => changeType === 'ZoneConfigChange')
  expect(heads.map(({ rollout, rolloutZones }) => [rollout, rolloutZones])).toEqual(
    [all, searched, named, one, tagged].map((id) => [id, id === all ? 'all 4 zones' : words[id]]),
  )
})

test('[SEE-05] who sees only some of the zones learns neither other zones nor tags from the words; who sees all of them reads the words', async () => {
  const { organization, organizationId, zones, manager, publish, read, find } = await clinics(['Aachen', 'Bonn', 'Celle'])
  const tagged = await publish({ filter: { tags: ['Clinic'] } })
  const named = await publish({ ids: zones.map(({ id }) => id) })
  const some = await server.limitedPerson(organization, zones.slice(0, 1), ['manage:cfg', 'access:audit_log'])
  const both = await server.limitedPerson(organization, zones.slice(0, 2), ['manage:cfg'])
  for (const id of [tagged, named]) {
    const rollout = await read(id, some)
    expect(rollout).toMatchObject({ isPartial: true, zones: ['Aachen'], zoneCount: 1 })
    expect(rollout).not.toHaveProperty('zoneWords')
  }
  expect([await find('Clinic', some), await find('tagged', some), await find('Celle', some), await find('Wristband', some)]).toEqual([
    ...[[], [], []],
    [named, tagged],
  ])
  expect((await read(tagged, both)).zoneWords).toBe('2 zones tagged Clinic')
  expect(await read(named, both)).not.toHaveProperty('zoneWords')
  expect([await find('Clinic', both), await find('Celle', both)]).toEqual([[tagged], []])
  const from = new Date().toISOString().slice(0, 10)
  const calendar = (await some.call('getCalendar', { params: { organizationId }, query: { from } })).body
  expect(JSON.stringify(calendar)).toContain('Aachen')
  expect(JSON.stringify(calendar)).not.toMatch(/Clinic|Bonn|Celle|zoneWords/)
  await manager.call('haltRollout', { params: { organizationId, id: named } })
  const log = await some.call('listAuditEntries', { params: { organizationId }, query: { fold: true, PageSize: 50 } })
  expect(log.body.entryList.some(({ changeType }) => changeType === 'ZoneConfigChange')).toBe(true)
  expect(JSON.stringify(log.body)).not.toMatch(/tagged|Celle|rolloutZones/)

  // All zones of a role that is limited to zones are not all zones of the organization, and the words say so.
  expect((await read(await publish({ filter: {} }, {}, both))).zoneWords).toBe('All 2 zones of the publisher’s role')
  expect((await read(await publish({ filter: { tags: ['clinic'] } }, {}, both))).zoneWords).toBe(
    '2 zones of the publisher’s role tagged clinic',
  )
})

test('[SEE-05] a rollout is named by who publishes it and renamed by who may publish it, which the audit log has; its name is found', async () => {
  const { organization, organizationId, zones, manager, publish, read, find } = await clinics(['Aachen', 'Bonn', 'Celle'])
  const many = await publish({ filter: { tags: ['Clinic'] } }, { name: '  Clinic go-live ' })
  expect(await read(many)).toMatchObject({ title: 'Wristband', name: 'Clinic go-live' })
  const id = uuidv7()
  const params = { organizationId, location: zones[2]!.id, device: 'CR2700' }
  const settings = { when: 'now', rollout: id, rolloutName: 'Trial in Celle' }
  expect((await manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', ...settings } })).status).toBe(200)
  const script = new File(['rules_onDecode = () => undefined'], 'labels.js')
  const fields = { ...settings, rolloutName: 'Not this' }
  expect((await manager.call('publishCodeRules', { params: { ...params, device: 'CR1500' }, file: script, fields })).status).toBe(200)
  expect((await read(id)).name).toBe('Trial in Celle')
  expect(await find('go-live')).toEqual([many])

  const rename = (name: unknown, { call }: Pick<TestPerson, 'call'> = manager, of = many) =>
    call('nameRollout', { params: { organizationId, id: of }, body: { name } })
  for (const name of ['', '  ', 'x'.repeat(81), 'a\u200bb', 'two\nlines', 7, undefined]) expect((await rename(name)).status).toBe(400)
  expect((await rename('x', await server.person({ organization, permissions: ['manage:firmware'] }))).status).toBe(403)
  const part = await server.limitedPerson(organization, zones.slice(0, 1), ['manage:cfg'])
  expect((await rename('x', part)).problem).toMatchObject({
    status: 403,
    detail: 'Your role is limited to zones. The name of this rollout also holds for others.',
  })
  expect((await rename('x', manager, uuidv7())).status).toBe(404)
  expect((await read(many, part)).name).toBe('Clinic go-live')

  expect((await rename('Second wave')).body).toEqual({ message: 'The rollout is called Second wave.' })
  expect((await rename('Second wave')).status).toBe(200)
  expect((await rename(null)).status).toBe(200)
  expect(await read(many)).not.toHaveProperty('name')
  expect((await manager.call('haltRollout', { params: { organizationId, id } })).body.message).toBe('Halted Trial in Celle.')
  const { entryList } = (await manager.call('listAuditEntries', { params: { organizationId }, query: { fold: true, PageSize: 50 } })).body
  const named = entryList.filter(({ changeType }) => changeType === 'nameRollout')
  expect(named.map(({ target, newValue }) => [target, newValue])).toEqual([
    ['Wristband (Second wave) in 2 zones tagged Clinic', ''],
    ['Wristband (Clinic go-live) in 2 zones tagged Clinic', 'Second wave'],
  ])
  expect(entryList.find(({ changeType, rollout }) => changeType === 'ZoneConfigChange' && rollout === id)?.rolloutName).toBe(
    'Trial in Celle',
  )
})
