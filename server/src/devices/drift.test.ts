import { createHash } from 'node:crypto'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
for (const version of ['4.10.0', '4.11.0'])
  await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'f.crvfw') })

const makeCfg = (number: number) => `<cfg>${number}</cfg>`
const running = (cfg: string) => ({ contentHash: createHash('sha256').update(cfg).digest('hex'), fileName: null })
const byPaper = running('what a paper barcode made of it')

/** A zone with a host, the reader A, and a publish that its host has brought to it. */
async function newZone() {
  const zone = await server.zone()
  const host = await server.host(zone)
  const params = { organizationId: zone.organization.id }
  const publish = async (number: number) => {
    const place = { ...params, location: zone.id, device: 'CR2700' }
    expect((await zone.manager.call('publishCfg', { params: place, body: { cfg: makeCfg(number), when: 'now' } })).status).toBe(200)
    return (await host.call('getDesired')).body.configurations[0]!.publication
  }
  const publishFirmware = async (firmwareVersion: string) => {
    const place = { ...params, location: zone.id, device: 'CR2700' }
    expect((await zone.manager.call('publishFirmwareVersion', { params: place, body: { firmwareVersion, when: 'now' } })).status).toBe(200)
    return (await host.call('getDesired')).body.firmware[0]!.publication
  }
  await host.checkIn([reader('A'), reader('B')])
  const publication = await publish(1)
  const checkIn = (parts: Partial<ReportedDevice>) => host.checkIn([reader('A', parts)])
  const drifted = async () => {
    const { body } = await zone.manager.call('listDevices', { params, query: { onlyDrifted: true } })
    const totals = await zone.manager.call('getDeviceTotals', { params })
    expect(totals.body.drifted).toBe(body.totalCount)
    return body.deviceList.map(({ serialNumber, drifted }) => [serialNumber, drifted])
  }
  return { zone, host, params, publication, publish, publishFirmware, checkIn, drifted }
}

test('a reader that had what its zone wants and runs something else has drifted, until it runs it again', async () => {
  const { publication, checkIn, drifted } = await newZone()
  await checkIn({ configuration: running(makeCfg(1)), publication })
  expect(await drifted()).toEqual([])
  await checkIn({ configuration: byPaper, publication })
  expect(await drifted()).toEqual([['A', true]])
  await checkIn({ configuration: running(makeCfg(1)), publication })
  expect(await drifted()).toEqual([])
  // A factory reset.
  await checkIn({ configuration: null, publication })
  expect(await drifted()).toEqual([['A', true]])
})

test('a reader that waits for its time has not drifted, nor has one whose agent does not say what it had', async () => {
  const { publication, host, checkIn, drifted } = await newZone()
  await checkIn({ configuration: byPaper, publication: null })
  const at = new Date().toISOString()
  await host.call('reportOutcomes', { body: { outcomes: [{ publication, serialNumber: 'A', outcome: 'applied', reason: null, at }] } })
  await checkIn({ configuration: byPaper })
  expect(await drifted()).toEqual([])
})

test('the same bytes under another file name are another configuration', async () => {
  const { publication, checkIn, drifted } = await newZone()
  await checkIn({ configuration: { ...running(makeCfg(1)), fileName: 'other.js' }, publication })
  expect(await drifted()).toEqual([['A', true]])
})

test('no reader has drifted from a new publication, whatever it had before', async () => {
  const { publication, publish, checkIn, drifted } = await newZone()
  await checkIn({ configuration: byPaper, publication })
  expect(await drifted()).toHaveLength(1)
  await publish(2)
  expect(await drifted()).toEqual([])
  // The host has not learned of it yet.
  await checkIn({ configuration: byPaper, publication })
  expect(await drifted()).toEqual([])
})

test('a publish waits for a check-in that finds drift, so that none is left from what it replaces', async () => {
  const { zone, publication, publish, checkIn, drifted } = await newZone()
  await checkIn({ configuration: running(makeCfg(1)), publication })
  const open = await db.startTransaction().execute()
  onTestFinished(async () => {
    if (!open.isRolledBack) await open.rollback().execute()
  })
  const countWaiting = async () =>
    (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)).rows.length
  await sql`select from device where organization_id = ${zone.organization.key} and serial_number = 'A' for update`.execute(open)
  const checkedIn = checkIn({ configuration: byPaper, publication })
  await expect.poll(countWaiting).toBe(1)
  const published = publish(2)
  await expect.poll(countWaiting).toBe(2)
  await open.rollback().execute()
  expect((await checkedIn).status).toBe(200)
  await published
  expect(await drifted()).toEqual([])
})

