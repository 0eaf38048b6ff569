import { expect, test } from 'vitest'
import { organizationKey, reader } from '../../testing/makers.ts'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()
const at = new Date().toISOString()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const release = async (version: string) =>
  (await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'f.crvfw') })).body

/** A zone with a reader. `shown` reads what the reader's page shows of its firmware. */
async function newReader(firmware: string) {
  const zone = await server.zone()
  const host = await server.host(zone)
  const organizationId = zone.organization.id
  const params = { organizationId, location: zone.id, device: 'CR2700' }
  const desired = async () => (await host.call('getDesired')).body
  /** `had`: whether the reader had what is desired before. */
  const checkIn = async (now: string, { had = false } = {}) => {
    const firmwarePublication = had ? (await desired()).firmware[0]!.publication : null
    return host.checkIn([reader('A', { firmware: now, firmwarePublication })])
  }
  await checkIn(firmware)
  const publish = (firmwareVersion: string) =>
    zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion, when: 'now' } })
  const report = async (outcome: 'applied' | 'failed', reason: string | null = null) => {
    const { firmware, reapplications } = await desired()
    const publication = reapplications[0]?.id ?? firmware[0]!.publication
    await host.wasHandedEarlier()
    const outcomes = [{ publication, serialNumber: 'A', outcome, reason, at }]
    expect((await host.call('reportOutcomes', { body: { outcomes } })).body.refused).toEqual([])
  }
  const reapply = () => zone.manager.call('reapplyFirmware', { params: { organizationId, serialNumber: 'A' } })
  const reapplications = async () => (await desired()).reapplications.map(({ serialNumber }) => serialNumber)
  const shown = async () => (await zone.manager.call('getDeviceFirmware', { params: { organizationId, serialNumber: 'A' } })).body
  return { zone, params, checkIn, publish, report, reapply, reapplications, shown }
}

test('a reader waits for its zone’s desired firmware, fails with its reason, has it, and drifts', async () => {
  await release('5.0.10')
  const { zone, checkIn, publish, report, shown } = await newReader('5.0.9')
  expect(await shown()).toEqual({ standing: 'none', reported: '5.0.9' })
  await publish('5.0.10')
  const waiting = await shown()
  expect(waiting).toMatchObject({
    standing: 'waiting',
    reported: '5.0.9',
    desired: { firmware: '5.0.10', revision: 1, updateTime: '02:00', atOnce: true, publishedBy: zone.manager.email },
  })
  expect(Date.parse(waiting.desired!.dueAt!)).toBeGreaterThan(Date.now() - 60_000)
  await report('failed', 'Battery at 14%. Update needs 25%.')
  expect(await shown()).toMatchObject({ standing: 'failed', result: { outcome: 'failed', reason: 'Battery at 14%. Update needs 25%.' } })
  await report('applied')
  // No check-in shows the update yet.
  expect(await shown()).toMatchObject({ standing: 'applied', result: { outcome: 'applied' } })
  await checkIn('5.0.9')
  expect((await shown()).standing).toBe('applied')
  await checkIn('5.00.10', { had: true })
  expect((await shown()).standing).toBe('current')
  await checkIn('5.0.9', { had: true })
  expect((await shown()).standing).toBe('drifted')
})

test('a reader whose firmware drifted or failed is given it again, once however often it is asked for', async () => {
  await release('6.0.0')
  const { zone, params, checkIn, publish, report, reapply, reapplications, shown } = await newReader('5.0.9')
  const refusal = async () => (await reapply()).problem.detail
  expect(await refusal()).toBe('Nothing is published for this reader’s model in its zone.')
  await publish('6.0.0')
  expect(await refusal()).toBe('This reader is waiting for its update.')
  await report('failed', 'Battery at 14%. Update needs 25%.')
  expect((await reapply()).body.message).toBe('A gets firmware 6.0.0 as soon as its host PC is reached.')
  expect((await reapply()).status).toBe(200)
  expect(await reapplications()).toEqual(['A'])
  expect(await shown()).toMatchObject({ standing: 'waiting', reapplication: { requestedBy: zone.manager.email } })
  await report('applied')
  await checkIn('6.0.0', { had: true })
  expect(await refusal()).toBe('This reader is up to date.')

  await checkIn('5.0.9', { had: true })
  expect((await reapply()).status).toBe(200)
  expect(await shown()).toMatchObject({ standing: 'drifted' })
  expect(await reapplications()).toEqual(['A'])
  await report('applied')
  await checkIn('6.0.0', { had: true })
  expect(await shown()).toMatchObject({ standing: 'current', reapplication: { result: { outcome: 'applied', at } } })
  const entries = await server.app.db
    .selectFrom('audit_entry')
    .select(['version', 'device_serial', 'zone_name'])
    .where('organization_id', '=', organizationKey(params.organizationId))
    .where('change_type', '=', 'reapplyFirmware')
    .execute()
  const entry = { version: '6.0.0', device_serial: 'A', zone_name: zone.name }
  expect(entries).toEqual([entry, entry])

  const onlyCfg = await server.person({ organization: zone.organization, permissions: ['manage:cfg'] })
  const path = { params: { organizationId: params.organizationId, serialNumber: 'A' } }
  expect((await onlyCfg.call('reapplyFirmware', path)).status).toBe(403)
})

test("of a file of the customer's own its outcome says all; another organization learns nothing", async () => {
  const { zone, params, report, shown } = await newReader('4.12.0')
  await zone.manager.call('publishFirmwareFile', { params, fields: { when: 'now' }, file: new File(['own'], 'own.crvfw') })
  expect(await shown()).toMatchObject({ standing: 'waiting', desired: { firmware: 'own.crvfw' } })
  await report('applied')
  expect((await shown()).standing).toBe('current')
  const stranger = (await server.zone()).manager
  const path = { organizationId: zone.organization.id, serialNumber: 'A' }
  expect((await stranger.call('getDeviceFirmware', { params: path })).status).toBe(404)
  expect((await zone.manager.call('getDeviceFirmware', { params: { ...path, serialNumber: 'NOBODY' } })).status).toBe(404)
})
