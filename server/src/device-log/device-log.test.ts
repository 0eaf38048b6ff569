import { randomUUID } from 'node:crypto'
import { expect, test } from 'vitest'
import type { TestOrganization } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const minute = 60_000
const instant = (from: number) => new Date(Date.now() + from).toISOString()
const location = { city: 'Reno', latitude: 39.53, longitude: -119.81 }
const record = (parts: object = {}) => ({
  deviceId: 'A',
  model: 'Pixel 8',
  os: 'Android 15',
  location,
  at: instant(-minute),
  decodes: 3,
  ...parts,
})

async function member(organization?: TestOrganization) {
  const home = organization ?? (await server.organization())
  const person = await server.person({ organization: home, permissions: ['manage:licences'] })
  const params = { organizationId: home.id }
  return {
    home,
    log: (...records: unknown[]) => person.call('logDevices', { body: { records } }),
    models: async () => (await person.call('getDeviceModels', { params })).body,
    graph: (name: 'getDevicesByTime' | 'getDevicesByOs' | 'getDevicesByLocation' | 'getLicenceCounts') => person.call(name, { params }),
    person,
  }
}
const today = () => new Date().toISOString().slice(0, 10)

test('[API-MDL-01 ENT-08 ENT-09] what scanner apps say of their devices is on the graphs of their organization at once, and on no other', async () => {
  const { home, log, models, graph, person } = await member()
  await person.call('createLicence', { params: { organizationId: home.id }, body: { serialNumbers: ['A', 'B', 'C'] } })
  const answer = await log(record(), record({ deviceId: 'B', model: ' Pixel 8 ', os: null, location: null, decodes: 0 }))
  expect([answer.status, answer.body]).toEqual([200, { accepted: 2, refused: [] }])
  expect(await models()).toEqual({ labels: ['Pixel 8'], datasets: [{ label: 'Devices', data: [2] }] })
  const byTime = (await graph('getDevicesByTime')).body as { datasets: { label: string; data: { x: string; y: number }[] }[] }
  expect(byTime.datasets[0]!.data).toHaveLength(365)
  expect(byTime.datasets[0]!.data.at(-1)).toEqual({ x: today(), y: 2 })
  expect((await graph('getDevicesByOs')).body).toEqual({ labels: ['Android 15'], datasets: [{ label: 'Devices', data: [1] }] })
  expect((await graph('getDevicesByLocation')).body).toEqual([{ ...location, value: 1 }])
  expect((await graph('getLicenceCounts')).body).toEqual({ total: 3, usingDecode: 1 })
  const other = await member()
  expect((await other.models()).labels).toEqual([])
  expect((await other.graph('getLicenceCounts')).body).toEqual({ total: 0, usingDecode: 0 })
})

test('[API-MDL-01] a record counts on its own UTC day, however late it comes and whatever clock wrote it', async () => {
  const { log, graph } = await member()
  const day = (from: number) => instant((from - 20) * 1440 * minute).slice(0, 10)
  const [early, late] = [record({ at: `${day(-1)}T20:00:00-08:00` }), record({ at: `${day(1)}T05:00:00+14:00` })]
  await log(early, late, record({ deviceId: 'B', at: `${day(0)}T23:59:59.999Z` }))
  const { datasets } = (await graph('getDevicesByTime')).body as { datasets: { data: { x: string; y: number }[] }[] }
  expect(datasets[0]!.data.filter(({ y }) => y > 0)).toEqual([{ x: day(0), y: 2 }])
})

test.each([
  ['a position north of the pole', { location: { ...location, latitude: 90.01 } }, 'location.latitude must be from -90 to 90'],
  ['a position beyond the date line', { location: { ...location, longitude: -180.5 } }, 'location.longitude must be from -180 to 180'],
  ['a city without a position', { location: { city: 'Reno' } }, 'location.latitude'],
  ['a position without a city', { location: { ...location, city: '  ' } }, 'location.city must not be empty'],
  ['a time in the future', { at: instant(10 * minute) }, 'at must not be in the future'],
  ['a time of more than a year ago', { at: instant(-366 * 1440 * minute) }, 'at must be within the last 365 days'],
  ['no instant', { at: '2026-11-02' }, 'at must be an instant'],
  ['a negative count', { decodes: -1 }, 'decodes must not be negative'],
  ['half a barcode', { decodes: 0.5 }, 'decodes must be a whole number'],
  ['no model', { model: '' }, 'model must not be empty'],
  ['a number for a model', { model: 7 }, 'model'],
  ['an endless name', { os: 'x'.repeat(65) }, 'os must have at most 64 characters'],
  ['no device', { deviceId: undefined }, 'deviceId'],
  ['half of a character', { deviceId: '\ud800' }, 'deviceId must not have control characters'],
])('[API-MDL-01] %s is refused with its field and its place, and the rest of the batch is stored', async (_what, parts, reason) => {
  const { log, models } = await member()
  const { status, body } = await log(record({ deviceId: 'GOOD' }), record(parts), record({ deviceId: 'ALSO GOOD' }))
  expect(status).toBe(200)
  expect(body).toEqual({
    accepted: 2,
    refused: [
      { index: 1, deviceId: 'deviceId' in parts && !parts.deviceId ? null : expect.any(String), reason: expect.stringContaining(reason) },
    ],
  })
  expect((await models()).datasets[0]!.data).toEqual([2])
})

