import { deviceModels } from '@lectern/contract/devices/device-models.ts'
import { DeviceColumn, Direction } from '@lectern/contract/devices/devices.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type FleetReader, inOrder, insertFleet, type StoredReader, tiles } from '../testing/fleet.ts'
import { reader as report } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { sweepStanding } from './devices.ts'

const server = await serverForFile()
const { db } = server.app

const reader: fc.Arbitrary<FleetReader> = fc.record({
  serial: fc.oneof(fc.stringMatching(/^[A-Z0-9]{4,10}$/), fc.stringMatching(/^(27001|ICU|ZOO|HOST-1)[0-9]{2,4}$/)),
  model: fc.constantFrom(...deviceModels),
  zone: fc.option(fc.constantFrom('ICU 3', 'icu 3', 'Zoo', 'Pharmacy 100%', 'ED_Triage', 'Größe')),
  host: fc.option(fc.constantFrom('HOST-1', 'host-1', 'HOST-2', 'ZOO-1')),
  battery: fc.option(fc.constantFrom(0, 24, 24.9, 25, 80, 100)),
  firmware: fc.option(fc.constantFrom('4.9.2', '4.10.0', '4.10', '4.10.0-rc1', '10.0')),
  unseen: fc.constantFrom(0, 1, 71.9, 72.1, 73, 5_000),
  warranty: fc.option(fc.constantFrom(-400, -1, 0, 60, 89, 93, 400)),
  hasDrifted: fc.boolean(),
})
const fleet = fc.uniqueArray(reader, { selector: ({ serial }) => serial, maxLength: 60, minLength: 5 })

/** A fleet of an organization of its own, with a member who reads its pages. */
async function newFleet(readers: readonly FleetReader[]) {
  const organization = await server.organization()
  const member = await server.person({ organization })
  const params = { organizationId: organization.id }
  const stored = await insertFleet(server, organization, readers)
  return {
    stored,
    totals: async () => (await member.call('getDeviceTotals', { params })).body,
    /** All pages one after the other, with the counts they said. */
    async pages(query: object, size: number) {
      const serials: string[] = []
      const counts = new Set<number>()
      for (let page = 0; page === 0 || serials.length >= page * size; page++) {
        const { status, body } = await member.call('listDevices', { params, query: { ...query, PageNumber: page, PageSize: size } })
        expect([status, body.pageNumber, body.pageSize]).toEqual([200, page, size])
        serials.push(...body.deviceList.map(({ serialNumber }) => serialNumber))
        counts.add(body.totalCount)
      }
      return { serials, counts: [...counts] }
    },
  }
}

type Fleet = Awaited<ReturnType<typeof newFleet>>

async function expectExact({ stored, pages, totals }: Fleet, size: number, columns: readonly DeviceColumn[]) {
  const count = (shows: (reader: StoredReader) => boolean) => stored.filter(shows).length
  expect(await totals()).toEqual({
    allDevices: stored.length,
    drifted: count(tiles.drifted.shows),
    offline: count(tiles.offline.shows),
    batteryHealth: count(tiles.battery.shows),
    warrantyExpirations: count(tiles.warranty.shows),
  })
  for (const [tile, { query, shows }] of Object.entries(tiles))
    for (const column of columns)
      for (const direction of Direction.options) {
        const shown = inOrder(stored.filter(shows), column, direction)
        const { serials, counts } = await pages({ ...query, ColumnName: column, Direction: direction }, size)
        const what = `${tile} by ${column} ${direction}`
        expect(serials, what).toEqual(shown.map(({ serial }) => serial))
        expect(counts, what).toEqual([shown.length])
      }
}

test('[API-DEV-01 API-DEV-02 DSH-09 DSH-16 ENT-21 LIM-01 LIM-02 LIM-03] every page of every sort, direction and tile is exact, before and after a sweep', {
  timeout: 300_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fleet, fc.constantFrom(3, 10, 25, 100), async (readers, size) => {
      const made = await newFleet(readers)
      await expectExact(made, Math.max(size, Math.ceil(readers.length / 6)), DeviceColumn.options)
      await sweepStanding(db)
      await expectExact(made, 10, ['LastSeen', 'Location'])
    }),
    { numRuns: 8, seed: 20_260_301, endOnFailure: true },
  )
})

