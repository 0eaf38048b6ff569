import {
  DeviceColumn as Columns,
  type DeviceColumn,
  type DeviceCount,
  type DeviceFilter,
  DeviceSort,
  Direction,
} from '@lectern/contract/devices/devices.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { wholeOrganization } from '../lib/database/zone-scope.ts'
import { countBuffers, countRows, explain, explainPrepared, listScans, settle } from '../testing/database/plans.ts'
import { notifiedDatabase } from '../testing/database/statements.ts'
import { fillAgedFleet } from '../testing/scenarios/aged-fleet.ts'
import { getDeviceTotals, getModelTotals, storeReports } from './devices.ts'
import { fromFound } from './found-sql.ts'
import { listDevices } from './list.ts'
import { toShown } from './order-sql.ts'
import { findMetric } from './sql.ts'

const readers = 20_000
/** The most buffers, and rows, of any list's first page. */
const allowed = (size: number) => 30 + 5 * size

const { db, pool, lists, listsPool, statementsOf } = await notifiedDatabase()

const { id: organizationId } = await db
  .insertInto('organization')
  .values([
    { public_id: uuidv7(), name: 'Large' },
    { public_id: uuidv7(), name: 'Other' },
  ])
  .returning('id')
  .executeTakeFirstOrThrow()

const scope = wholeOrganization(organizationId)

const tiles: Record<string, Partial<DeviceFilter>> = {
  all: {},
  offline: { onlyOffline: true },
  battery: { onlyBadBattery: true },
  warranty: { onlyWarrantyExpired: true },
  drifted: { onlyDrifted: true },
}
const none = {
  textFilter: '',
  onlyBadBattery: false,
  onlyOffline: false,
  onlyWarrantyExpired: false,
  onlyDrifted: false,
  count: 'exact' as DeviceCount,
}
const first = (filter: Partial<typeof none>, ColumnName: DeviceColumn, Direction: Direction, PageSize: number) =>
  listDevices(db, scope, { ...none, ...filter, ColumnName, Direction, PageNumber: 0, PageSize }, lists)

/** Counts what all statements of `work` read together; of rows those of readers, as small tables may be read whole. */
async function readBy(work: () => Promise<unknown>): Promise<{ buffers: number; rows: number }> {
  const plans = []
  for (const statement of await statementsOf(work))
    plans.push(await (statement.pool === listsPool ? explainPrepared : explain)(statement.pool, statement))
  return {
    buffers: plans.reduce((sum, plan) => sum + countBuffers(plan), 0),
    rows: countRows(
      plans.flatMap(listScans).filter((scan) => scan['Index Name']?.startsWith('device_') || scan['Relation Name'] === 'device'),
    ),
  }
}

/** First pages that read more than is allowed, in words. */
async function excessive(): Promise<string[]> {
  const found: string[] = []
  for (const [tile, filter] of Object.entries(tiles))
    for (const column of Columns.options)
      for (const direction of Direction.options)
        for (const size of [10, 100]) {
          const { buffers, rows } = await readBy(() => first(filter, column, direction, size))
          if (buffers > allowed(size) || rows > allowed(size))
            found.push(`${tile} by ${column} ${direction}, ${size} rows: ${buffers} buffers, ${rows} rows`)
        }
  return found
}

await fillAgedFleet(db, readers)

test('tiles are neither empty nor all there is', async () => {
  const totals = await getDeviceTotals(db, scope)
  expect(totals.allDevices).toBe(readers)
  for (const part of [totals.offline, totals.batteryHealth, totals.warrantyExpirations, totals.drifted]) {
    expect(part).toBeGreaterThan(readers / 200)
    expect(part).toBeLessThan(readers / 2)
  }
})

test('[SCL-01] the first page of every sort, direction and tile reads at most 80 buffers, and 80 rows of readers, for 10 readers', {
  timeout: 120_000,
}, async () => {
  await settle(pool, 'device')
  expect(await excessive()).toEqual([])
})

