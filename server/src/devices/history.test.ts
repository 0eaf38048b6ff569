import { createHash } from 'node:crypto'
import type { DeviceEvent, DeviceHistory } from '@lectern/contract/devices/history.ts'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { countBuffers, explain } from '../testing/database/plans.ts'
import { notifiedDatabase } from '../testing/database/statements.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { sweepStanding } from './devices.ts'
import { selectEvents } from './history-sql.ts'

const server = await serverForFile()
const { db } = server.app

const makeCfg = (number: number) => `<cfg>${number}</cfg>`
const hash = (text: string) => createHash('sha256').update(text).digest('hex')
const label = (text: string) => `CFG ${hash(text).slice(0, 8)}`
const running = (text: string) => ({ contentHash: hash(text), fileName: null })
const minutesAgo = (minutes: number) => new Date(Date.now() - minutes * 60_000).toISOString()

/** A zone with a host and the reader A, and what its page shows. */
async function newReader() {
  const zone = await server.zone('ICU')
  const host = await server.host(zone, 'HOST-ICU')
  const { manager, organization } = zone
  const organizationId = organization.id
  await host.checkIn([reader('A')])
  const publish = async (number: number) => {
    const params = { organizationId, location: zone.id, device: 'CR2700' }
    await manager.call('publishCfg', { params, body: { cfg: makeCfg(number), when: 'now' } })
    const { configurations } = (await host.call('getDesired')).body
    await host.wasHandedEarlier()
    return configurations[0]!.publication
  }
  const report = async (publication: string, outcome: 'applied' | 'failed', at: string, reason = outcome === 'failed' ? 'Locked.' : null) =>
    expect(
      (await host.call('reportOutcomes', { body: { outcomes: [{ publication, serialNumber: 'A', outcome, reason, at }] } })).body,
    ).toEqual({
      refused: [],
    })
  const member = await server.person({ organization })
  const page = async (query: Record<string, unknown> = {}): Promise<DeviceHistory> =>
    (await member.call('listDeviceEvents', { params: { organizationId, serialNumber: 'A' }, query })).body
  const told = async () => (await page()).eventList.map(tell)
  const checkIn = (parts: Partial<ReportedDevice>) => host.checkIn([reader('A', parts)])
  return { zone, host, manager, organizationId, organization, publish, report, member, page, told, checkIn }
}

const tell = ({ kind, content, running: ran, reason, from, to, requestedBy }: DeviceEvent) =>
  [kind, content, ran && `ran ${ran}`, reason, from && `from ${from}`, to && `to ${to}`, requestedBy && 'again'].filter(Boolean).join(', ')

test('[RCD-01] a reader’s history has its publications with their outcome, failures with their reason, and who published them', async () => {
  const { manager, publish, report, page, told, zone } = await newReader()
  expect((await page()).eventList).toEqual([])
  const first = await publish(1)
  await report(first, 'applied', minutesAgo(50))
  const second = await publish(2)
  const at = minutesAgo(40)
  await report(second, 'failed', at)
  await report(second, 'failed', at)
  await report(second, 'failed', minutesAgo(30), 'Battery at 14%.')
  await report(second, 'applied', minutesAgo(20))
  expect(await told()).toEqual([
    `applied, ${label(makeCfg(2))}`,
    `failed, ${label(makeCfg(2))}, Battery at 14%.`,
    `failed, ${label(makeCfg(2))}, Locked.`,
    `applied, ${label(makeCfg(1))}`,
  ])
  const [event] = (await page()).eventList
  expect(event).toMatchObject({
    contentKind: 'configuration',
    revision: 2,
    zone: zone.name,
    publishedBy: manager.email,
    rollout: expect.stringMatching(/^[0-9a-f-]{36}$/),
    at: expect.stringMatching(/Z$/),
  })
})

