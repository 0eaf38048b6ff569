import { createHash } from 'node:crypto'
import type { ReportedDevice } from '@lectern/contract/hosts.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { createPool } from '../lib/database/database.ts'
import { countBuffers, explain } from '../testing/database/plans.ts'
import { statementsDuring } from '../testing/database/statements.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

const cfg = '<cfg><a>1</a></cfg>'
const sha256 = (text: string) => createHash('sha256').update(text).digest('hex')
const runs = (text: string, fileName: string | null = null): Partial<ReportedDevice> => ({
  configuration: { contentHash: sha256(text), fileName },
})
const configuration = { model: 'CR2700', content: { kind: 'cfg', text: cfg } }
const none = {
  readers: 0,
  changes: 0,
  toOlder: 0,
  matches: 0,
  missing: 0,
  noHost: 0,
  silent: 0,
  onTwoPcs: 0,
  olderApp: 0,
  notPossible: 0,
  battery: 0,
}

async function fleet(names: readonly string[]) {
  const first = await server.zone(names[0])
  const { organization, manager } = first
  const zones = [first, ...(await Promise.all(names.slice(1).map((name) => server.zone(name, organization))))]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone)))
  const params = { organizationId: organization.id }
  const makeBody = (more: object = {}) => ({ key: uuidv7(), zones: { filter: {} }, parts: [configuration], when: { now: true }, ...more })
  const preview = (more: object = {}, { call } = manager, query = {}) => call('previewPublication', { params, query, body: makeBody(more) })
  const publish = (more: object = {}) => manager.call('publishToZones', { params, body: makeBody(more) })
  return { organization, params, manager, zones, hosts, preview, publish }
}

/** Lets a reader be one that its host PC stopped to report some hours ago. */
const leaveHoursAgo = (serialNumber: string, hours: number) =>
  db
    .updateTable('device')
    .set({ last_seen_at: new Date(Date.now() - hours * 3_600_000) })
    .where('serial_number', '=', serialNumber)
    .execute()

test('[DRY-01] counts per zone and model who changes, matches, is missing or cannot take it and why, and stores nothing', async () => {
  const { hosts, zones, params, manager, preview } = await fleet(['Aachen', 'Bonn'])
  await hosts[0]!.checkIn([
    ...[reader('P-1'), reader('P-2', runs('<cfg>old</cfg>')), reader('P-3', runs(cfg, 'other.cfg'))],
    ...[reader('P-4', runs(cfg)), reader('P-5', { batteryHealth: 24 }), reader('P-6')],
    reader('P-8', { deviceType: 'CR1500' }),
  ])
  await leaveHoursAgo('P-6', 73)
  const silent = await server.host(zones[0]!, 'HOST-02')
  await silent.checkIn([reader('P-7')])
  await sql`update host set last_seen_at = now() - interval '31 minutes' where public_id = ${silent.hostId}`.execute(db)
  await hosts[1]!.checkIn([reader('P-9'), reader('P-10', { ...runs(cfg), batteryHealth: 1 })])
  await manager.call('removeHost', { params: { ...params, host: hosts[1]!.hostId } })
  const { status, body } = await preview()
  expect(status).toBe(200)
  const aachen = { ...none, readers: 7, changes: 3, matches: 1, missing: 1, silent: 1, battery: 1 }
  const bonn = { ...none, readers: 2, matches: 1, noHost: 1 }
  const part = { model: 'CR2700', kind: 'configuration' }
  expect(body.zones).toEqual([
    { id: zones[0]!.id, name: 'Aachen', parts: [{ ...part, counts: aachen }] },
    { id: zones[1]!.id, name: 'Bonn', parts: [{ ...part, counts: bonn }] },
  ])
  const all = { ...none, readers: 9, changes: 3, matches: 2, missing: 1, noHost: 1, silent: 1, battery: 1 }
  expect(body.parts).toMatchObject([{ ...part, name: `CFG ${sha256(cfg).slice(0, 8)}`, counts: all }])
  expect((await manager.call('listRollouts', { params })).body.totalCount).toBe(0)
  expect(await server.app.contents.size(sha256(cfg))).toBe(null)
})

