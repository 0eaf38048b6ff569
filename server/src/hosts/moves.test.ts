import { formatSentence } from '@lectern/contract/audit/audit-sentence.ts'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { type Statement, statementsDuring } from '../testing/database/statements.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile, startServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()

/** Two zones of an organization, each with a host. */
async function newZones() {
  const ward = await server.zone('Ward')
  const icu = await server.zone('ICU', ward.organization)
  const [from, to] = [await server.host(ward, 'HOST-WARD'), await server.host(icu, 'HOST-ICU')]
  const params = { organizationId: ward.organization.id }
  const auditor = await server.person({ organization: ward.organization, permissions: ['access:audit_log'] })
  const moves = async (query = {}) =>
    (await auditor.call('listAuditEntries', { params, query: { changeType: 'moveDevice', PageNumber: 0, PageSize: 100, ...query } })).body
  return { ward, icu, from, to, params, moves, manager: ward.manager }
}

test('[PPL-08] a reader that turns up at another host PC is moved, with one entry that says from where to where', async () => {
  const { from, to, moves, params } = await newZones()
  await from.checkIn([reader('A'), reader('B')])
  expect((await moves()).totalCount).toBe(0)
  await to.checkIn([reader('A'), reader('NEW')])
  const { entryList } = await moves()
  expect(entryList.map(formatSentence)).toEqual(['Lectern moved the reader A from HOST-WARD in Ward to HOST-ICU in ICU'])
  expect(entryList).toMatchObject([{ deviceSerial: 'A', zoneName: 'ICU', initiatorEmail: null, organizationId: params.organizationId }])
  // A reader that is reported again, changed, or gone and back, does not move again.
  await to.checkIn([reader('A'), reader('NEW')])
  await to.checkIn([reader('A', { batteryHealth: 20 }), reader('NEW')])
  await to.checkIn([reader('NEW')])
  await to.checkIn([reader('A'), reader('NEW')])
  await from.checkIn([reader('B', { batteryHealth: 20 })])
  expect((await moves()).totalCount).toBe(1)
})

test('[PPL-08] a reader whose zone was deleted is moved from nowhere, one whose host PC was removed from that', async () => {
  const { ward, icu, from, to, moves, params, manager } = await newZones()
  await from.checkIn([reader('A')])
  await manager.call('removeHost', { params: { ...params, host: from.hostId } })
  await to.checkIn([reader('A')])
  await manager.call('removeHost', { params: { ...params, host: to.hostId } })
  await manager.call('deleteZone', { params: { ...params, location: icu.id } })
  await (await server.host(ward, 'HOST-WARD-2')).checkIn([reader('A')])
  expect((await moves()).entryList.map(formatSentence)).toEqual([
    'Lectern moved the reader A to HOST-WARD-2 in Ward',
    'Lectern moved the reader A from HOST-WARD in Ward to HOST-ICU in ICU',
  ])
})

test('[PPL-08] a reader of no host PC that turns up in its own zone has not moved', async () => {
  const { from, to, moves } = await newZones()
  await from.checkIn([reader('A'), reader('B')])
  const ward = sql`select zone_id from host where public_id = ${from.hostId}`
  await sql`update device set host_id = null, last_seen_at = now() where zone_id = (${ward})`.execute(server.app.db)
  await from.checkIn([reader('A')])
  expect((await moves()).totalCount).toBe(0)
  await to.checkIn([reader('B')])
  expect((await moves()).entryList.map(formatSentence)).toEqual(['Lectern moved the reader B to HOST-ICU in ICU'])
})

test('[PPL-08] two host PCs that report the same reader leave ten entries of it a day, and those of others', async () => {
  const { from, to, moves } = await newZones()
  await from.checkIn([reader('A'), reader('B')])
  for (let round = 0; round < 8; round++) {
    await to.checkIn([reader('A')])
    await from.checkIn([reader('A'), reader('B')])
  }
  expect((await moves()).totalCount).toBe(10)
  await to.checkIn([reader('A'), reader('B')])
  expect((await moves({ device: 'A' })).totalCount).toBe(10)
  expect((await moves({ device: 'B' })).totalCount).toBe(1)
  await sql`alter table audit_entry disable trigger user`.execute(server.app.db)
  await sql`update audit_entry set in_effect_since = now() - interval '25 hours' where change_type = 'moveDevice' and device_serial = 'A'`.execute(
    server.app.db,
  )
  await sql`alter table audit_entry enable trigger user`.execute(server.app.db)
  await from.checkIn([reader('A'), reader('B')])
  expect((await moves({ device: 'A' })).totalCount).toBe(11)
})