test('[RCD-01] what a person has applied again says who, and how it ended', async () => {
  const { host, manager, organizationId, publish, report, told, page } = await newReader()
  const publication = await publish(1)
  await report(publication, 'failed', minutesAgo(30))
  await manager.call('reapplyConfiguration', { params: { organizationId, serialNumber: 'A' } })
  expect(await told()).toEqual([`failed, ${label(makeCfg(1))}, Locked.`])
  const again = (await host.call('getDesired')).body.reapplications[0]!.id
  await report(again, 'applied', minutesAgo(0))
  expect(await told()).toEqual([`applied, ${label(makeCfg(1))}, again`, `failed, ${label(makeCfg(1))}, Locked.`])
  expect((await page()).eventList[0]).toMatchObject({ reapplied: true, requestedBy: manager.email })
})

test('[RCD-01] drift and its end are there, with what the reader ran instead', async () => {
  const { publish, report, checkIn, told } = await newReader()
  const publication = await publish(1)
  await report(publication, 'applied', minutesAgo(30))
  await checkIn({ configuration: running(makeCfg(1)), publication })
  await checkIn({ configuration: running('paper'), publication })
  await checkIn({ configuration: running('paper'), publication, batteryHealth: 10 })
  await checkIn({ configuration: null, publication })
  await checkIn({ configuration: running(makeCfg(1)), publication })
  const history = [
    `returned, ran ${label(makeCfg(1))}`,
    `drifted, ${label(makeCfg(1))}`,
    `drifted, ${label(makeCfg(1))}, ran ${label('paper')}`,
    `applied, ${label(makeCfg(1))}`,
  ]
  expect(await told()).toEqual(history)
  // A new publication removes the mark, although nothing has updated the reader.
  await checkIn({ configuration: running('paper'), publication })
  await publish(2)
  expect((await told())[0]).toBe(`drifted, ${label(makeCfg(1))}, ran ${label('paper')}`)
})

test('[RCD-01] drift of the firmware as well, and so many events of drift a day', async () => {
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version: '4.10.0' }, file: new File(['4.10.0'], 'f.crvfw') })
  const { zone, host, manager, organizationId, checkIn, told, page } = await newReader()
  const params = { organizationId, location: zone.id, device: 'CR2700' }
  await manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '4.10.0', when: 'now' } })
  const firmwarePublication = (await host.call('getDesired')).body.firmware[0]!.publication
  for (let round = 0; round < 12; round++) for (const firmware of ['4.10.0', '4.9.0']) await checkIn({ firmware, firmwarePublication })
  const all = (await page({ PageSize: 100 })).eventList
  expect(all).toHaveLength(20)
  expect(all.at(-1)).toMatchObject({ kind: 'drifted', contentKind: 'firmware', content: '4.10.0', running: '4.9.0' })
  expect((await told()).slice(0, 2)).toEqual(['returned, ran 4.10.0', 'drifted, 4.10.0, ran 4.9.0'])
})

test('[RCD-01] moves between host PCs and zones, first and last seen', async () => {
  const { zone, organization, page, told, host } = await newReader()
  const lab = await server.zone('Lab', organization)
  const other = await server.host(lab, 'HOST-LAB')
  await other.checkIn([reader('A')])
  await host.checkIn([reader('A')])
  expect(await told()).toEqual([
    `moved, from HOST-LAB in Lab, to HOST-ICU in ${zone.name}`,
    `moved, from HOST-ICU in ${zone.name}, to HOST-LAB in Lab`,
  ])
  const today = new Date().toISOString().slice(0, 10)
  const { firstSeen, lastSeen } = await page()
  expect([firstSeen, lastSeen.slice(0, 10)]).toEqual([today, today])
  // Swept, and a day later.
  await sweepStanding(db)
  expect((await page()).firstSeen).toBe(today)
  await sql`update device_id_day set day = '2026-03-04' where day > '2000-01-01'`.execute(db)
  await other.checkIn([reader('NEW')])
  await sweepStanding(db)
  expect((await page()).firstSeen).toBe('2026-03-04')
  // A reader from before this was kept.
  await sql`update device_id_day set last_id = (select max(id) from device) where day = '-infinity'`.execute(db)
  await sql`update reported_device set days = datemultirange(daterange('2026-02-03', '2026-02-05')) where organization_id = ${organization.key}`.execute(
    db,
  )
  expect((await page()).firstSeen).toBe('2026-02-03')
})