test('[DRY-01] an app that is older than what is published needs cannot take it', async () => {
  const { hosts, preview } = await fleet(['Aachen'])
  await hosts[0]!.checkIn([reader('O-1'), reader('O-2', runs(cfg))], { agentVersion: '0.0.12' })
  expect((await preview()).body.parts[0]!.counts).toEqual({ ...none, readers: 2, olderApp: 1, matches: 1 })
})

test('[DRY-01] firmware matches by its version; who runs a newer one goes back; a file of one’s own never matches', async () => {
  const { hosts, preview } = await fleet(['Aachen'])
  await hosts[0]!.checkIn([
    ...[reader('F-1', { firmware: '4.9' }), reader('F-2', { firmware: '4.10.0' }), reader('F-3', { firmware: '4.11.0' })],
    reader('F-4', { firmware: null }),
  ])
  const staff = await server.person({ permissions: ['global:access:organizations'] })
  await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version: '4.10.0' }, file: new File(['new'], 'cr2700.crvfw') })
  const own = { kind: 'firmware-file', sha256: sha256('own'), fileName: 'own.crvfw' }
  const { body } = await preview({ parts: [{ model: 'CR2700', content: { kind: 'firmware', version: 'latest' } }, configuration] })
  expect(body.parts[0]).toMatchObject({
    kind: 'firmware',
    name: '4.10.0',
    counts: { ...none, readers: 4, changes: 3, toOlder: 1, matches: 1 },
  })
  expect(body.parts[0]!.running).toContainEqual({ name: '4.11.0', readers: 1, matches: false })
  expect(body.parts[0]!.running).toContainEqual({ name: '4.10.0', readers: 1, matches: true })
  expect(body.parts[1]).toMatchObject({ kind: 'configuration', counts: { ...none, readers: 4, changes: 4 } })
  const file = await preview({ parts: [{ model: 'CR2700', content: own }] })
  expect(file.body.parts[0]).toMatchObject({ name: 'own.crvfw', counts: { ...none, readers: 4, changes: 4 } })
  const wrong = await preview({ parts: [{ model: 'V1300', content: own }] })
  expect([wrong.status, wrong.problem.detail]).toEqual([400, 'V1300: File type must be .crbfw'])
})

test('[DRY-02] names what runs, the most frequent first, whether it is what will run, and a zone that must run it', async () => {
  const { hosts, zones, params, manager, publish, preview } = await fleet(['Aachen', 'Bonn'])
  const old = { model: 'CR2700', content: { kind: 'cfg', text: '<cfg>old</cfg>', fileName: 'ward.cfg' } }
  await publish({ zones: { ids: [zones[1]!.id] }, parts: [old] })
  await hosts[0]!.checkIn([reader('R-1'), reader('R-2', runs('<cfg>hand</cfg>', 'hand.cfg'))])
  await hosts[1]!.checkIn(['R-3', 'R-4', 'R-5'].map((serial) => reader(serial, runs('<cfg>old</cfg>', 'ward.cfg'))))
  const { running, others } = (await preview()).body.parts[0]!
  expect([running[0], others]).toEqual([{ name: 'ward.cfg', readers: 3, matches: false, location: zones[1]!.id }, 0])
  expect(running.slice(1).toSorted((a, b) => String(a.name).localeCompare(String(b.name)))).toEqual([
    { name: 'hand.cfg', readers: 1, matches: false },
    { name: null, readers: 1, matches: false },
  ])
  const isSame = async (text: string, fileName: string) =>
    (await preview({ parts: [{ model: 'CR2700', content: { kind: 'cfg', text, fileName } }] })).body.parts[0]!.running[0]!.matches
  expect(
    await Promise.all([isSame('<cfg>old</cfg>', 'ward.cfg'), isSame('<cfg>new</cfg>', 'ward.cfg'), isSame('<cfg>old</cfg>', 'new.cfg')]),
  ).toEqual([true, false, false])
  const { body } = await manager.call('getRunningConfiguration', { params: { ...params, location: zones[1]!.id, device: 'CR2700' } })
  expect(body.text).toBe('<cfg>old</cfg>')
})

test('[DRY-01] pages the zones by name and counts all of them', async () => {
  const { hosts, preview, manager } = await fleet(['celle', 'Aachen', 'Bonn'])
  for (const [index, host] of hosts.entries()) await host.checkIn([reader(`Z-${index}`)])
  const { body } = await preview({}, manager, { PageNumber: 1, PageSize: 2 })
  expect(body).toMatchObject({ pageNumber: 1, pageSize: 2, totalCount: 3, zones: [{ name: 'celle' }] })
  expect([body.zones[0]!.parts[0]!.counts.readers, body.parts[0]!.counts.readers]).toEqual([1, 3])
})