test('[API-DEV-02] a search finds the readers in which every word occurs, in any tile and order', { timeout: 120_000 }, async () => {
  // Some words are in names of zones and hosts, models and serial numbers alike.
  const words = fc.constantFrom(
    ...'icu|ICU 3|host-1 zoo|zoo|zoo 2700|2700|icu 2700|27001|100%|_|%|\\|GRÖSSE|größe|a271/2|  a  |nothing here'.split('|'),
  )
  await fc.assert(
    fc.asyncProperty(fleet, words, fc.constantFrom(...Object.values(tiles)), async (readers, textFilter, { query, shows }) => {
      const { stored, pages } = await newFleet(readers)
      const wanted = textFilter.toLowerCase().split(/\s+/)
      const found = stored.filter((one) => {
        const text = `${one.model} ${one.serial} ${one.zone ?? ''} ${one.host ?? ''}`.toLowerCase()
        return shows(one) && wanted.every((word) => text.includes(word))
      })
      for (const column of ['LastSeen', 'Location', 'BatteryHealth'] as const) {
        const { serials, counts } = await pages({ ...query, textFilter, ColumnName: column, Direction: 'Ascending' }, 10)
        expect(serials).toEqual(inOrder(found, column, 'Ascending').map(({ serial }) => serial))
        expect(counts).toEqual([found.length])
      }
    }),
    { numRuns: 15, seed: 20_260_302, endOnFailure: true },
  )
})

test('[API-DEV-02] a reader that has a word by zone or model, and in its serial number too, counts once', async () => {
  const like = { model: 'CR2700', zone: 'Zoo', host: null, battery: null, firmware: null, unseen: 1, warranty: null } as const
  const { pages } = await newFleet([
    { ...like, serial: 'ZOO27001' },
    { ...like, serial: 'X' },
    { ...like, serial: 'ZOO1', zone: null },
  ])
  const count = async (textFilter: string) => (await pages({ textFilter }, 10)).counts
  expect([await count('zoo'), await count('2700'), await count('zoo 2700')]).toEqual([[3], [3], [3]])
})

test('[SCL-02] while readers come, go and check in, no reader is on two pages that follow one another, and those that stay are all there', {
  timeout: 120_000,
}, async () => {
  const change = fc.record({
    kind: fc.constantFrom('insert', 'delete', 'change', 'check in'),
    at: fc.nat(59),
    battery: fc.option(fc.nat(100)),
    unseen: fc.nat(200),
  })
  const sort = fc.record({ ColumnName: fc.constantFrom(...DeviceColumn.options), Direction: fc.constantFrom(...Direction.options) })
  const steps = fc.array(fc.array(change, { maxLength: 4 }), { minLength: 8, maxLength: 8 })
  await fc.assert(
    fc.asyncProperty(fleet, steps, sort, async (readers, changes, query) => {
      const organization = await server.organization()
      const { call } = await server.person({ organization })
      const stored = await insertFleet(server, organization, readers)
      const staying = new Set(stored.map(({ serial }) => serial))
      const shown: string[] = []
      let before: string[] = []
      for (let PageNumber = 0; PageNumber === 0 || before.length > 0; PageNumber++) {
        const { body } = await call('listDevices', {
          params: { organizationId: organization.id },
          query: { ...query, PageNumber, PageSize: 5 },
        })
        const page = body.deviceList.map(({ serialNumber }) => serialNumber)
        expect(page.filter((serial) => before.includes(serial))).toEqual([])
        // Where readers move up, those behind follow.
        expect(page.length).toBeGreaterThanOrEqual(Math.min(5, body.totalCount - PageNumber * 5))
        before = page
        shown.push(...page)
        for (const { kind, at, battery, unseen } of changes[PageNumber] ?? []) {
          const { id, serial } = stored[at % stored.length]!
          const isIt = sql`organization_id = ${organization.key} and id = ${id}`
          const seenAt = sql`now() - make_interval(hours => ${unseen})`
          if (kind === 'delete') await sql`delete from device where ${isIt}`.execute(db)
          else if (kind === 'change')
            await sql`update device set battery_health = ${battery}, last_seen_at = ${seenAt}, zone_id = (
              select zone_id from device where organization_id = ${organization.key} order by id limit 1 offset ${at % 7}) where ${isIt}`.execute(
              db,
            )
          else if (kind === 'check in')
            await sql`update host set readers_seen_at = now() where organization_id = ${organization.key} and readers_seen_at is not null`.execute(
              db,
            )
          else
            await sql`insert into device (organization_id, serial_number, device_type, battery_health, last_seen_at)
              values (${organization.key}, ${`N${PageNumber}-${at}-${unseen}`}, 'CR2700', ${battery}, ${seenAt}) on conflict do nothing`.execute(
              db,
            )
          if (kind === 'delete' || kind === 'change') staying.delete(serial)
        }
      }
      // In the order of last contact, readers that check in move past those that do not.
      if (query.ColumnName !== 'LastSeen') expect([...staying].filter((serial) => !shown.includes(serial))).toEqual([])
    }),
    { numRuns: 25, seed: 20_260_303, endOnFailure: true },
  )
})