test('[RCD-01] pages one after the other, each event once, also those of one instant; another organization sees nothing', async () => {
  const { publish, report, page, member, organizationId } = await newReader()
  const at = minutesAgo(5)
  for (let number = 0; number < 7; number++) await report(await publish(number), 'applied', number < 5 ? at : minutesAgo(1))
  const seen: string[] = []
  for (let before: string | undefined; ; ) {
    const { eventList, next } = await page({ PageSize: 2, ...(before && { before }) })
    seen.push(...eventList.map(({ id }) => id))
    if (next === undefined) break
    before = next
  }
  expect([seen.length, new Set(seen).size]).toEqual([7, 7])
  expect((await page({ PageSize: 100 })).eventList.map(({ id }) => id)).toEqual(seen)
  const params = { organizationId, serialNumber: 'A' }
  for (const before of ['now', '1~', '99999999999999999999~o1'])
    expect((await member.call('listDeviceEvents', { params, query: { before } })).status).toBe(400)
  expect((await member.call('listDeviceEvents', { params: { ...params, serialNumber: 'B' } })).status).toBe(404)
  const stranger = await server.person({ organization: await server.organization() })
  expect((await stranger.call('listDeviceEvents', { params })).status).toBe(404)
})

test('[RCD-01] a check-in of unchanged readers, or of a changed battery, keeps nothing', async () => {
  const { checkIn, organization } = await newReader()
  const count = async () => (await sql`select from device_event where organization_id = ${organization.key}`.execute(db)).rows.length
  await checkIn({})
  await checkIn({ batteryHealth: 7 })
  await checkIn({ firmware: '4.9.3' })
  expect(await count()).toBe(0)
})

test('[RCD-01] the first page of a long history reads as much as it shows', async () => {
  const { db: own, pool, statementsOf } = await notifiedDatabase()
  const [{ id: key }] = (
    await sql<{ id: number }>`insert into organization (public_id, name) values (gen_random_uuid(), 'Large') returning id`.execute(own)
  ).rows as [{ id: number }]
  await sql`
    with placed as (insert into zone (organization_id, public_id, name) values (${key}, gen_random_uuid(), 'ICU') returning id),
    opened as (insert into rollout (id, organization_id) select gen_random_uuid(), ${key} returning id)
    insert into publication (id, organization_id, rollout_id, zone_id, zone_name, device_type, content, content_hash, size, update_time, revision)
    select gen_random_uuid(), ${key}, opened.id, placed.id, 'ICU', 'CR2700', 'cfg', 'h' || n, 1, '01:00', n from placed, opened, generate_series(1, 1000) n`.execute(
    own,
  )
  await sql`insert into device (organization_id, serial_number, device_type, last_seen_at) select ${key}, 'S' || n, 'CR2700', now() from generate_series(1, 50) n`.execute(
    own,
  )
  await sql`
    insert into outcome (organization_id, publication_id, device_id, outcome, happened_at)
    select ${key}, p.id, d.id, 'applied', now() - make_interval(hours => p.revision) from publication p, device d where d.serial_number in ('S1', 'S2')`.execute(
    own,
  )
  await sql`
    insert into device_event (organization_id, device_id, at, kind) select ${key}, id, now() - make_interval(hours => n), 'firmwareReturned'
    from device, generate_series(1, 500) n`.execute(own)
  await sql`analyze`.execute(own)
  const { rows } = await sql<{ id: string }>`select id from device where serial_number = 'S1'`.execute(own)
  const page = { organizationId: key, zones: null, deviceId: Number(rows[0]!.id), serialNumber: 'S1', before: null, size: 26 }
  const [statement] = await statementsOf(() => selectEvents(own, page))
  expect(countBuffers(await explain(pool, statement!))).toBeLessThanOrEqual(40 + 12 * 26)
})
