import type { UpdateModel } from '@lectern/contract/devices/device-models.ts'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })

const release = async (version: string, device: UpdateModel = 'CR2700') =>
  (await staff.call('uploadFirmwareRelease', { fields: { device, version }, file: new File([`${device} ${version}`], 'f.crvfw') })).body

/** A zone with readers A and B, the first of which was given a firmware, and its audit log. */
async function newZone(firmwareVersion: string) {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn([reader('A', { firmware: '4.12.0' }), reader('B', { firmware: '4.11.3' })])
  const organizationId = zone.organization.id
  const params = { organizationId, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishFirmwareVersion', { params, body: { firmwareVersion, when: 'now' } })
  const auditor = await server.person({ organization: zone.organization, permissions: ['access:audit_log'] })
  const firmware = async () => (await host.call('getDesired')).body.firmware[0]!
  const { publication } = await firmware()
  const report = (...outcomes: [serialNumber: string, outcome: 'applied' | 'failed'][]) =>
    host.call('reportOutcomes', {
      body: {
        outcomes: outcomes.map(([serialNumber, outcome]) => ({
          publication,
          serialNumber,
          outcome,
          reason: outcome === 'failed' ? 'Battery at 14%. Update needs 25%.' : null,
          at: new Date().toISOString(),
        })),
      },
    })
  const installed = async () => {
    const query = { changeType: 'FirmwareInstalled', PageSize: 25, PageNumber: 0 }
    const { entryList } = (await auditor.call('listAuditEntries', { params: { organizationId }, query })).body
    return entryList
  }
  return { zone, host, report, installed, firmware }
}

test('an installed firmware leaves one entry, however often it is reported; a failure none', async () => {
  const { contentHash, version } = await release('4.13.0')
  const { zone, report, installed } = await newZone(version)
  await report(['A', 'failed'], ['B', 'applied'])
  await Promise.all([report(['B', 'applied']), report(['B', 'applied'], ['A', 'failed'])])
  expect(await installed()).toMatchObject([
    {
      changeType: 'FirmwareInstalled',
      deviceSerial: 'B',
      zoneName: zone.name,
      target: 'CR2700',
      version: '4.13.0',
      newValue: contentHash,
      initiatorEmail: null,
      address: '127.0.0.1',
    },
  ])
  // It failed first, and took it in the end.
  await report(['A', 'applied'])
  await report(['A', 'failed'])
  expect((await installed()).map(({ deviceSerial }) => deviceSerial).sort()).toEqual(['A', 'B'])
})

test('a configuration leaves none', async () => {
  const { zone, host, installed } = await newZone((await release('4.14.0')).version)
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', when: 'now' } })
  const { publication } = (await host.call('getDesired')).body.configurations[0]!
  const outcome = { publication, serialNumber: 'A', outcome: 'applied', reason: null, at: new Date().toISOString() }
  expect((await host.call('reportOutcomes', { body: { outcomes: [outcome] } })).body.refused).toEqual([])
  expect(await installed()).toEqual([])
})

test('a host receives the releases that its readers run now, and may fetch them to return to', async () => {
  const [before, after, other] = [await release('4.12.0'), await release('4.15.0'), await release('4.12.0', 'CR1500')]
  const { host, firmware } = await newZone(after.version)
  await host.checkIn([reader('B', { firmware: '4.15.0' })])
  expect(await firmware()).toMatchObject({
    version: '4.15.0',
    contentHash: after.contentHash,
    atOnce: true,
    halted: false,
    previous: [{ version: '4.12.0', contentHash: before.contentHash, size: before.size }],
  })
  const fetched = await host.call('downloadContent', { params: { hash: before.contentHash } })
  expect(fetched.status).toBe(200)
  expect((await host.call('downloadContent', { params: { hash: other.contentHash } })).status).toBe(200)
  expect((await host.call('downloadContent', { params: { hash: 'a'.repeat(64) } })).status).toBe(404)
})