test.for([
  ['in the condition itself', (last: string) => `coalesce((${last}), '-infinity')`, readers / 100, Number.POSITIVE_INFINITY],
  ['computed once before', (last: string) => `(select coalesce((${last}), '-infinity'))`, 0, 20],
] as const)(
  '[SPD-01] measured as the server, what is not leakproof reads all readers %s, and few otherwise',
  async ([, write, least, most]) => {
    const last = `select max(last_seen_at) + interval '1 day' from device where organization_id = $1 and last_seen_at is not null`
    const plan = await explain(pool, {
      sql: `select serial_number from device where organization_id = $1 and last_seen_at is not null and last_seen_at >= ${write(last)}
      order by last_seen_at desc limit 10`,
      parameters: [organizationId],
    })
    expect(countBuffers(plan)).toBeGreaterThan(least)
    expect(countBuffers(plan)).toBeLessThanOrEqual(most)
  },
)

test.for([
  ['all', []],
  ['offline', ['device', 'device', 'host']],
  ['battery', []],
  ['warranty', ['device']],
  ['drifted', []],
] as const)('[SCL-01] a page of %s looks only for those that became due on its tile', async ([tile, looked]) => {
  const [totals] = await statementsOf(() => first(tiles[tile]!, 'DeviceSerialNumber', 'Ascending', 10))
  const tables = listScans(await explain(pool, totals!)).map((scan) => scan['Relation Name'])
  expect(tables.sort()).toEqual([...looked, 'device_total'].sort())
})

test('[SCL-01] a first page reads no reader without a value, and asks no host, while others fill it', async () => {
  for (const column of Columns.options) {
    const { rows } = await readBy(() => first({}, column, 'Ascending', 10))
    expect(rows, column).toBeLessThanOrEqual(15)
  }
})

test('[SCL-01] by serial number, which no two readers share, a page of ten reads ten', async () => {
  for (const direction of Direction.options)
    expect((await readBy(() => first({}, 'DeviceSerialNumber', direction, 10))).rows, direction).toBe(10)
})

async function listInOrder(filter: DeviceFilter, sort: DeviceSort): Promise<string[]> {
  const found = fromFound({ shown: toShown(scope, findMetric(filter)), sort })
  const { rows } = await sql<{ serial: string }>`select d.serial_number as serial from ${found}`.execute(db)
  return rows.map(({ serial }) => serial)
}

test('[SCL-02] any page of any sort reads at most 200 buffers and 2,000 rows once its places are known, and is what reading in order finds', {
  timeout: 120_000,
}, async () => {
  for (const [tile, filter] of Object.entries({ all: tiles.all, offline: tiles.offline }))
    for (const ColumnName of Columns.options)
      for (const direction of Direction.options) {
        const sort = { ColumnName, Direction: direction }
        const inOrder = await listInOrder({ ...none, ...filter }, sort)
        const page = (PageNumber: number) => listDevices(db, scope, { ...none, ...filter, ...sort, PageNumber, PageSize: 10 })
        for (const share of [0.5, 0.11, 0.73, 0.99]) {
          const number = Math.floor((inOrder.length / 10) * share)
          const { deviceList } = await page(number)
          expect(deviceList.map(({ serialNumber }) => serialNumber)).toEqual(inOrder.slice(number * 10, number * 10 + 10))
          const { buffers, rows } = await readBy(() => page(number + 40))
          expect(buffers, `${tile} by ${ColumnName} ${direction}, page ${number + 40}`).toBeLessThanOrEqual(200)
          expect(rows, `${tile} by ${ColumnName} ${direction}, page ${number + 40}`).toBeLessThanOrEqual(2_000)
        }
      }
})

test('[SPD-03] a page far into a search looks at no more than twice the readers that it passes over, in every sort', async () => {
  const excessive: string[] = []
  for (const ColumnName of Columns.options)
    for (const direction of Direction.options) {
      // All readers have an S and a zero at the beginning. The page ends with number 1,510; 2,000 are passed over.
      const query = { ...none, textFilter: 's0', count: 'none' as const, ColumnName, Direction: direction, PageNumber: 150, PageSize: 10 }
      const { rows } = await readBy(async () => expect((await listDevices(db, scope, query)).deviceList).toHaveLength(10))
      if (rows > 4_000) excessive.push(`${ColumnName} ${direction}: ${rows} rows`)
    }
  expect(excessive).toEqual([])
})

