import { createHash } from 'node:crypto'
import type { Attached } from '@lectern/contract/devices/attached.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const digest = (text: string) => createHash('sha256').update(text).digest('hex')

const attached: Attached = {
  others: [{ serialNumber: '1234567890', model: 'Hardware type 0042 <b>', firmware: '4634', dialect: 'packets' }],
  ports: [{ path: '/dev/ttyACM0', says: 'Another model, "Hardware type 0042" 1234567890, dialect "packets".' }],
  dialects: [
    {
      name: 'packets',
      can: ['file'],
      commands: [{ sends: 'I', meaning: 'Asks for firmware', source: 'C005066, p. 14', evidence: 'published' }],
    },
  ],
}

async function hostOfZone() {
  const zone = await server.zone('ICU')
  const host = await server.host(zone)
  const params = { organizationId: zone.organization.id }
  const overview = async (query: Record<string, unknown> = { zone: zone.id }) =>
    (await zone.manager.call('listZoneOverviews', { params, query })).body.find(({ zoneId }) => zoneId === zone.id)!
  /** What the first host PC has at its ports, with its dialects. */
  const readAttached = async () => {
    const { hosts, dialects } = await overview()
    const [first] = hosts
    return first?.attached && { ...first.attached, dialects: first.attached.dialects.map((place) => dialects![place]) }
  }
  return { zone, host, params, overview, readAttached }
}

test('[SER-01] readers of other models are shown at their host and counted apart, never in totals or lists, until the host says otherwise', async () => {
  const { zone, host, params, overview, readAttached } = await hostOfZone()
  const first = { digest: digest('1'), driver: 'serial' }
  await host.checkIn([reader('A')], { ...first, attached })
  expect(await readAttached()).toEqual(attached)
  const counted = await overview({ hosts: 'counted' })
  expect(counted.hostCounts).toMatchObject([{ hosts: 1, otherReaders: 1 }])
  expect(counted.readers).toEqual([{ deviceType: 'CR2700', count: 1 }])
  expect((await zone.manager.call('getOrganizationSummary', { params })).body).toMatchObject({ readers: 1 })
  const { body: found } = await zone.manager.call('listDevices', { params, query: { textFilter: '1234567890' } })
  expect(JSON.stringify(found)).not.toContain('1234567890')
  // A list of many host PCs has counts alone.
  expect((await overview({})).hosts[0]?.attached).toBeUndefined()
  // What has not changed is not sent again.
  await host.checkIn([], { digest: digest('2'), since: digest('1'), driver: 'serial' })
  expect(await readAttached()).toEqual(attached)
  await host.checkIn([], { digest: digest('3'), since: digest('2'), driver: 'serial', attached: { ...attached, others: [] } })
  expect((await overview({ hosts: 'counted' })).hostCounts?.[0]?.otherReaders).toBeUndefined()
  // An older app, which says nothing of its ports, sends all its readers at its start.
  await host.checkIn([reader('A')], { digest: digest('4'), driver: 'serial' })
  expect((await overview()).hosts[0]?.attached).toBeUndefined()
})

test('[SER-01] a zone has the commands of a dialect once, however many host PCs have it, and those of another version beside them', async () => {
  const { zone, host, overview } = await hostOfZone()
  const [others, dialect] = [attached.others, attached.dialects[0]!]
  const completed = { ...dialect, can: ['file' as const, 'cfg' as const] }
  await host.checkIn([], { driver: 'serial', attached })
  await (await server.host(zone, 'PC-2')).checkIn([], { driver: 'serial', attached: { ...attached, dialects: [completed] } })
  await (await server.host(zone, 'PC-3')).checkIn([], { driver: 'serial', attached: { others, ports: [], dialects: [completed, dialect] } })
  const { hosts, dialects } = await overview()
  const [one, two] = [dialects!.findIndex(({ can }) => can.length === 1), dialects!.findIndex(({ can }) => can.length === 2)]
  expect([dialects![one], dialects![two], dialects!.length]).toEqual([dialect, completed, 2])
  const placesOf = (name: string) => hosts.find((one) => one.name === name)?.attached?.dialects
  expect([placesOf('PC-2'), placesOf('PC-3')]).toEqual([[two], [two, one]])
  expect((await overview({})).dialects).toBeUndefined()
})

