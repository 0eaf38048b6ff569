import { createHash } from 'node:crypto'
import type { PublishInput } from '@lectern/contract/publications/publish-to-zones.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const cfg = '<cfg><a>1</a></cfg>'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const cfgFor = (model: string, text = cfg) => ({ model, content: { kind: 'cfg', text } }) as PublishInput['parts'][number]

/** Zones of one organization, each with a host PC. */
async function fleet(names: readonly string[]) {
  const first = await server.zone(names[0])
  const { organization, manager } = first
  const zones = [first, ...(await Promise.all(names.slice(1).map((name) => server.zone(name, organization))))]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone)))
  const organizationId = organization.id
  const publish = (parts: object = {}, { call } = manager) => {
    const body = { key: uuidv7(), zones: { filter: {} }, parts: [cfgFor('CR2700')], when: { now: true }, ...parts }
    return call('publishToZones', { params: { organizationId }, body })
  }
  const rollouts = async () => (await manager.call('listRollouts', { params: { organizationId } })).body.totalCount
  const desired = async (place: number) => (await hosts[place]!.call('getDesired')).body
  return { organization, organizationId, manager, zones, hosts, publish, rollouts, desired }
}

test('[MNY-02] one call publishes to many zones and models as one rollout, which each host PC hears of', async () => {
  const { zones, hosts, organizationId, manager, publish, rollouts, desired } = await fleet(['Aachen', 'Bonn', 'Celle'])
  await hosts[1]!.checkIn([reader('A'), reader('B'), reader('C', { deviceType: 'CR1500' })])
  const key = uuidv7()
  const parts = [cfgFor('CR2700'), cfgFor('CR1500', '<cfg>2</cfg>')]
  const answer = await publish({
    key,
    parts,
    zones: { ids: [zones[2]!.id, zones[1]!.id] },
    limits: { haltAbovePercent: 7, stopTime: '05:00' },
  })
  expect([answer.status, answer.body]).toEqual([
    200,
    {
      rolloutId: key,
      zones: [
        { id: zones[1]!.id, name: 'Bonn' },
        { id: zones[2]!.id, name: 'Celle' },
      ],
    },
  ])
  expect(await rollouts()).toBe(1)
  const { body } = await manager.call('getRollout', { params: { organizationId, id: key } })
  expect(body).toMatchObject({ zones: ['Bonn', 'Celle'], zoneCount: 2, counts: { readers: 3 }, models: ['CR1500', 'CR2700'], current: 4 })
  expect(body.safetyLimit).toMatchObject({ haltAbovePercent: 7, stopTime: '05:00', later: { haltAbovePercent: null, stopTime: null } })
  expect((await desired(1)).configurations).toMatchObject([
    { deviceType: 'CR1500', contentHash: sha256('<cfg>2</cfg>'), revision: 1, atOnce: true },
    { deviceType: 'CR2700', contentHash: sha256(cfg), revision: 1, atOnce: true },
  ])
  expect((await desired(0)).configurations).toEqual([])
})

test('[MNY-02] the same key publishes once; with another body, or of another person, it is refused', async () => {
  const { organization, publish, rollouts, desired } = await fleet(['Aachen', 'Bonn'])
  const key = uuidv7()
  const answers = await Promise.all([publish({ key }), publish({ key }), publish({ key })])
  expect(answers.map(({ status }) => status)).toEqual([200, 200, 200])
  expect(answers[1]!.body).toEqual(answers[0]!.body)
  expect((await publish({ key: key.toUpperCase() })).body).toEqual(answers[0]!.body)
  expect(await rollouts()).toBe(1)
  expect((await desired(0)).configurations).toMatchObject([{ revision: 1 }])
  const other = await publish({ key, parts: [cfgFor('CR2700', '<cfg>other</cfg>')] })
  expect([other.status, other.problem.detail]).toEqual([422, 'This key was used for another publish.'])
  const colleague = await server.person({ organization, permissions: ['manage:cfg'] })
  expect((await publish({ key }, colleague)).status).toBe(422)
  expect((await desired(0)).configurations).toMatchObject([{ revision: 1, contentHash: sha256(cfg) }])
})