test('a reader that had the firmware of its zone and reports another one has drifted, until it has it again', async () => {
  const { publishFirmware, checkIn, drifted } = await newZone()
  const firmwarePublication = await publishFirmware('4.10.0')
  // It waits, or has failed.
  await checkIn({ firmware: '4.9.2', firmwarePublication: null })
  expect(await drifted()).toEqual([])
  await checkIn({ firmware: '4.09.2', firmwarePublication })
  expect(await drifted()).toEqual([['A', true]])
  await checkIn({ firmware: '4.010.0', firmwarePublication })
  expect(await drifted()).toEqual([])
  await checkIn({ firmware: null, firmwarePublication })
  expect(await drifted()).toEqual([['A', true]])
  // No reader has had the new publication.
  await publishFirmware('4.11.0')
  expect(await drifted()).toEqual([])
  await checkIn({ firmware: '4.9.2', firmwarePublication })
  expect(await drifted()).toEqual([])
})

test('configuration and firmware drift apart: a reader with both has drifted once, and a publish of one leaves the other', async () => {
  const { zone, params, publication, publish, publishFirmware, checkIn, drifted } = await newZone()
  const firmwarePublication = await publishFirmware('4.10.0')
  await checkIn({ configuration: byPaper, publication, firmware: '4.9.2', firmwarePublication })
  expect(await drifted()).toEqual([['A', true]])
  const standings = async () => {
    const path = { params: { ...params, serialNumber: 'A' } }
    const [configuration, firmware] = [
      await zone.manager.call('getDeviceConfiguration', path),
      await zone.manager.call('getDeviceFirmware', path),
    ]
    return [configuration.body.standing, firmware.body.standing]
  }
  expect(await standings()).toEqual(['drifted', 'drifted'])
  await publish(2)
  expect(await drifted()).toEqual([['A', true]])
  expect(await standings()).toEqual(['waiting', 'drifted'])
  await publishFirmware('4.11.0')
  expect(await drifted()).toEqual([])
  expect(await standings()).toEqual(['waiting', 'waiting'])
})

test("a file of the customer's own has no version that a reader could drift from", async () => {
  const { zone, host, params, checkIn, drifted } = await newZone()
  const place = { ...params, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishFirmwareFile', { params: place, fields: { when: 'now' }, file: new File(['own'], 'own.crvfw') })
  const firmwarePublication = (await host.call('getDesired')).body.firmware[0]!.publication
  await checkIn({ firmware: '4.9.2', firmwarePublication })
  expect(await drifted()).toEqual([])
})

test('a reader whose zone was deleted has nothing to drift from', async () => {
  const { zone, host, params, publication, publishFirmware, checkIn, drifted } = await newZone()
  await checkIn({ configuration: byPaper, publication, firmwarePublication: await publishFirmware('4.10.0') })
  expect(await drifted()).toHaveLength(1)
  await zone.manager.call('removeHost', { params: { ...params, host: host.hostId } })
  expect((await zone.manager.call('deleteZone', { params: { ...params, location: zone.id } })).status).toBe(204)
  expect(await drifted()).toEqual([])
  const { body } = await zone.manager.call('getDevice', { params: { ...params, serialNumber: 'A' } })
  expect(body).not.toHaveProperty('drifted')
})

test('drift is one filter of several, and goes with a search', async () => {
  const { zone, params, publication, checkIn } = await newZone()
  await checkIn({ configuration: byPaper, publication })
  const list = (query: Record<string, unknown>) => zone.manager.call('listDevices', { params, query })
  expect((await list({ onlyDrifted: true, onlyOffline: true })).status).toBe(400)
  expect((await list({ onlyDrifted: true, textFilter: 'cr2700' })).body.deviceList.map(({ serialNumber }) => serialNumber)).toEqual(['A'])
  const { body } = await list({})
  expect(body.deviceList.map(({ serialNumber, drifted }) => [serialNumber, drifted]).sort()).toEqual([
    ['A', true],
    ['B', undefined],
  ])
})

test.each(['A/1', 'A 1 %2F?#&<b>', 'é"\''])('a reader is found by its serial number, whatever is in it: %s', async (serialNumber) => {
  const { zone, host, params } = await newZone()
  await host.checkIn([reader(serialNumber)])
  const { status, body } = await zone.manager.call('getDevice', { params: { ...params, serialNumber } })
  expect({ status, serialNumber: body.serialNumber }).toEqual({ status: 200, serialNumber })
})

test('another organization’s reader is unknown, as one that does not exist; one that a path could not name is refused', async () => {
  const { host, params } = await newZone()
  const other = await server.zone()
  await host.checkIn([reader('A')])
  for (const name of ['getDevice', 'getDeviceConfiguration', 'getDeviceFirmware', 'reapplyFirmware'] as const)
    for (const organizationId of [other.organization.id, params.organizationId])
      expect((await other.manager.call(name, { params: { organizationId, serialNumber: 'A' } })).status).toBe(404)
  expect((await host.checkIn([reader('..')])).body).toMatchObject({ accepted: 0, refused: [{ serialNumber: '..' }] })
})
