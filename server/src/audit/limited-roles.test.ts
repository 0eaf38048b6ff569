import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

test('[PPL-04] the audit log has entries of its zones and its own deeds, in lists, counts, choices and files', async () => {
  const zone = await server.zone('Ward')
  const { organization, manager } = zone
  const elsewhere = await server.zone('Elsewhere', organization)
  const params = { organizationId: organization.id }
  const limited = await server.limitedPerson(organization, [zone], ['manage:firmware', 'access:audit_log'])
  await manager.call('setZoneNote', { params: { ...params, location: zone.id }, body: { note: 'A note' } })
  await manager.call('setZoneNote', { params: { ...params, location: elsewhere.id }, body: { note: 'Another note' } })
  await limited.call('saveConfiguration', { params: { ...params, deviceName: 'CR2700', name: 'Mine' }, body: ['CFR'] })
  await manager.call('saveConfiguration', { params: { ...params, deviceName: 'CR2700', name: 'Theirs' }, body: ['CFR'] })

  const page = (query: object) => limited.call('listAuditEntries', { params, query: { PageSize: 10, ...query } })
  const { body } = await page({})
  expect(body.entryList.map(({ changeType, zoneName, configName }) => [changeType, zoneName ?? configName])).toEqual([
    ['AdvancedConfigCreated', 'Mine'],
    ['setZoneNote', 'Ward'],
    ['ZoneCreate', 'Ward'],
  ])
  expect(body).toMatchObject({ totalCount: 3, hasMore: false })
  expect((await page({ changeType: 'setZoneNote' })).body.totalCount).toBe(1)
  expect((await page({ before: body.entryList[0]!.id })).body.entryList).toHaveLength(2)
  expect((await limited.call('getAuditChoices', { params })).body).toEqual({
    changeTypes: [
      { changeType: 'AdvancedConfigCreated', count: 1 },
      { changeType: 'ZoneCreate', count: 1 },
      { changeType: 'setZoneNote', count: 1 },
    ],
    people: [limited.email, manager.email].sort(),
    zones: ['Ward'],
  })
  const file = (await limited.call('downloadAuditLog', { params })).text.trim().split('\r\n')
  expect(file).toHaveLength(4)
  expect((await limited.call('listAuditEntries', { params })).text).not.toMatch(/Elsewhere|Theirs/)
})

test('[PPL-04] a zone that is called as a deleted one has not its entries', async () => {
  const former = await server.zone('Ward')
  const { organization, manager } = former
  const params = { organizationId: organization.id }
  await manager.call('setZoneNote', { params: { ...params, location: former.id }, body: { note: 'Of the former' } })
  await manager.call('deleteZone', { params: { ...params, location: former.id } })
  const zone = await server.zone('Ward', organization)
  const limited = await server.limitedPerson(organization, [zone], ['access:audit_log'])
  const { body } = await limited.call('listAuditEntries', { params, query: { PageSize: 10 } })
  expect(body.entryList.map(({ changeType }) => changeType)).toEqual(['ZoneCreate'])
})

test('[PPL-04] a reader that came from another zone is told without where it was, in lists, searches and files', async () => {
  const zone = await server.zone('Ward')
  const other = await server.zone('Elsewhere', zone.organization)
  await (await server.host(other, 'HOST-THERE')).checkIn([reader('A')])
  await (await server.host(zone, 'HOST-HERE')).checkIn([reader('A')])
  const params = { organizationId: zone.organization.id }
  const limited = await server.limitedPerson(zone.organization, [zone], ['access:audit_log'])
  const list = async (query: object) => (await limited.call('listAuditEntries', { params, query: { PageSize: 10, ...query } })).body
  const { entryList } = await list({ changeType: 'moveDevice' })
  expect(entryList.map(formatSentence)).toEqual(['Lectern moved the reader A to HOST-HERE in Ward'])
  expect(await list({ textFilter: 'there' })).toMatchObject({ totalCount: 0 })
  const file = (await limited.call('downloadAuditLog', { params })).text
  expect(file).toContain('Lectern moved the reader A to HOST-HERE in Ward')
  expect(file).not.toMatch(/HOST-THERE|Elsewhere/)
})
