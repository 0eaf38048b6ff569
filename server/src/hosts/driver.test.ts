import { createHash, randomUUID } from 'node:crypto'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { parseCsv } from '../testing/csv.ts'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile, type TestServer } from '../testing/server.ts'

const server = await serverForFile()
const production = await serverForFile({ environment: { NODE_ENV: 'production' } })

type Zone = Awaited<ReturnType<TestServer['zone']>>
const listHosts = async ({ manager, organization }: Zone) => {
  const { body } = await manager.call('listZoneOverviews', { params: { organizationId: organization.id } })
  return body[0]?.hosts
}
const makeEnrollment = (zoneId: string, more: object = {}) => ({
  zoneId,
  hostName: 'NRH-ICU-01',
  timeZone: 'America/Chicago',
  agentVersion: '1.2.3',
  credentialHash: createHash('sha256').update(randomUUID()).digest('hex'),
  ...more,
})
const refusal = { status: 403, detail: 'This portal takes no simulated readers. Run the agent with --driver serial.' }

test('[AGT-04] a host that says that it simulates is marked, and so are its readers, in every answer that names them', async () => {
  const zone = await server.zone('ICU')
  const host = await server.host(zone)
  const real = await server.host(zone, 'HOST-02')
  await host.checkIn([reader('A1'), reader('A2')], { driver: 'simulated' })
  await real.checkIn([reader('B1')], { driver: 'serial' })
  const of = { params: { organizationId: zone.organization.id } }
  const { body: list } = await zone.manager.call('listDevices', {
    ...of,
    query: { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' },
  })
  expect(list.deviceList.map(({ serialNumber, simulated }) => [serialNumber, simulated])).toEqual([
    ['A1', true],
    ['A2', true],
    ['B1', undefined],
  ])
  const { body: one } = await zone.manager.call('getDevice', { params: { ...of.params, serialNumber: 'A1' } })
  expect(one).toMatchObject({ simulated: true })
  for (const sn of ['A1', 'B1']) await zone.manager.call('createReader', { params: { customerid: zone.organization.id }, body: { sn } })
  const { body: registered } = await zone.manager.call('listReaders', {
    params: { customerid: zone.organization.id, connectstatus: 'all' },
    query: { PageNumber: 0 },
  })
  expect(registered.readers.map(({ sn, simulated }) => [sn, simulated])).toEqual([
    ['A1', true],
    ['B1', undefined],
  ])
  const { body: totals } = await zone.manager.call('getDeviceTotals', of)
  expect(totals).toMatchObject({ allDevices: 3, simulated: 2 })
  expect(await listHosts(zone)).toMatchObject([
    { name: 'HOST-01', driver: 'simulated', simulated: true },
    { name: 'HOST-02', driver: 'serial' },
  ])
  expect((await listHosts(zone))?.[1]).not.toHaveProperty('simulated')
})

test('[AGT-04] the CSV file of all readers says which are simulated', async () => {
  const zone = await server.zone()
  await (await server.host(zone)).checkIn([reader('A1')], { driver: 'simulated' })
  await (await server.host(zone)).checkIn([reader('B1')], { driver: 'serial' })
  const path = `/api/codedm/organization/${zone.organization.id}/devices/download?ColumnName=DeviceSerialNumber&Direction=Ascending`
  const response = await server.fetch(path, { headers: { authorization: `Bearer ${zone.manager.token}` } })
  const rows = parseCsv((await response.text()).replace('\ufeff', ''))
  expect(rows.map((row) => [row[1], row.at(-1)])).toEqual([
    ['Serial Number', 'Simulated'],
    ['A1', 'Yes'],
    ['B1', ''],
  ])
})

test('[AGT-04] every count of readers says how many of them are simulated', async () => {
  const zone = await server.zone('ICU')
  await (await server.host(zone)).checkIn([reader('A1'), reader('A2'), reader('C1', { deviceType: 'CR1100' })], { driver: 'simulated' })
  await (await server.host(zone, 'HOST-02')).checkIn([reader('B1')], { driver: 'serial' })
  const of = { params: { organizationId: zone.organization.id } }
  const { body: summary } = await zone.manager.call('getOrganizationSummary', of)
  expect(summary).toMatchObject({ readers: 4, simulated: 3 })
  const totals = async (device: 'CR2700' | 'CR8200') =>
    (await zone.manager.call('getModelTotals', { params: { ...of.params, device } })).body
  expect(await totals('CR2700')).toMatchObject({ readers: 3, simulated: 2 })
  expect(await totals('CR8200')).toEqual({ readers: 0, zones: 0 })
  const { body: overviews } = await zone.manager.call('listZoneOverviews', of)
  expect(overviews[0]?.readers).toEqual([
    { deviceType: 'CR2700', count: 3, simulated: 2 },
    { deviceType: 'CR1100', count: 1, simulated: 1 },
  ])
  const analyst = await server.person({ permissions: ['global:access:analytics'] })
  const countAll = async () => (await analyst.call('getSimulatedReaders')).body.simulated
  const before = await countAll()
  const other = await server.zone()
  await (await server.host(other)).checkIn([reader('A1')], { driver: 'simulated' })
  expect(await countAll()).toBe(before + 1)
  await server.app.sweep()
  expect(await countAll()).toBe(before + 1)
  await (await server.host(other, 'HOST-02')).checkIn([reader('A1')], { driver: 'serial' })
  expect(await countAll()).toBe(before)
})

test('[AGT-04] a rollout that counts simulated readers is marked, with its part, and what the log says of its failures; after they left too', async () => {
  const zone = await server.zone('ICU')
  const [pretended, real] = [await server.host(zone), await server.host(zone, 'HOST-02')]
  await pretended.checkIn([reader('A1')], { driver: 'simulated' })
  await real.checkIn([reader('C1', { deviceType: 'CR1100' })], { driver: 'serial' })
  const params = { organizationId: zone.organization.id }
  const cfg = { cfg: '<cfg>1</cfg>', when: 'now' }
  for (const device of ['CR2700', 'CR1100'] as const)
    await zone.manager.call('publishCfg', { params: { ...params, location: zone.id, device }, body: cfg })
  const marks = async () => (await zone.manager.call('listRollouts', { params })).body.rolloutList.map(({ simulated }) => simulated)
  expect(await marks()).toEqual([undefined, true])
  const { id } = (await zone.manager.call('listRollouts', { params })).body.rolloutList[1]!
  const detail = () => readRollout(zone.manager, { ...params, id })
  expect(await detail()).toMatchObject({ simulated: true, parts: [{ simulated: true, counts: { readers: 1 } }] })
  const [desired] = (await pretended.call('getDesired')).body.configurations.filter(({ deviceType }) => deviceType === 'CR2700')
  const at = new Date().toISOString()
  const outcome = { publication: desired!.publication, serialNumber: 'A1', outcome: 'failed' as const, reason: 'Battery', at }
  await pretended.call('reportOutcomes', { body: { outcomes: [outcome] } })
  await zone.manager.call('retryRollout', { params: { ...params, id } })
  const auditor = await server.person({ organization: zone.organization, permissions: ['access:audit_log'] })
  const { body: log } = await auditor.call('listAuditEntries', { params, query: { PageSize: 1 } })
  expect(log.entryList).toMatchObject([{ changeType: 'retryRollout', newValue: '1', simulated: true }])
  for (const { hostId: host } of [pretended, real]) await zone.manager.call('removeHost', { params: { ...params, host } })
  await zone.manager.call('deleteZone', { params: { ...params, location: zone.id } })
  expect(await detail()).toMatchObject({ simulated: true, parts: [{ zoneId: null, simulated: true }] })
  expect(await marks()).toEqual([undefined, true])
})

test('[AGT-04] an entry of the audit log that names a simulated reader or host is marked, on its page, of its reader and in the CSV file', async () => {
  const zone = await server.zone('ICU')
  const auditor = await server.person({ organization: zone.organization, permissions: ['access:audit_log'] })
  const [pretended, real] = [await server.host(zone), await server.host(zone, 'HOST-02')]
  await pretended.checkIn([reader('A1')], { driver: 'simulated' })
  await real.checkIn([reader('B1')], { driver: 'serial' })
  const enrollment = { body: makeEnrollment(zone.id, { driver: 'simulated' }) }
  await server.call('enrollHost', enrollment, { token: await server.licence(zone.organization) })
  for (const sn of ['A1', 'B1']) await zone.manager.call('createReader', { params: { customerid: zone.organization.id }, body: { sn } })
  const params = { organizationId: zone.organization.id }
  for (const { hostId: host } of [pretended, real]) await zone.manager.call('removeHost', { params: { ...params, host } })
  const { body } = await auditor.call('listAuditEntries', { params, query: { PageNumber: 0, PageSize: 10 } })
  expect(body.entryList.map(({ changeType, target, deviceSerial, simulated }) => [changeType, deviceSerial ?? target, simulated])).toEqual([
    ['removeHost', 'HOST-02', undefined],
    ['removeHost', 'HOST-01', true],
    ['createReader', 'B1', undefined],
    ['createReader', 'A1', true],
    ['enrolHost', 'NRH-ICU-01', true],
    // When these enrolled, they had not said their driver.
    ['enrolHost', 'HOST-02', undefined],
    ['enrolHost', 'HOST-01', undefined],
    ['ZoneCreate', zone.id, undefined],
  ])
  const { body: ofReader } = await auditor.call('listDeviceAuditEntries', { params: { ...params, serialNumber: 'A1' } })
  expect(ofReader).toMatchObject([{ changeType: 'createReader', simulated: true }])
  const path = `/api/codedm/organization/${zone.organization.id}/audit-log/download`
  const file = await server.fetch(path, { headers: { authorization: `Bearer ${auditor.token}` } })
  const [head, ...rows] = parseCsv((await file.text()).replace('\ufeff', ''))
  expect(head?.[12]).toBe('Simulated')
  expect(rows.map((row) => row[12])).toEqual(['', 'Yes', '', 'Yes', 'Yes', '', '', ''])
})

test('[AGT-04] the readers of a rollout are marked', async () => {
  const zone = await server.zone()
  await (await server.host(zone)).checkIn([reader('A1')], { driver: 'simulated' })
  const organizationId = zone.organization.id
  const params = { organizationId, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', updateTime: '02:00' } })
  const { body: rollouts } = await zone.manager.call('listRollouts', { params: { organizationId } })
  const id = rollouts.rolloutList[0]!.id
  const { body } = await zone.manager.call('listRolloutReaders', { params: { organizationId, id } })
  expect(body.readerList).toMatchObject([{ serialNumber: 'A1', simulated: true }])
})

test('[AGT-04] an agent of a former version says no driver: not known, and no reader is marked', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn([reader('A1')])
  expect((await listHosts(zone))?.[0]).not.toHaveProperty('driver')
  const of = { params: { organizationId: zone.organization.id } }
  expect((await zone.manager.call('getDeviceTotals', of)).body).not.toHaveProperty('simulated')
  expect((await zone.manager.call('getDevice', { params: { ...of.params, serialNumber: 'A1' } })).body).not.toHaveProperty('simulated')
})

test('a reader that a real host reports later is not simulated any more', async () => {
  const zone = await server.zone()
  const totals = async () => (await zone.manager.call('getDeviceTotals', { params: { organizationId: zone.organization.id } })).body
  await (await server.host(zone)).checkIn([reader('A1')], { driver: 'simulated' })
  expect(await totals()).toMatchObject({ simulated: 1 })
  await (await server.host(zone, 'HOST-02')).checkIn([reader('A1')], { driver: 'serial' })
  expect(await totals()).not.toHaveProperty('simulated')
})

test('[AGT-04] a driver may be said at enrollment already', async () => {
  const zone = await server.zone()
  const body = makeEnrollment(zone.id, { driver: 'simulated' })
  await server.call('enrollHost', { body }, { token: await server.licence(zone.organization) })
  expect(await listHosts(zone)).toMatchObject([{ name: 'NRH-ICU-01', driver: 'simulated', simulated: true }])
})

test('[AGT-04] in production a simulated host is neither enrolled nor heard', async () => {
  const zone = await production.zone()
  const token = await production.licence(zone.organization)
  const enrolled = await production.call('enrollHost', { body: makeEnrollment(zone.id, { driver: 'simulated' }) }, { token })
  expect(enrolled.problem).toMatchObject(refusal)
  const host = await production.host(zone)
  expect((await host.checkIn([reader('A1')], { driver: 'simulated' })).problem).toMatchObject(refusal)
  const of = { params: { organizationId: zone.organization.id } }
  expect((await zone.manager.call('getDeviceTotals', of)).body).toMatchObject({ allDevices: 0 })
  expect((await host.checkIn([reader('A1')], { driver: 'serial' })).body).toEqual({ accepted: 1, refused: [] })
})

test('[AGT-04] in production every call of a host that was stored as simulated is refused before it does anything', async () => {
  const zone = await production.zone()
  const host = await production.host(zone)
  const of = { params: { organizationId: zone.organization.id } }
  await host.checkIn([reader('A1')], { driver: 'serial' })
  await zone.manager.call('publishCfg', {
    params: { ...of.params, location: zone.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', when: 'now' },
  })
  const { configurations } = (await host.call('getDesired')).body
  const [{ publication, contentHash }] = configurations as [(typeof configurations)[0]]
  // As a database from a demo has it.
  await sql`update host set driver = 'simulated', last_seen_at = now() - interval '1 day' where public_id = ${host.hostId}`.execute(
    production.app.db,
  )
  const outcome = { publication, serialNumber: 'A1', outcome: 'applied' as const, reason: null, at: new Date().toISOString() }
  const stream = await production.fetch('/api/agent/events', { headers: { authorization: `Bearer ${host.credential}` } })
  expect(stream.status).toBe(403)
  const answers = [
    await host.call('getDesired'),
    await host.call('downloadContent', { params: { hash: contentHash } }),
    await host.call('reportOutcomes', { body: { outcomes: [outcome] } }),
    await host.call('reportProgress', { body: { progress: [{ publication, serialNumber: 'A1', percent: 50 }] } }),
    await host.checkIn([reader('A2')], { driver: 'serial' }),
  ]
  const detail = 'This portal takes no simulated readers. Enroll this host PC again with --replace, and run the agent with --driver serial.'
  expect(answers.map(({ problem }) => problem)).toMatchObject(answers.map(() => ({ status: 403, detail })))
  expect(await listHosts(zone)).toMatchObject([{ isOnline: false, driver: 'simulated' }])
  expect((await zone.manager.call('getDeviceTotals', of)).body).toMatchObject({ allDevices: 1 })
  const { body: rollouts } = await zone.manager.call('listRollouts', of)
  expect(rollouts.rolloutList[0]?.counts).toMatchObject({ readers: 1, applied: 0, downloading: 0, waiting: 1 })
})

test('[AGT-04] in production a host that listens before it says its driver is not online until a check-in is accepted', async () => {
  const zone = await production.zone()
  const host = await production.host(zone)
  const stream = await production.fetch('/api/agent/events', { headers: { authorization: `Bearer ${host.credential}` } })
  expect(stream.status).toBe(200)
  await production.app.sweep()
  expect((await host.checkIn([reader('A1')], { driver: 'simulated' })).problem).toMatchObject(refusal)
  expect(await listHosts(zone)).toMatchObject([{ isOnline: false, lastSeen: null }])
  await stream.body?.cancel()
})