test.for([
  ['a zone’s name', 'zone 17', 1_500],
  ['a word that only zones have', 'zone', 100],
  ['a model', '2700', 700],
  ['two letters that occur', 's0', 300],
  ['a whole serial number', 'S0007919', 80],
  ['the beginning of one', 's00079', 80],
  ['letters that no reader has', 'xyzzy', 60],
] as const)('[SCL-03] the first page of a search for %s reads few buffers, the count included', async ([_, textFilter, most]) => {
  const { buffers } = await readBy(() => first({ textFilter }, 'LastSeen', 'Descending', 10))
  expect(buffers).toBeLessThanOrEqual(most)
})

test('[SCL-03] of a model, only readers that have the word in their serial number instead are counted', async () => {
  const read = async (count: DeviceCount) =>
    (await readBy(() => first({ textFilter: '2700', count }, 'LastSeen', 'Descending', 10))).buffers
  expect((await read('exact')) - (await read('none'))).toBeLessThanOrEqual(60)
})

test('[SCL-03] a page comes before its count: exact by default, stopped at 10,000, or of the page alone', async () => {
  const found = async (textFilter: string, count: DeviceCount, PageNumber = 0) => {
    const page = await listDevices(db, scope, { ...none, textFilter, count, ...DeviceSort.parse({}), PageNumber, PageSize: 10 })
    return { ...page, deviceList: page.deviceList.map(({ serialNumber }) => serialNumber) }
  }
  const exact = await found('s0', 'exact')
  expect(exact).toMatchObject({ totalCount: 20_000 })
  expect(exact).not.toHaveProperty('hasMore')
  expect(await found('s0', 'capped')).toEqual({ ...exact, totalCount: 10_000, hasMore: true })
  expect(await found('s0', 'none')).toEqual({ ...exact, totalCount: 10, hasMore: true })
  expect(await found('s0', 'none', 3)).toEqual({ ...(await found('s0', 'exact', 3)), totalCount: 40, hasMore: true })
  expect(await found('s0', 'none', 2_000)).toMatchObject({ deviceList: [], totalCount: 20_000 })
  // The count is exact where counting costs nothing, or few are found.
  expect(await found('zone', 'none')).toEqual(await found('zone', 'exact'))
  expect(await found('S0007919', 'none')).toMatchObject({ deviceList: ['S0007919'], totalCount: 1 })
  const { buffers } = await readBy(() => found('s0', 'none'))
  expect(buffers).toBeLessThanOrEqual(150)
})

test('[PPL-04] the first page of a role limited to zones reads at most 1,000 buffers in every sort, direction and tile', {
  timeout: 120_000,
}, async () => {
  const { rows } = await sql<{ id: number }>`select id from zone where organization_id = ${organizationId} order by id`.execute(db)
  const ids = rows.map(({ id }) => id)
  const excessive: string[] = []
  for (const zones of [ids.slice(0, 1), ids.slice(3, 5), ids.slice(30, 40), ids.slice(0, 25), ids])
    for (const [tile, filter] of Object.entries(tiles))
      for (const ColumnName of Columns.options)
        for (const direction of Direction.options) {
          const query = { ...none, ...filter, ColumnName, Direction: direction, PageNumber: 0, PageSize: 10 }
          const { buffers } = await readBy(() => listDevices(db, { organizationId, zones }, query))
          if (buffers > 1_000) excessive.push(`${tile} of ${zones.length} zones by ${ColumnName} ${direction}: ${buffers} buffers`)
        }
  expect(excessive).toEqual([])
})

test('the totals of a model read its stored counts, whatever the readers', async () => {
  const totals = () => getModelTotals(db, scope, 'CR2700')
  expect(await totals()).toEqual({ readers: readers / 4, zones: 24, latestFirmware: '5.0.0', onLatest: Math.floor(readers / 12) })
  expect((await readBy(totals)).buffers).toBeLessThanOrEqual(40)
})

test('a page is two statements, however the list is sorted and filtered, a search three or four; the totals are one', async () => {
  const { ColumnName, Direction: direction } = DeviceSort.parse({})
  for (const filter of Object.values(tiles)) expect(await statementsOf(() => first(filter, ColumnName, direction, 10))).toHaveLength(2)
  expect(await statementsOf(() => first({ textFilter: 'zone 7' }, ColumnName, direction, 10))).toHaveLength(4)
  // What serial numbers alone have is counted and sorted at once.
  expect(await statementsOf(() => first({ textFilter: 's00079' }, ColumnName, direction, 10))).toHaveLength(3)
  expect(await statementsOf(() => getDeviceTotals(db, scope))).toHaveLength(1)
})

