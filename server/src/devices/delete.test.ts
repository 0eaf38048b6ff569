import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { rolloutZone } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

async function open() {
  const { zone, organizationId, host, manager, publish, report, detail } = await rolloutZone(server, ['A', 'B', 'C'])
  const one = (serialNumber: string) => ({ params: { organizationId, serialNumber } })
  return {
    zone,
    organizationId,
    host,
    manager,
    publish,
    report,
    detail,
    read: async (serial: string) => (await manager.call('getDevice', one(serial))).body,
    remove: (serial: string) => manager.call('deleteDevice', one(serial)),
    totals: async () => (await manager.call('getDeviceTotals', { params: { organizationId } })).body,
  }
}

test('[LMT-09] a reader that its host PC no longer reports can be deleted, one that it reports cannot', async () => {
  const { host, manager, organizationId, read, remove, totals } = await open()
  expect(await read('A')).not.toHaveProperty('removable')
  const { status, problem } = await remove('A')
  expect([status, problem.detail]).toEqual([
    409,
    'HOST-01 still reports this reader. Unplug it and wait for the next check-in, or remove the host PC.',
  ])
  await host.checkIn([reader('B'), reader('C')])
  expect(await read('A')).toMatchObject({ serialNumber: 'A', removable: true })
  expect((await remove('A')).status).toBe(204)
  expect((await remove('A')).problem).toMatchObject({ status: 404, detail: 'There is no such reader.' })
  expect(await totals()).toMatchObject({ allDevices: 2 })

  // Of a host PC that was removed all can be.
  await manager.call('removeHost', { params: { organizationId, host: host.hostId } })
  expect(await read('B')).toMatchObject({ removable: true })
  expect((await remove('B')).status).toBe(204)
  expect(await totals()).toMatchObject({ allDevices: 1 })
})

test('[LMT-09] its entries stay in the audit log, where its deletion is one; a rollout counts it no more', async () => {
  const { zone, host, manager, organizationId, publish, report, detail, remove } = await open()
  const { id } = await publish('1')
  await report(['A', 'applied'], ['B', 'failed'])
  await host.checkIn([reader('C')])
  expect((await remove('A')).status).toBe(204)
  expect((await remove('B')).status).toBe(204)
  expect((await detail(id)).counts).toMatchObject({ readers: 1, applied: 0, failed: 0 })
  const auditor = await server.person({ organization: zone.organization, permissions: ['access:audit_log'] })
  const query = { changeType: 'deleteDevice', PageNumber: 0, PageSize: 10 }
  const { body } = await auditor.call('listAuditEntries', { params: { organizationId }, query })
  expect(body.entryList.map(({ deviceSerial, zoneName, initiatorEmail }) => [deviceSerial, zoneName, initiatorEmail]).sort()).toEqual([
    ['A', 'ICU 3 North', manager.email],
    ['B', 'ICU 3 North', manager.email],
  ])
})

test('[LMT-09] a host PC that reports it again brings it back as new', async () => {
  const { host, read, remove, totals } = await open()
  await host.checkIn([reader('B'), reader('C')])
  await remove('A')
  expect((await host.checkIn([reader('A'), reader('B'), reader('C')])).status).toBe(200)
  expect(await read('A')).toMatchObject({ serialNumber: 'A', zone: 'ICU 3 North' })
  expect(await totals()).toMatchObject({ allDevices: 3 })
})