test('[DRY-01] refuses what a publish refuses, and shows a role limited to zones these alone', async () => {
  const { organization, zones, preview } = await fleet(['Aachen', 'Bonn'])
  const operator = await server.person({ organization, permissions: ['manage:firmware'] })
  const refused = await preview({}, operator)
  expect([refused.status, refused.problem.detail]).toEqual([403, 'This needs the permission “Publish configurations”.'])
  expect((await preview({ zones: { ids: [uuidv7()] } })).status).toBe(404)
  expect((await preview({ expectedZones: 3 })).status).toBe(409)
  const member = await server.limitedPerson(organization, [zones[1]!], ['manage:cfg'])
  expect((await preview({}, member)).body.zones.map(({ name }) => name)).toEqual(['Bonn'])
  expect((await preview({ zones: { ids: [zones[0]!.id] } }, member)).status).toBe(404)
})

test('[DRY-01] counts readers for a version of the library', async () => {
  const { hosts, params, manager, preview } = await fleet(['Aachen'])
  const content = { kind: 'commands', commands: ['SYAZTCSEN0'] }
  const entry = await manager.call('createLibraryEntry', { params, body: { name: 'Ward', device: 'CR2700', content } })
  await hosts[0]!.checkIn([reader('L-1'), reader('L-2', runs('SYAZTCSEN0\n', 'Ward, version 1'))])
  const saved = { model: 'CR2700', content: { kind: 'saved', configurationId: entry.body.id, version: 1 } }
  const { body } = await preview({ parts: [saved] })
  expect(body.parts).toMatchObject([{ name: 'Ward, version 1', counts: { ...none, readers: 2, changes: 1, matches: 1 } }])
})

test('[SPD-04] what runs is looked up by key, also before statistics of what was published are gathered', async () => {
  const { organization, params, manager, zones, hosts, preview } = await fleet(['Aachen'])
  // Something is published to 400 zones just before, so the planner has no statistics about it.
  await sql`alter table desired set (autovacuum_enabled = off); alter table publication set (autovacuum_enabled = off)`.execute(db)
  await sql`insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${organization.key}::int, 'Zone ' || n from generate_series(1, 400) n`.execute(
    db,
  )
  const old = { model: 'CR2700', content: { kind: 'cfg', text: '<cfg>old</cfg>', fileName: 'ward.cfg' } }
  await manager.call('publishToZones', {
    params,
    body: { key: uuidv7(), zones: { filter: {} }, parts: [old], when: { now: true }, withoutHost: true },
  })
  await hosts[0]!.checkIn(['K-1', 'K-2'].map((serial) => reader(serial, runs('<cfg>old</cfg>', 'ward.cfg'))))
  const sent = await statementsDuring(async () => {
    const { body } = await preview({ withoutHost: true })
    expect(body.parts[0]!.running).toEqual([{ name: 'ward.cfg', readers: 2, matches: false, location: zones[0]!.id }])
  })
  const pool = createPool(server.databaseUrl, { max: 1 })
  const statement = sent.find(({ sql: text }) => text.includes('known as'))
  const buffers = countBuffers(await explain(pool, statement!))
  await pool.end()
  // Four buffers for each zone and model, and 300.
  expect(buffers).toBeLessThanOrEqual(300 + 4 * 401)
})

test('[FAI-06] a dry run of more readers than are counted is refused, with what narrows it', async () => {
  const { organization, preview } = await fleet(['Aachen'])
  await sql`
    insert into device_count (organization_id, zone_id, device_type, total, offline, low_battery, warranty_due, drifted, simulated)
    select organization_id, id, 'CR2700', 250001, 0, 0, 0, 0, 0 from zone where organization_id = ${organization.key}`.execute(db)
  const { status, problem } = await preview()
  expect([status, problem.detail]).toEqual([
    422,
    'A dry run counts at most 250,000 readers. Choose fewer zones, by a tag or by name, or fewer models.',
  ])
  expect((await preview({ parts: [{ ...configuration, model: 'CR1500' }] })).status).toBe(200)
})