test.for([
  ['hostile words', { ...attached, others: [{ ...attached.others[0]!, model: 'CR\u202e0072' }] }],
  ['too long words', { ...attached, others: [{ ...attached.others[0]!, model: 'x'.repeat(65) }] }],
  ['too many readers', { ...attached, others: Array(101).fill(attached.others[0]) }],
] as const)('[SER-01] a check-in with %s is refused', async ([, wrong]) => {
  const { host } = await hostOfZone()
  expect((await host.checkIn([], { attached: wrong as Attached })).status).toBe(400)
})

test('[SER-01] the dry run counts readers that no published command gives the content; one of an older app takes everything', async () => {
  const { zone, host, params } = await hostOfZone()
  const cfg = '<cfg></cfg>'
  const readers = [
    reader('A', { can: ['commands'] }),
    reader('B', { can: ['commands'], configuration: { contentHash: digest(cfg), fileName: null } }),
    reader('C', { can: ['commands', 'cfg', 'firmware'] }),
    reader('D'),
  ]
  await host.checkIn(readers)
  const preview = async (content: object) => {
    const body = { key: uuidv7(), zones: { filter: {} }, parts: [{ model: 'CR2700', content }], when: { now: true } }
    return (await zone.manager.call('previewPublication', { params, query: {}, body } as never)).body as {
      parts: { counts: Record<string, number> }[]
    }
  }
  const ofCfg = await preview({ kind: 'cfg', text: cfg })
  expect(ofCfg.parts[0]?.counts).toMatchObject({ readers: 4, changes: 2, matches: 1, notPossible: 1 })
  const script = { kind: 'script', fileName: 'a.js', sha256: digest('x'), size: 1 }
  expect((await preview(script)).parts[0]?.counts).toMatchObject({ readers: 4, changes: 1, notPossible: 3 })
  await host.checkIn(readers.map(({ can: _, ...one }) => one))
  expect((await preview({ kind: 'cfg', text: cfg })).parts[0]?.counts).toMatchObject({ readers: 4, changes: 3, notPossible: 0 })
})

test('[SER-01] an outcome that is not possible keeps its code, and is shown with it; one of an older app has none', async () => {
  const { zone, host, params } = await hostOfZone()
  await host.checkIn([reader('A', { can: ['commands'] }), reader('B')])
  const body = {
    key: uuidv7(),
    zones: { filter: {} },
    parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }],
    when: { now: true },
  }
  expect((await zone.manager.call('publishToZones', { params, body } as never)).status).toBe(200)
  const [publication] = (await host.call('getDesired', { query: {} } as never)).body.configurations
  const failed = { publication: publication!.publication, outcome: 'failed' as const, at: new Date().toISOString() }
  const outcomes = [
    { ...failed, serialNumber: 'A', reason: 'It is not possible.', code: 'notPossible' as const },
    { ...failed, serialNumber: 'B', reason: 'It is locked.' },
  ]
  expect((await host.call('reportOutcomes', { body: { outcomes } })).body.refused).toEqual([])
  const rollout = (await zone.manager.call('listRollouts', { params })).body.rolloutList[0]!
  const { body: shown } = await zone.manager.call('listRolloutReaders', { params: { ...params, id: rollout.id }, query: {} } as never)
  const list = (shown as { readerList: { serialNumber: string; reason?: string; code?: string }[] }).readerList
  expect(list.map(({ serialNumber, reason, code }) => [serialNumber, reason, code])).toEqual([
    ['A', 'It is not possible.', 'notPossible'],
    ['B', 'It is locked.', undefined],
  ])
})