test('[PPL-08] readers that both host PCs report at once are moved once for each that took them', async () => {
  const { from, to, moves } = await newZones()
  const fleet = Array.from({ length: 20 }, (_, index) => reader(`S${index}`))
  await from.checkIn(fleet)
  const other = await server.host(await server.zone('ED', (await newZones()).ward.organization))
  expect((await Promise.all([to.checkIn(fleet), from.checkIn(fleet), other.checkIn(fleet)])).map(({ status }) => status)).toEqual([
    200, 200, 200,
  ])
  const { entryList } = await moves()
  const perReader = Map.groupBy(entryList, ({ deviceSerial }) => deviceSerial!)
  expect(perReader.size).toBe(20)
  // Last moved to the ICU; or, if the ward's check-in came second, back to the ward.
  for (const [, [last, ...before]] of perReader)
    expect([[last!.zoneName, before.length]]).toEqual([before.length === 0 ? ['ICU', 0] : ['Ward', 1]])
})

test('[PPL-08] two host PCs that exchange their readers at once wait for each other, and neither begins again', async () => {
  const { from, to, ward } = await newZones()
  await from.checkIn([reader('A')])
  await to.checkIn([reader('B')])
  const { db } = server.app
  const held = await db.startTransaction().execute()
  await sql`select from device where serial_number in ('A', 'B') for update`.execute(held)
  const countWaiting = async () =>
    (await sql`select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(db)).rows.length
  const sent = await statementsDuring(async () => {
    const both = Promise.all([from.checkIn([reader('B')]), to.checkIn([reader('A')])])
    await until(async () => (await countWaiting()) === 2)
    await held.commit().execute()
    expect((await both).map(({ status }) => status)).toEqual([200, 200])
  })
  expect(sent.filter(({ sql }) => sql.includes('with locked as materialized'))).toHaveLength(2)
  const hosts = await sql<{ host: string }>`
    select h.name as host from device d join host h on h.id = d.host_id where d.serial_number in ('A', 'B')
      and d.organization_id = ${ward.organization.key} order by d.serial_number`.execute(db)
  expect(hosts.rows.map(({ host }) => host)).toEqual(['HOST-ICU', 'HOST-WARD'])
})

test('[PPL-08] a check-in of 5,000 readers that all move leaves an entry of each, and sends nothing more often than that of one', async () => {
  const { from, to, moves } = await newZones()
  const fleet = Array.from({ length: 5_000 }, (_, index) => reader(`S${String(index).padStart(4, '0')}`))
  await from.checkIn(fleet)
  const single = await newZones()
  await single.from.checkIn([reader('A')])
  const ofOne = await statementsDuring(() => single.to.checkIn([reader('A')]))
  const ofAll = await statementsDuring(() => to.checkIn(fleet))
  const counts = (statements: readonly Statement[]) =>
    new Map([...Map.groupBy(statements, ({ sql }) => sql)].map(([sql, { length }]) => [sql, length]))
  const once = counts(ofOne)
  // A server tests every few seconds that its notifications come back.
  expect([...counts(ofAll)].filter(([sql, count]) => !sql.includes('pg_notify') && count > Math.max(1, once.get(sql) ?? 0))).toEqual([])
  expect((await moves()).totalCount).toBe(5_000)
  expect((await moves({ device: 'S4999' })).entryList.map(formatSentence)).toEqual([
    'Lectern moved the reader S4999 from HOST-WARD in Ward to HOST-ICU in ICU',
  ])
})

test('[PPL-08 LMT-05] readers that a host PC takes over are new to it: so many an hour, and beyond that none is moved', async () => {
  const small = await startServer({ environment: { NEW_READERS_PER_HOUR: '3' } })
  onTestFinished(small.stop)
  const zone = await small.zone('Ward')
  const [from, rogue] = [await small.host(zone), await small.host(zone, 'ROGUE')]
  await from.checkIn([reader('A'), reader('B')])
  await rogue.checkIn([reader('X'), reader('Y')])
  const { status, problem } = await rogue.checkIn([reader('A'), reader('B')])
  expect([status, problem.detail]).toEqual([429, 'A host PC may report at most 3 new readers an hour.'])
  const entries = () => small.app.db.selectFrom('audit_entry').select('device_serial').where('change_type', '=', 'moveDevice').execute()
  expect(await entries()).toEqual([])
  expect((await rogue.checkIn([reader('A')])).status).toBe(200)
  expect(await entries()).toEqual([{ device_serial: 'A' }])
})