test('[MNY-02] nothing is published where a zone was deleted, has no host PC, or is another one than was seen; each is named', async () => {
  const { organizationId, organization, manager, zones, hosts, publish, rollouts } = await fleet(['Aachen', 'Bonn', 'Celle'])
  const [aachen, bonn, celle] = zones.map(({ id }) => id) as [string, string, string]
  await manager.call('removeHost', { params: { organizationId, host: hosts[1]!.hostId } })
  const unserved = await publish({ zones: { ids: [aachen, bonn] } })
  expect([unserved.status, unserved.problem.errors]).toEqual([409, [{ field: 'zones', message: 'The zone "Bonn" has no host PC.' }]])
  await manager.call('deleteZone', { params: { organizationId, location: bonn } })
  const deleted = await publish({ zones: { ids: [aachen, bonn] } })
  expect([deleted.status, deleted.problem.errors]).toEqual([409, [{ field: 'zones', message: 'The zone "Bonn" was deleted.' }]])
  await server.host(await server.zone('Dessau', organization))
  const others = await publish({ expectedZones: [aachen, bonn, celle] })
  expect([others.status, others.problem.errors?.map(({ message }) => message)]).toEqual([
    409,
    ['The zone "Bonn" was deleted.', 'The zone "Dessau" matches now as well.'],
  ])
  const counted = await publish({ expectedZones: 2 })
  expect([counted.status, counted.problem.detail]).toEqual([
    409,
    '3 zones match now, 2 did. Nothing was published. Look at the zones again.',
  ])
  expect((await publish({ zones: { ids: [aachen, uuidv7()] } })).status).toBe(404)
  expect((await publish({ zones: { filter: { search: 'nowhere' } } })).problem.detail).toBe('No zone matches.')
  expect((await publish({ zones: { filter: { search: 'a\0' } } })).status).toBe(400)
  expect(await rollouts()).toBe(0)
  expect((await publish({ expectedZones: 3, zones: { filter: {} } })).status).toBe(200)
})

test('[MNY-02] a zone without a host PC waits where the caller says so', async () => {
  const zone = await server.zone('Bonn')
  const params = { organizationId: zone.organization.id }
  const body = { key: uuidv7(), zones: { filter: {} }, parts: [cfgFor('CR2700')], when: { updateTime: '03:30' } } as const
  expect((await zone.manager.call('publishToZones', { params, body })).status).toBe(409)
  const { status } = await zone.manager.call('publishToZones', { params, body: { ...body, withoutHost: true } })
  expect(status).toBe(200)
  const host = await server.host(zone)
  expect((await host.call('getDesired')).body.configurations).toMatchObject([{ updateTime: '03:30', atOnce: false }])
})

test('[MNY-02] configuration needs manage:cfg, firmware manage:firmware', async () => {
  const { organization, publish, rollouts } = await fleet(['Aachen'])
  const firmware = { model: 'CR2700', content: { kind: 'firmware', version: 'latest' } }
  const ofFirmware = await server.person({ organization, permissions: ['manage:firmware'] })
  const ofConfiguration = await server.person({ organization, permissions: ['manage:cfg'] })
  const refused = await publish({}, ofFirmware)
  expect([refused.status, refused.problem.detail]).toEqual([403, 'This needs the permission “Publish configurations”.'])
  const other = await publish({ parts: [cfgFor('CR2700'), firmware] }, ofConfiguration)
  expect([other.status, other.problem.detail]).toEqual([403, 'This needs the permission “Publish firmware, manage zones”.'])
  expect(await rollouts()).toBe(0)
})

