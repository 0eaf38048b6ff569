import type { DeviceModel } from '@lectern/contract/devices/device-models.ts'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const release = async (version: string) =>
  (await staff.call('uploadFirmwareRelease', { fields: { device: 'A271/2', version }, file: new File([version], 'f.crbfw') })).body
const model = { deviceType: 'A271/2' as const }

/** An organization with two zones, each with a host. */
async function newPlace() {
  const zone = await server.zone()
  const second = await server.zone('Second', zone.organization)
  const [one, two] = [await server.host(zone, 'ONE'), await server.host(second, 'TWO')]
  const params = { organizationId: zone.organization.id }
  const totals = async (device: DeviceModel = 'A271/2') =>
    (await zone.manager.call('getModelTotals', { params: { ...params, device } })).body
  return { zone, second, one, two, params, totals }
}

test('readers and zones of a model, and how many of them report its newest version, by the order of versions', async () => {
  const { zone, second, one, two, params, totals } = await newPlace()
  expect(await totals()).toEqual({ readers: 0, zones: 0 })
  await one.checkIn([
    reader('A', { ...model, firmware: '4.10.0' }),
    reader('B', { ...model, firmware: '4.9.0' }),
    reader('C', { ...model, firmware: null }),
    reader('OTHER', { firmware: '4.10.0' }),
  ])
  await two.checkIn([reader('D', { ...model, firmware: '4.010.0' })])
  // A model without a release.
  expect(await totals()).toEqual({ readers: 4, zones: 2 })
  const newest = await release('4.10.0')
  await release('4.9.0')
  expect(await totals()).toEqual({ readers: 4, zones: 2, latestFirmware: '4.10.0', onLatest: 2 })
  await one.checkIn([reader('B', { ...model, firmware: '4.10.0' })])
  expect(await totals()).toMatchObject({ onLatest: 3 })
  // The newest is the newest that can be chosen.
  await staff.call('offerFirmwareRelease', { params: { id: newest.id }, body: { isOffered: false } })
  expect(await totals()).toEqual({ readers: 4, zones: 2, latestFirmware: '4.9.0', onLatest: 0 })

  await zone.manager.call('removeHost', { params: { ...params, host: two.hostId } })
  await zone.manager.call('deleteZone', { params: { ...params, location: second.id } })
  expect(await totals()).toMatchObject({ readers: 4, zones: 1 })
  expect(await totals('CR2700')).toEqual({ readers: 1, zones: 1 })
})

test('another organization’s readers do not count; a model that does not exist is refused', async () => {
  const { one, params } = await newPlace()
  await one.checkIn([reader('A', model)])
  const stranger = (await server.zone()).manager
  expect((await stranger.call('getModelTotals', { params: { ...params, device: 'A271/2' } })).status).toBe(404)
  const own = await newPlace()
  expect((await own.zone.manager.call('getModelTotals', { params: { ...own.params, device: 'A272' } })).status).toBe(400)
  expect(await own.totals()).toMatchObject({ readers: 0, zones: 0 })
})
