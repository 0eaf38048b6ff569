import type { AuditEntry } from '@lectern/contract/audit/audit.ts'
import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { parseCsv } from '../testing/csv.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { sweepAuditCounts } from './audit.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
for (const version of ['4.13.0', '4.14.0'])
  await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'f.crvfw') })

/** Two zones with a host PC and two readers each, and their audit log. */
async function newFleet() {
  const icu = await server.zone('ICU')
  const lab = await server.zone('Lab', icu.organization)
  const hosts = [await server.host(icu, 'HOST-ICU'), await server.host(lab, 'HOST-LAB')] as const
  await hosts[0].checkIn([reader('I1'), reader('I2')])
  await hosts[1].checkIn([reader('L1'), reader('L2')])
  const { manager, organization } = icu
  const organizationId = organization.id
  const auditor = await server.person({ organization, permissions: ['access:audit_log'] })
  const publish = async (zone: typeof icu, rollout: string, version = '4.13.0') =>
    manager.call('publishFirmwareVersion', {
      params: { organizationId, location: zone.id, device: 'CR2700' },
      body: { firmwareVersion: version, when: 'now', rollout },
    })
  const install = async (host: (typeof hosts)[number], ...serials: string[]) => {
    const { firmware, returns } = (await host.call('getDesired', { query: { knowsReturns: true } })).body
    const { publication, version } = (returns.firmware[0] ?? firmware[0])!
    const at = new Date().toISOString()
    const outcomes = serials.map((serialNumber) => ({ publication, serialNumber, outcome: 'applied', reason: null, at }))
    expect((await host.call('reportOutcomes', { body: { outcomes } })).status).toBe(200)
    await host.checkIn(serials.map((serial) => reader(serial, { firmware: version, firmwarePublication: publication })))
  }
  const page = async (query: Record<string, unknown> = {}) =>
    (await auditor.call('listAuditEntries', { params: { organizationId }, query: { PageNumber: 0, PageSize: 100, ...query } })).body
  const whole = async (query: Record<string, unknown>) =>
    (await auditor.call('listAuditEntries', { params: { organizationId }, query })).body as unknown as AuditEntry[]
  const download = async () =>
    parseCsv(
      await (
        await server.fetch(`/api/codedm/organization/${organizationId}/audit-log/download`, {
          headers: { authorization: `Bearer ${auditor.token}` },
        })
      ).text(),
    )
  return { icu, lab, hosts, manager, organizationId, publish, install, page, whole, download }
}
/** Without the person, who has no name. */
const say = (entries: readonly AuditEntry[]) => entries.map((entry) => formatSentence(entry).replace(/^\S+@people\.example /, ''))