const ordinary: FleetReader = {
  serial: 'S',
  model: 'CR2700',
  zone: 'Z',
  host: null,
  battery: 80,
  firmware: '1.0',
  unseen: 0,
  warranty: 1_000,
}

test('[API-DEV-02] a search ignores case, its wildcards are characters, and readers without a value come last', async () => {
  const { pages } = await newFleet([
    { ...ordinary, serial: 'S_1', zone: 'Größe', battery: 10 },
    { ...ordinary, serial: 'SX1', zone: null, battery: null },
    { ...ordinary, serial: 'S%2', zone: 'Größe', battery: 90 },
  ])
  const search = async (textFilter: string, Direction = 'Ascending') =>
    (await pages({ textFilter, ColumnName: 'BatteryHealth', Direction }, 2)).serials
  expect([await search('s_1'), await search('S%'), await search('GRÖ')]).toEqual([['S_1'], ['S%2'], ['S_1', 'S%2']])
  expect([await search('s'), await search('s', 'Descending')]).toEqual([
    ['S_1', 'S%2', 'SX1'],
    ['S%2', 'S_1', 'SX1'],
  ])
})

test('[DSH-09] readers without a value come last in both directions, on a page from either end', async () => {
  const { pages } = await newFleet(
    [30, null, 10, null, 20].map((battery, number) => ({
      ...ordinary,
      serial: `S${number}`,
      battery,
      host: battery === null ? null : `HOST-${battery}`,
    })),
  )
  for (const ColumnName of ['BatteryHealth', 'Host']) {
    expect((await pages({ ColumnName, Direction: 'Ascending' }, 2)).serials).toEqual(['S2', 'S4', 'S0', 'S1', 'S3'])
    expect((await pages({ ColumnName, Direction: 'Descending' }, 2)).serials).toEqual(['S0', 'S4', 'S2', 'S3', 'S1'])
  }
})

test('[LIM-01] offline is over 72 hours, to the minute', async () => {
  const { totals, pages } = await newFleet([
    { ...ordinary, serial: 'LATE', unseen: 72 + 1 / 60 },
    { ...ordinary, serial: 'IN TIME', unseen: 72 - 1 / 60 },
  ])
  expect((await totals()).offline).toBe(1)
  expect((await pages({ onlyOffline: true }, 10)).serials).toEqual(['LATE'])
})

test('[LIM-02] a low battery is under 25 per cent; a reader without one has none', async () => {
  const zone = await server.zone()
  const { checkIn } = await server.host(zone)
  const { call } = await server.person({ organization: zone.organization })
  const batteries = [24.9, 25, 0, null, 100]
  await checkIn(batteries.map((batteryHealth) => report(String(batteryHealth), { batteryHealth })))
  const params = { organizationId: zone.organization.id }
  const query = { onlyBadBattery: true, ColumnName: 'BatteryHealth', Direction: 'Ascending' }
  const { body } = await call('listDevices', { params, query })
  expect(body.deviceList.map(({ serialNumber }) => serialNumber)).toEqual(['0', '24.9'])
  const { body: bySeen } = await call('listDevices', { params, query: { ...query, ColumnName: 'LastSeen' } })
  expect(bySeen.deviceList).toHaveLength(2)
  expect((await call('getDeviceTotals', { params })).body.batteryHealth).toBe(2)
})