test('[API-MDL-01] clocks may be five minutes ahead; what is no record at all is refused too', async () => {
  const { log } = await member()
  const { body } = await log(record({ at: instant(4 * minute) }), null, 'record', [])
  expect(body.accepted).toBe(1)
  expect(body.refused.map(({ index, deviceId }) => [index, deviceId])).toEqual([
    [1, null],
    [2, null],
    [3, null],
  ])
})

test('[API-MDL-01] a body of another shape, or too long, is refused whole', async () => {
  const { person } = await member()
  for (const body of [{}, { records: 'none' }, { records: Array.from({ length: 501 }, () => record()) }]) {
    const { status, problem } = await person.call('logDevices', { body })
    expect([status, problem.errors?.[0]?.field]).toEqual([400, 'records'])
  }
})

test('a full batch of the longest records is taken, and no body larger than 1 MB', async () => {
  const { person } = await member()
  const escaped = (length: number) => `"${'\\u0041'.repeat(length)}"`
  const longest = `{"deviceId":${escaped(64)},"model":${escaped(64)},"os":${escaped(64)},"at":"${instant(-minute)}","decodes":9007199254740991,
    "location":{"city":${escaped(100)},"latitude":-39.123456789012345,"longitude":-119.12345678901234}}`
  const send = async (body: string) => {
    const headers = { 'content-type': 'application/json', authorization: `Bearer ${person.token}` }
    const response = await server.fetch('/api/mdl', { method: 'POST', body, headers })
    return [response.status, await response.json()]
  }
  const batch = `{"records":[${Array.from({ length: 500 }, () => longest)}]}`
  expect(await send(batch.padEnd(1_048_576))).toEqual([200, { accepted: 500, refused: [] }])
  expect(await send(batch.padEnd(1_048_577))).toEqual([413, expect.objectContaining({ detail: 'The body is larger than 1.0 MB.' })])
})

test('[API-MDL-01] sent again nothing changes, and of two reports the later counts, whichever comes first', async () => {
  const { log, models, graph } = await member()
  const [older, newer] = [
    record({ at: instant(-90 * minute), model: 'Old', decodes: 0 }),
    record({ at: instant(-80 * minute), model: 'New', decodes: 0 }),
  ]
  for (const batch of [[newer], [older], [older, newer, older], [newer]]) expect((await log(...batch)).body.refused).toEqual([])
  expect(await models()).toEqual({ labels: ['New'], datasets: [{ label: 'Devices', data: [1] }] })
  expect((await graph('getLicenceCounts')).body).toEqual({ total: 0, usingDecode: 0 })
})

test('[API-MDL-01] whoever belongs to no organization has nowhere to report to', async () => {
  const { status, problem } = await (await server.person()).call('logDevices', { body: { records: [] } })
  expect([status, problem.detail]).toEqual([409, 'You belong to no organization.'])
})

test('[INP-01] a record that is refused is answered alone, whatever bytes it holds, also where the answer is stored', async () => {
  const { person, models } = await member()
  const bad = ['A\u0000', '\ud800', 'x'.repeat(65)].map((deviceId) => record({ deviceId }))
  const records = [...bad, record({ model: 'Pixel\u0000' }), record()]
  const key = randomUUID()
  const call = () => person.call('logDevices', { body: { records } }, { 'idempotency-key': key })
  const { status, body, text } = await call()
  expect([status, body.accepted, body.refused.map(({ index, deviceId }) => [index, deviceId])]).toEqual([
    200,
    1,
    [
      [0, 'A\u0000'],
      [1, '\ud800'],
      [2, 'x'.repeat(64)],
      [3, 'A'],
    ],
  ])
  expect((await call()).text).toBe(text)
  expect(await models()).toEqual({ labels: ['Pixel 8'], datasets: [{ label: 'Devices', data: [1] }] })
})