test('[SCL-01] the first page of five readers among 2,000 hosts reads at most 80 buffers in every sort', async () => {
  const { id } = await db
    .insertInto('organization')
    .values({ public_id: uuidv7(), name: 'Sparse' })
    .returning('id')
    .executeTakeFirstOrThrow()
  await sql`insert into zone (public_id, organization_id, name) select gen_random_uuid(), ${id}::int, 'Sparse ' || n from generate_series(1, 500) n`.execute(
    db,
  )
  await sql`
    with l as (insert into licence (id, organization_id, licence_number) values (gen_random_uuid(), ${id}, 'LEC-SPARSE') returning id)
    insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, readers_seen_at, has_drifted)
    select gen_random_uuid(), ${id}::int, z.id, l.id, z.name || '-' || n, 'UTC', '1', now(), z.name like '%00' and n = 1
    from zone z, l, generate_series(1, 4) n where z.organization_id = ${id}`.execute(db)
  await sql`
    insert into device (organization_id, serial_number, device_type, zone_id, host_id, configuration_drifted)
    select ${id}::int, 'SPARSE' || h.id, 'CR2700', h.zone_id, h.id, h.has_drifted from host h where h.organization_id = ${id}`.execute(db)
  await settle(pool, 'device')
  for (const ColumnName of Columns.options) {
    const page = () =>
      listDevices(
        db,
        wholeOrganization(id),
        { ...none, onlyDrifted: true, ColumnName, Direction: 'Descending', PageNumber: 0, PageSize: 10 },
        lists,
      )
    expect((await page()).deviceList).toHaveLength(5)
    const { buffers, rows } = await readBy(page)
    expect(buffers, ColumnName).toBeLessThanOrEqual(80)
    expect(rows, ColumnName).toBeLessThanOrEqual(80)
  }
})

test('[SCL-01] a first page finds each host PC among thousands in one page of an index, and knows its zones once it has named them', async () => {
  const { id } = await db.selectFrom('organization').select('id').where('name', '=', 'Sparse').executeTakeFirstOrThrow()
  const page = () =>
    listDevices(
      db,
      wholeOrganization(id),
      { ...none, ColumnName: 'DeviceSerialNumber', Direction: 'Descending', PageNumber: 0, PageSize: 10 },
      lists,
    )
  const { deviceList } = await page()
  const statements = await statementsOf(async () => expect((await page()).deviceList).toEqual(deviceList))
  expect(statements).toHaveLength(2)
  for (const { zone, host } of deviceList) expect(host?.replace(/-\d$/, '')).toBe(zone)
  const scans = listScans(await explainPrepared(listsPool, statements[1]!))
  expect(scans.filter((scan) => scan['Relation Name'] === 'zone')).toEqual([])
  const ofHosts = scans.filter((scan) => scan['Relation Name'] === 'host')
  expect(ofHosts.map((scan) => scan['Actual Loops'])).toEqual([10])
  expect(ofHosts.map(countBuffers)).toEqual([20])
})