test('[LIM-03] a warranty is due up to three months from today, and when it has expired', async () => {
  const days = Array.from({ length: 7 }, (_, number) => 88 + number)
  const { pages } = await newFleet([-1, ...days].map((warranty) => ({ ...ordinary, serial: String(warranty), warranty })))
  const { serials } = await pages({ onlyWarrantyExpired: true }, 10)
  const { rows } = await sql<{ last: number }>`
    select ((now() at time zone 'UTC')::date + interval '3 months')::date - (now() at time zone 'UTC')::date as last`.execute(db)
  expect(serials.map(Number).sort((a, b) => a - b)).toEqual([-1, ...days.filter((day) => day <= rows[0]!.last)])
})

test('[DSH-10] without a word about it: LastSeen, descending, the first ten', async () => {
  const fleet = Array.from({ length: 12 }, (_, hours) => ({ ...ordinary, serial: `S${String(hours).padStart(2, '0')}`, unseen: hours }))
  const organization = await server.organization()
  await insertFleet(server, organization, fleet)
  const { call } = await server.person({ organization })
  const { body } = await call('listDevices', { params: { organizationId: organization.id } })
  expect(body).toMatchObject({ pageNumber: 0, pageSize: 10, totalCount: 12 })
  expect(body.deviceList.map(({ serialNumber }) => serialNumber)).toEqual(fleet.slice(0, 10).map(({ serial }) => serial))
})

test.for<[object, RegExp]>([
  [{ PageNumber: -1 }, /PageNumber/],
  [{ PageNumber: 1.5 }, /PageNumber/],
  [{ PageSize: 0 }, /PageSize/],
  [{ PageSize: 101 }, /PageSize/],
  [{ ColumnName: 'lastSeen' }, /ColumnName/],
  [{ Direction: 'asc' }, /Direction/],
  [{ onlyOffline: 'perhaps' }, /onlyOffline/],
  [{ textFilter: 'x'.repeat(201) }, /textFilter/],
  [{ textFilter: 'a\0' }, /textFilter/],
  [{ onlyOffline: true, onlyBadBattery: true }, /Filter by one of onlyBadBattery, onlyOffline, onlyWarrantyExpired and onlyDrifted/],
])('[API-DEV-02] refuses %o in words', async ([query, words]) => {
  const organization = await server.organization()
  const { call } = await server.person({ organization })
  for (const name of ['listDevices', 'downloadDevices', 'downloadDevicesWorkbook'] as const) {
    if (name !== 'listDevices' && ('PageNumber' in query || 'PageSize' in query)) continue
    const { status, problem } = await call(name, { params: { organizationId: organization.id }, query: { ...query } })
    expect(status).toBe(400)
    expect(problem.detail).toMatch(words)
  }
})

test('[API-DEV-02] a page is found without those before it; one behind the last is empty and knows the count', async () => {
  const organization = await server.organization()
  await insertFleet(
    server,
    organization,
    [...'ABCDE'].map((serial, unseen) => ({ ...ordinary, serial, unseen })),
  )
  const { call } = await server.person({ organization })
  const list = async (query: Record<string, unknown>) =>
    (await call('listDevices', { params: { organizationId: organization.id }, query })).body
  const found = async (query: Record<string, unknown>) => (await list(query)).deviceList.map(({ serialNumber }) => serialNumber)
  expect(await found({ PageNumber: 1, PageSize: 2 })).toEqual(['C', 'D'])
  for (const query of [{ PageNumber: 1 }, { PageNumber: 10_000_000, PageSize: 100 }, { PageNumber: 3, textFilter: 'z' }])
    expect(await list(query)).toMatchObject({ deviceList: [], totalCount: 5 })
})