test('[MNY-02] uploaded files and firmware versions are published by name', async () => {
  const { organizationId, manager, publish, desired, hosts } = await fleet(['Aachen', 'Bonn'])
  await hosts[0]!.checkIn([reader('A', { firmware: '4.1.0' })])
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  const release = (version: string) =>
    staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'cr2700.crvfw') })
  await release('4.1.0')
  await release('9.1.0')
  const script = await manager.call('uploadScript', {
    params: { organizationId },
    file: new File(['rules_onDecode = (d) => d'], 'ward.js'),
  })
  expect(script.body).toEqual({ sha256: sha256('rules_onDecode = (d) => d'), fileName: 'ward.js', size: 25, warnings: [] })
  const own = await manager.call('uploadFirmware', { params: { organizationId }, file: new File(['own'], 'own.crbfw') })
  const file = (kind: string, { body }: { body: { sha256: string; fileName: string } }) => ({
    kind,
    sha256: body.sha256,
    fileName: body.fileName,
  })
  const parts = [
    { model: 'CR2700', content: file('script', script) },
    { model: 'CR2700', content: { kind: 'firmware', version: 'latest' } },
    { model: 'A271/2', content: file('firmware-file', own) },
  ]
  const wrong = await publish({ parts: [{ model: 'CR1500', content: file('firmware-file', own) }] })
  expect([wrong.status, wrong.problem.detail]).toEqual([400, 'CR1500: File type must be .crvfw'])
  const { status, body } = await publish({ parts })
  expect(status).toBe(200)
  expect(await desired(0)).toMatchObject({
    configurations: [{ deviceType: 'CR2700', content: 'file', fileName: 'ward.js' }],
    firmware: [
      { deviceType: 'A271/2', fileName: 'own.crbfw', version: null },
      { deviceType: 'CR2700', fileName: 'cr2700.crvfw', version: '9.1.0' },
    ],
  })
  // A rollout of a zone's first firmware can be rolled back to what readers ran before.
  const { canRollBack } = (await manager.call('getRollout', { params: { organizationId, id: body.rolloutId } })).body
  expect(canRollBack).toBe(true)
  const stranger = await fleet(['Elsewhere'])
  const theirs = await stranger.publish({ parts: [parts[0]] })
  expect([theirs.status, theirs.problem.detail]).toEqual([409, 'The file ward.js is not here any more. Upload it again.'])
})

test('[MNY-02] an upload that nobody publishes is swept after a day, one that is published stays', async () => {
  const { organizationId, manager, publish, desired } = await fleet(['Aachen'])
  const upload = (text: string, name: string) =>
    manager.call('uploadFirmware', { params: { organizationId }, file: new File([text], name) })
  const [used, unused] = [await upload('used', 'used.crvfw'), await upload('unused', 'unused.crvfw')]
  const content = (answer: typeof used) => ({ kind: 'firmware-file', sha256: answer.body.sha256, fileName: answer.body.fileName })
  await publish({ parts: [{ model: 'CR2700', content: content(used) }] })
  await server.app.sweep()
  expect(await server.app.contents.size(unused.body.sha256)).toBe(6)
  await db
    .updateTable('upload')
    .set({ uploaded_at: new Date(Date.now() - 86_401_000) })
    .execute()
  await server.app.sweep()
  expect(await server.app.contents.size(unused.body.sha256)).toBe(null)
  expect(await server.app.contents.size(used.body.sha256)).toBe(4)
  expect((await publish({ parts: [{ model: 'CR2700', content: content(unused) }] })).status).toBe(409)
  expect((await desired(0)).firmware).toMatchObject([{ fileName: 'used.crvfw', revision: 1 }])
})

test('[MNY-02 PPL-04] a role limited to zones publishes to these alone', async () => {
  const { organization, zones, publish, desired } = await fleet(['Aachen', 'Bonn'])
  const member = await server.limitedPerson(organization, [zones[0]!], ['manage:cfg'])
  expect((await publish({ zones: { ids: [zones[1]!.id] } }, member)).status).toBe(404)
  const { body } = await publish({}, member)
  expect(body.zones).toEqual([{ id: zones[0]!.id, name: 'Aachen' }])
  expect((await desired(1)).configurations).toEqual([])
})

test.for([
  [{ zones: {} }, 'Give the zones as "ids" or as a "filter".'],
  [{ zones: { ids: [] } }, 'Choose at least one zone.'],
  [{ parts: [] }, 'Give at least one part.'],
  [{ parts: [cfgFor('CR2700'), cfgFor('CR2700')] }, 'Give one configuration and one firmware per model at most.'],
  [{ parts: [cfgFor('CR2700', '<cfg>')] }, 'The configuration is not closed: it must end with </cfg>.'],
  [{ when: { at: 'noon' } }, 'Give "when" as { "now": true } or as { "updateTime": "02:00" }.'],
] as const)('[MNY-02] refuses %j in words', async ([parts, detail]) => {
  const { publish, rollouts } = await fleet(['Aachen'])
  const { status, problem } = await publish(parts)
  expect(status).toBe(400)
  expect(problem.detail).toContain(detail)
  expect(await rollouts()).toBe(0)
})