test('the plans that connections keep for any organization serve a large one among many small ones', async () => {
  await sql`insert into organization (public_id, name) select gen_random_uuid(), 'Small ' || n from generate_series(1, 2000) n`.execute(db)
  await sql`
    with small as (select id from organization where name like 'Small %'),
      z as (insert into zone (public_id, organization_id, name) select gen_random_uuid(), id, 'Ward' from small returning organization_id, id),
      l as (insert into licence (id, organization_id, licence_number) select gen_random_uuid(), id, 'LEC-SMALL-' || id from small returning organization_id, id)
    insert into host (public_id, organization_id, zone_id, licence_id, name, time_zone, agent_version, readers_seen_at)
    select gen_random_uuid(), z.organization_id, z.id, l.id, 'PC-' || n, 'UTC', '1', now()
    from z join l on l.organization_id = z.organization_id, generate_series(1, 3) n`.execute(db)
  await sql`
    insert into device (organization_id, serial_number, device_type, zone_id, host_id)
    select h.organization_id, 'S' || h.id, 'CR2700', h.zone_id, h.id from host h join organization o on o.id = h.organization_id
    where o.name like 'Small %'`.execute(db)
  await settle(pool, 'device')
  const host = await db
    .selectFrom('host')
    .select([
      'id as hostId',
      'zone_id as zoneId',
      'name',
      'time_zone as timeZone',
      'time_zone_history as timeZoneHistory',
      'agent_version as agentVersion',
    ])
    .where('organization_id', '=', organizationId)
    .where('name', '=', 'HOST-4-1')
    .executeTakeFirstOrThrow()
  const { rows } = await sql<{ serial: string }>`
    select serial_number as serial from device where organization_id = ${organizationId} and host_id = ${host.hostId} limit 10`.execute(db)
  const reader = { deviceType: 'CR2700', firmware: null, configuration: null, batteryHealth: 80, warrantyUntil: null } as const
  const about = {
    timeZone: 'UTC',
    agentVersion: '1',
    driver: null,
    clockAhead: null,
    knowsPhases: false,
    simulated: false,
    gone: [],
    refused: [],
    names: new Map(),
  }
  const statements = await statementsOf(async () => {
    await getDeviceTotals(db, scope)
    const devices = rows.map(({ serial }) => ({ ...reader, serialNumber: serial }))
    await storeReports(db, { ...host, organizationId, zoneId: host.zoneId!, publicZoneId: '', onTwoPcs: false }, devices, about)
  })
  const kept = statements.filter((statement) => statement.sql.includes('/* prepared */'))
  expect(kept).toHaveLength(5)
  for (const statement of kept) expect(countBuffers(await explainPrepared(pool, statement)), statement.sql).toBeLessThanOrEqual(80)
})

test('[SCL-01 SPD-02] plans of first pages that connections keep serve organizations of every size, and one of 2,000 host PCs among those of three, in every sort and tile', {
  timeout: 120_000,
}, async () => {
  const { rows } = await sql<{ id: number }>`select id from organization where name in ('Large', 'Sparse', 'Small 7')`.execute(db)
  expect(rows).toHaveLength(3)
  const excessive: string[] = []
  for (const { id } of rows)
    for (const ColumnName of Columns.options)
      for (const direction of Direction.options)
        for (const [name, tile] of Object.entries(tiles)) {
          const query = { ...none, ...tile, ColumnName, Direction: direction, PageNumber: 0, PageSize: 10 }
          const page = (await statementsOf(() => listDevices(db, wholeOrganization(id), query, lists)))[1]
          if (!page) continue
          const buffers = countBuffers(await explainPrepared(listsPool, page))
          // The bound of SCL-01. A check-in above gave most readers of a host times of their own, which any plan has to pass over.
          const most = Math.max(80, countBuffers(await explain(pool, page)))
          if (buffers > most)
            excessive.push(`${name} by ${ColumnName} ${direction} of organization ${id}: ${buffers} buffers, allowed ${most}`)
        }
  expect(excessive).toEqual([])
})

test('[SCL-03] of the readers that a search sorts, each host PC is looked up once, however many are its', async () => {
  const { id } = await db.selectFrom('organization').select('id').where('name', '=', 'Sparse').executeTakeFirstOrThrow()
  await sql`
    insert into device (organization_id, serial_number, device_type, zone_id, host_id)
    select organization_id, 'CROWD' || n, 'CR2700', zone_id, id from (select * from host where organization_id = ${id} limit 1) h, generate_series(1, 500) n`.execute(
    db,
  )
  const query = { ...none, textFilter: 'crowd', ColumnName: 'Host' as const, Direction: 'Ascending' as const, PageNumber: 0, PageSize: 10 }
  const statements = await statementsOf(async () =>
    expect(await listDevices(db, wholeOrganization(id), query)).toMatchObject({ totalCount: 500 }),
  )
  const plan = await explain(pool, statements.at(-1)!)
  expect(countRows(listScans(plan).filter((scan) => scan['Relation Name'] === 'host'))).toBe(2)
})

test('[SCL-03] readers that have just come, before any vacuum, hardly add to what a search reads', async () => {
  await sql`
    insert into device (organization_id, serial_number, device_type, last_seen_at)
    select ${organizationId}, 'NEW' || n, 'CR2700', now() from generate_series(1, 5000) n`.execute(db)
  expect((await readBy(() => first({ textFilter: 'xyzzy' }, 'LastSeen', 'Descending', 10))).buffers).toBeLessThanOrEqual(160)
})
