import { createHash } from 'node:crypto'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const script = 'function rules_onDecode(decode) { return decode }'
const contents = {
  commands: { kind: 'commands', commands: ['CFR', 'SYAZTCSEN1'] },
  cfg: { kind: 'cfg', text: '<cfg>1</cfg>' },
  script: { kind: 'script', text: script, fileName: 'rules.js' },
} as const

/** A zone with a host PC, and the calls of its manager. */
async function newZone() {
  const zone = await server.zone('ICU')
  const host = await server.host(zone)
  const params = { organizationId: zone.organization.id }
  const place = { ...params, location: zone.id, device: 'CR2700' as const }
  const { call } = zone.manager
  return {
    zone,
    host,
    params,
    call,
    save: async (content: object, name = 'Ward 3') =>
      (await call('createLibraryEntry', { params, body: { name, device: 'CR2700', content } })).body,
    add: (id: string, content: object) => call('addLibraryVersion', { params: { ...params, id }, body: { content } }),
    publish: (configurationId: string, version: number, device = 'CR2700') =>
      call('publishLibraryVersion', { params: { ...place, device }, body: { configurationId, version, when: 'now' } }),
    running: () => call('getRunningConfiguration', { params: place }),
    desired: async () => (await host.call('getDesired')).body,
  }
}

test.for(Object.values(contents).map((content) => [content.kind, content] as const))(
  '[NAM-02] what a host PC is given of %s is the content of the version that was published',
  async ([kind, content]) => {
    const { save, add, publish, running, desired } = await newZone()
    const { id } = await save(content)
    await add(id, { kind: 'cfg', text: '<cfg>2</cfg>' })
    expect((await publish(id, 1)).body).toEqual({ message: 'Published revision 1 for CR2700 in ICU, at once.' })
    const text = kind === 'commands' ? 'CFR\nSYAZTCSEN1\n' : content.kind === 'cfg' ? content.text : script
    const { configurations, commands = [] } = await desired()
    const sent = { content: kind === 'script' ? 'file' : kind, contentHash: sha256(text), fileName: 'Ward 3, version 1', atOnce: true }
    // An agent that does not know commands would refuse the whole response.
    expect([configurations, commands]).toMatchObject(kind === 'commands' ? [[], [sent]] : [[sent], []])
    expect((await running()).body).toMatchObject({ name: 'Ward 3, version 1', kind, text, revision: 1 })
  },
)

test('[NAM-03] a configuration is called by name and version by rollout, list, reader, history, drift and audit', async () => {
  const { zone, host, params, call, save, publish, desired } = await newZone()
  const { id } = await save(contents.commands)
  await publish(id, 1)
  const { publication, contentHash, fileName } = (await desired()).commands![0]!
  const device = reader('A', { configuration: { contentHash, fileName }, publication })
  await host.checkIn([device])
  await host.call('reportOutcomes', {
    body: { outcomes: [{ publication, serialNumber: 'A', outcome: 'applied', reason: null, at: new Date().toISOString() }] },
  })
  const name = 'Ward 3, version 1'
  const { rolloutList } = (await call('listRollouts', { params, query: { textFilter: 'ward version 1' } })).body
  expect(rolloutList).toMatchObject([{ title: name }])
  const parts = await call('listRolloutParts', { params: { ...params, id: rolloutList[0]!.id } })
  expect(parts.body.partList).toMatchObject([{ content: { kind: 'configuration', name } }])
  const ofReader = { ...params, serialNumber: 'A' }
  expect((await call('listDevices', { params })).body).toMatchObject({ deviceList: [{ currentConfig: name }] })
  expect((await call('getDeviceConfiguration', { params: ofReader })).body).toMatchObject({
    standing: 'current',
    desired: { configuration: name },
  })
  expect((await call('listDeviceEvents', { params: ofReader })).body.eventList).toMatchObject([{ kind: 'applied', content: name }])
  const log = await server.app.db
    .selectFrom('audit_entry')
    .select('config_name')
    .where('organization_id', '=', zone.organization.key)
    .where('change_type', '=', 'ZoneConfigChange')
    .execute()
  expect(log).toEqual([{ config_name: name }])
  await host.checkIn([reader('A', { configuration: { contentHash: sha256('other'), fileName: null }, publication })])
  const { eventList } = (await call('listDeviceEvents', { params: ofReader })).body
  expect(eventList.find(({ kind }) => kind === 'drifted')).toMatchObject({ content: name })
})

test('[NAM-02] a version is published to many zones at once', async () => {
  const { params, call, save, desired } = await newZone()
  const { id } = await save(contents.commands)
  const publish = (configurationId: string, version: number) => {
    const content = { kind: 'saved' as const, configurationId, version }
    return call('publishToZones', {
      params,
      body: { key: uuidv7(), zones: { filter: {} }, parts: [{ model: 'CR2700', content }], when: { now: true } },
    })
  }
  expect((await publish(id, 1)).status).toBe(200)
  expect((await desired()).commands).toMatchObject([{ content: 'commands', fileName: 'Ward 3, version 1', revision: 1 }])
  const { status, problem } = await publish(id, 2)
  expect([status, problem.detail]).toEqual([409, 'The configuration for the CR2700 is no longer in the library. Choose another one.'])
})

test('[NAM-02] a version that was deleted since it was chosen, or is for another model, is refused with a sentence', async () => {
  const { params, call, save, publish, running } = await newZone()
  const { id } = await save(contents.cfg)
  const other = await publish(id, 1, 'CR1500')
  expect([other.status, other.problem.detail]).toEqual([409, 'Ward 3, version 1 is for the CR2700, not for the CR1500.'])
  await call('deleteLibraryEntry', { params: { ...params, id } })
  const gone = await publish(id, 1)
  expect([gone.status, gone.problem.detail]).toEqual([
    409,
    'The configuration for the CR2700 is no longer in the library. Choose another one.',
  ])
  expect((await running()).status).toBe(404)
})
