import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const release = async (version: string) =>
  (await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'f.crvfw') })).body

/** A zone with a reader, and what its page says of its firmware. */
async function newReader(firmware: string) {
  const zone = await server.zone()
  const host = await server.host(zone)
  const organizationId = zone.organization.id
  const params = { organizationId, location: zone.id, device: 'CR2700' }
  const checkIn = (now: string) => host.checkIn([reader('A', { firmware: now })])
  await checkIn(firmware)
  const publish = (firmwareVersion: string) => zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion } })
  const report = async (outcome: 'applied' | 'failed', reason: string | null = null) => {
    const { publication } = (await host.call('getDesired')).body.firmware[0]!
    const outcomes = [{ publication, serialNumber: 'A', outcome, reason, at: '2026-03-01T02:00:00Z' }]
    await host.call('reportOutcomes', { body: { outcomes } })
  }
  const shown = async () => (await zone.manager.call('getDeviceFirmware', { params: { organizationId, serialNumber: 'A' } })).body
  return { zone, params, checkIn, publish, report, shown }
}

test('a reader waits for the firmware that its zone wants, fails with its reason, has it, and drifts', async () => {
  await release('5.0.10')
  const { zone, checkIn, publish, report, shown } = await newReader('5.0.9')
  expect(await shown()).toEqual({ standing: 'none', reported: '5.0.9' })
  await publish('5.0.10')
  const waiting = await shown()
  expect(waiting).toMatchObject({
    ...{ standing: 'waiting', reported: '5.0.9' },
    desired: { firmware: '5.0.10', revision: 1, updateTime: '02:00', atOnce: false, publishedBy: zone.manager.email },
  })
  expect(Date.parse(waiting.desired!.dueAt!)).toBeGreaterThan(Date.now() - 60_000)
  await report('failed', 'Battery at 14%. Update needs 25%.')
  expect(await shown()).toMatchObject({ standing: 'failed', result: { outcome: 'failed', reason: 'Battery at 14%. Update needs 25%.' } })
  await report('applied')
  // The check-in that shows it is still on its way.
  expect(await shown()).toMatchObject({ standing: 'applied', result: { outcome: 'applied' } })
  await checkIn('5.00.10')
  expect((await shown()).standing).toBe('current')
  await server.app.db
    .updateTable('outcome')
    .set({ reported_at: new Date(Date.now() - 3 * 60_000) })
    .execute()
  await checkIn('5.0.9')
  expect((await shown()).standing).toBe('drifted')
})

test("of a file of the customer's own its outcome says all; another organization learns nothing", async () => {
  const { zone, params, report, shown } = await newReader('4.12.0')
  await zone.manager.call('publishFirmwareFile', { params, fields: {}, file: new File(['own'], 'own.crvfw') })
  expect(await shown()).toMatchObject({ standing: 'waiting', desired: { firmware: 'own.crvfw' } })
  await report('applied')
  expect((await shown()).standing).toBe('current')
  const stranger = (await server.zone()).manager
  const path = { organizationId: zone.organization.id, serialNumber: 'A' }
  expect((await stranger.call('getDeviceFirmware', { params: path })).status).toBe(404)
  expect((await zone.manager.call('getDeviceFirmware', { params: { ...path, serialNumber: 'NOBODY' } })).status).toBe(404)
})