test('[RCD-02] a rollout is one entry with its zones and readers inside; each of them stays reachable and in the export', async () => {
  const { icu, lab, hosts, manager, organizationId, publish, install, page, whole, download } = await newFleet()
  const rollout = uuidv7()
  for (const zone of [icu, lab]) await publish(zone, rollout)
  await manager.call('publishCfg', {
    params: { organizationId, location: lab.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', when: 'now', rollout },
  })
  await install(hosts[0], 'I1', 'I2')
  await install(hosts[1], 'L1')
  await sweepAuditCounts(db)
  await install(hosts[1], 'L2')

  const folded = await page({ fold: true })
  expect(say(folded.entryList)).toEqual([
    'set firmware 4.13.0 for CR2700 in ICU',
    `Host PC HOST-LAB enrolled in Lab with the licence ${folded.entryList[1]!.newValue}`,
    expect.stringMatching(/^Host PC HOST-ICU enrolled in ICU/),
    'created the zone Lab',
    'created the zone ICU',
  ])
  expect(folded.entryList.map(({ folded }) => folded)).toEqual([{ zones: 2, parts: 3, readers: 4 }, ...Array(4).fill(undefined)])
  expect([folded.totalCount, folded.hasMore]).toEqual([5, false])
  // In pages as well, and whole.
  expect(say((await page({ fold: true, PageSize: 2, PageNumber: 1 })).entryList)).toEqual(say(folded.entryList.slice(2, 4)))
  expect(say(await whole({ fold: true }))).toEqual(say(folded.entryList))

  const inside = await page({ rollout, fold: true })
  expect([inside.totalCount, inside.entryList.every((entry) => entry.rollout === rollout)]).toEqual([7, true])
  expect(say(inside.entryList).toSorted()).toEqual([
    'Host PC HOST-ICU installed firmware 4.13.0 on I1 in ICU',
    'Host PC HOST-ICU installed firmware 4.13.0 on I2 in ICU',
    'Host PC HOST-LAB installed firmware 4.13.0 on L1 in Lab',
    'Host PC HOST-LAB installed firmware 4.13.0 on L2 in Lab',
    expect.stringMatching(/^set firmware 4.13.0 for CR2700 in ICU$/),
    'set firmware 4.13.0 for CR2700 in Lab',
    expect.stringMatching(/^set the configuration of CR2700 in Lab to CFG /),
  ])
  expect((await page()).totalCount).toBe(11)
  const rows = (await download()).slice(1)
  expect(rows).toHaveLength(11)
  expect(rows.filter((row) => row.at(-1) === rollout)).toHaveLength(7)
  expect(rows.filter((row) => row.at(-2) === 'HOST-LAB').map((row) => row[2])).toEqual([
    'FirmwareInstalled',
    'FirmwareInstalled',
    'enrolHost',
  ])
})

test('[RCD-02] a zone shows what a rollout did there once; a reader and a text find single entries', async () => {
  const { icu, lab, hosts, manager, publish, install, page } = await newFleet()
  const rollout = uuidv7()
  for (const zone of [icu, lab]) await publish(zone, rollout)
  await install(hosts[1], 'L1', 'L2')
  const found = async (query: Record<string, unknown>) => {
    const { entryList, totalCount } = await page({ fold: true, ...query })
    expect(totalCount).toBe(entryList.length)
    return say(entryList)
  }
  expect(await found({ zone: 'Lab' })).toEqual([
    'set firmware 4.13.0 for CR2700 in Lab',
    expect.stringMatching(/^Host PC/),
    'created the zone Lab',
  ])
  expect(await found({ person: manager.email })).toEqual(['set firmware 4.13.0 for CR2700 in ICU', 'created the zone ICU'])
  expect(await found({ device: 'L2' })).toEqual(['Host PC HOST-LAB installed firmware 4.13.0 on L2 in Lab'])
  expect(await found({ textFilter: 'host-lab' })).toHaveLength(3)
})

test('[RIT-07] a chosen type keeps its rollouts folded: one entry of each that has such a change, with its count, and all others as they are', async () => {
  const { icu, lab, hosts, manager, organizationId, publish, install, page, whole, download } = await newFleet()
  const [first, mixed, plain] = [uuidv7(), uuidv7(), uuidv7()]
  const configure = (zone: typeof icu, rollout: string, cfg: string) =>
    manager.call('publishCfg', {
      params: { organizationId, location: zone.id, device: 'CR2700' },
      body: { cfg: `<cfg>${cfg}</cfg>`, when: 'now', rollout },
    })
  for (const zone of [icu, lab]) await publish(zone, first)
  await install(hosts[0], 'I1', 'I2')
  await install(hosts[1], 'L1')
  for (const zone of [icu, lab]) {
    await publish(zone, mixed, '4.14.0')
    await configure(zone, mixed, 'mixed')
  }
  for (const zone of [icu, lab]) await configure(zone, plain, 'plain')
  await sweepAuditCounts(db)
  const found = async (changeType: string, more: Record<string, unknown> = {}) => {
    const { entryList, totalCount, hasMore } = await page({ fold: true, changeType, ...more })
    expect([totalCount, hasMore]).toEqual([entryList.length, false])
    return entryList.map(({ rollout, folded }) => [rollout, folded])
  }
  const all = {
    first: [first, { zones: 2, parts: 2, readers: 3 }],
    mixed: [mixed, { zones: 2, parts: 4, readers: 0 }],
    plain: [plain, { zones: 2, parts: 2, readers: 0 }],
  }
  expect(await found('ZoneFirmwareChange')).toEqual([all.mixed, all.first])
  expect(await found('ZoneConfigChange')).toEqual([all.plain, all.mixed])
  expect(await found('FirmwareInstalled')).toEqual([all.first])
  expect(await found('ZoneCreate')).toEqual([
    [undefined, undefined],
    [undefined, undefined],
  ])
  expect(await found('ZoneFirmwareChange', { zone: 'Lab' })).toEqual([all.mixed, all.first])
  expect(await found('ZoneFirmwareChange', { person: manager.email, from: '2020-01-01T00:00:00Z' })).toEqual([all.mixed, all.first])
  // Single entries, as ever: without folding, inside a rollout, and in the file.
  expect((await page({ changeType: 'ZoneFirmwareChange' })).totalCount).toBe(4)
  expect((await page({ fold: true, changeType: 'FirmwareInstalled', rollout: first })).totalCount).toBe(3)
  expect(await whole({ fold: true, changeType: 'ZoneFirmwareChange' })).toHaveLength(2)
  expect((await download()).filter((row) => row[2] === 'ZoneFirmwareChange')).toHaveLength(4)
})

test('[RIT-07] a role that is limited to zones has its rollouts folded by zone, also by type', async () => {
  const { icu, lab, manager, organizationId, publish } = await newFleet()
  const rollout = uuidv7()
  for (const zone of [icu, lab]) await publish(zone, rollout)
  await manager.call('publishFirmwareVersion', {
    params: { organizationId, location: lab.id, device: 'CR1500' },
    body: { firmwareVersion: 'latest', when: 'now', rollout },
  })
  await manager.call('publishCfg', {
    params: { organizationId, location: lab.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', when: 'now', rollout },
  })
  const limited = await server.limitedPerson(lab.organization, [lab], ['access:audit_log'])
  const query = { PageNumber: 0, PageSize: 10, fold: true, changeType: 'ZoneFirmwareChange' }
  const { entryList } = (await limited.call('listAuditEntries', { params: { organizationId }, query })).body
  expect(say(entryList)).toEqual(['set firmware 4.13.0 for CR2700 in Lab'])
})

test('[RCD-02] what a person rolls back is one entry, with what is published again inside', async () => {
  const { icu, lab, hosts, organizationId, manager, publish, install, page } = await newFleet()
  const [first, second] = [uuidv7(), uuidv7()]
  for (const zone of [icu, lab]) await publish(zone, first)
  await install(hosts[0], 'I1')
  await install(hosts[1], 'L1')
  for (const zone of [icu, lab]) await publish(zone, second, '4.14.0')
  await install(hosts[0], 'I1')
  await install(hosts[1], 'L1')
  const { body } = await manager.call('rollBackRollout', { params: { organizationId, id: second }, body: { updateTime: null } })
  await install(hosts[0], 'I1')
  const { entryList } = await page({ fold: true, PageSize: 3 })
  expect(say(entryList)).toEqual([
    'rolled back Firmware 4.14.0',
    'set firmware 4.14.0 for CR2700 in ICU',
    'set firmware 4.13.0 for CR2700 in ICU',
  ])
  expect(entryList[0]).toMatchObject({ rollout: body.id, folded: { zones: 2, parts: 2, readers: 1 } })
  expect((await page({ rollout: body.id })).totalCount).toBe(4)
})

test('[RCD-02] of a rollout from before the upgrade, which has no entry, each reader is shown', async () => {
  const { icu, hosts, publish, install, page } = await newFleet()
  const rollout = uuidv7()
  await publish(icu, rollout)
  await sql`alter table audit_entry disable trigger user`.execute(db)
  await sql`update audit_entry set rollout_id = null where rollout_id = ${rollout}`.execute(db)
  await sql`alter table audit_entry enable trigger user`.execute(db)
  await install(hosts[0], 'I1', 'I2')
  const { entryList } = await page({ fold: true, PageSize: 3 })
  expect(entryList.map(({ changeType, folded }) => [changeType, folded])).toEqual([
    ['FirmwareInstalled', undefined],
    ['FirmwareInstalled', undefined],
    ['ZoneFirmwareChange', undefined],
  ])
})

test('[RCD-03] an unknown user is a person who is unknown; a host PC is called by its name', async () => {
  const { icu, hosts, publish, install, page } = await newFleet()
  await publish(icu, uuidv7())
  await install(hosts[0], 'I1')
  const { entryList } = await page({ changeType: 'FirmwareInstalled' })
  expect(entryList).toMatchObject([{ hostName: 'HOST-ICU', zoneName: 'ICU', initiatorEmail: null }])
  expect(entryList[0]).not.toHaveProperty('user')
  const said = say((await page()).entryList)
  expect(said.filter((sentence) => sentence.includes('unknown'))).toEqual([])
})
