import { DeviceColumn as Columns, type DeviceColumn, type DeviceFilter, DeviceSort, Direction } from '@lectern/contract/devices/devices.ts'
import { versionOrder } from '@lectern/contract/firmware/versions.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { countBuffers, explain, settle } from '../testing/database/plans.ts'
import { notifiedDatabase } from '../testing/database/statements.ts'
import { getDeviceTotals, getModelTotals, listDevices, sweepStanding } from './devices.ts'

const readers = 20_000
/** What the first page of any list may read: 40 buffers and 12 a row. */
const allowed = (rows: number) => 40 + 12 * rows

const { db, pool, statementsOf } = await notifiedDatabase()

const organizationId = uuidv7()

/**
 * A fleet as real ones are: an old reader has a tired battery, an expired warranty, old firmware, and was seen long ago.
 * 50 zones; a twelfth has no warranty, a third no battery, some no zone or host.
 */
async function fillFleet(): Promise<void> {
  await sql`insert into organization (id, name) values (${organizationId}, 'Large'), (${uuidv7()}, 'Other')`.execute(db)
  await sql`insert into zone (id, organization_id, name) select gen_random_uuid(), ${organizationId}, 'Zone ' || n from generate_series(1, 49) n`.execute(
    db,
  )
  await sql`
    insert into firmware_release (id, device_type, version, version_order, notes, file_name, content_hash, size, created_by)
    values (${uuidv7()}, 'CR2700', '5.0.0', ${versionOrder('5.0.0')}, '', 'f.crvfw', '', 1, '')`.execute(db)
  await sql`
    insert into device (id, organization_id, serial_number, device_type, zone_name, host_name, warranty_until, low_battery, configuration_drifted, firmware_drifted,
      zone_id, firmware_order)
    select gen_random_uuid(), o.id, 'S' || lpad((n * 7919 % 1000003)::text, 7, '0'), (array['CR2700', 'CR1500', 'A271/2', 'V4500'])[1 + n % 4],
      case when n % 50 <> 0 then 'Zone ' || n % 50 end, case when n % 50 <> 0 then 'HOST-' || n % 97 end,
      case when n % 12 <> 0 then current_date + (1200 - n % 1000 * 2) end, n % 3 <> 0 and n % 1000 > 900, n % 1000 > 975, n % 1000 between 951 and 975,
      z.id, case n % 3 when 0 then ${versionOrder('5.0.0')} when 1 then ${versionOrder('4.9.2')} end
    from organization o cross join generate_series(1, ${readers}::int) n
    left join zone z on z.organization_id = o.id and z.name = 'Zone ' || n % 50`.execute(db)
  await sql`
    insert into device_state (device_id, organization_id, last_seen_at, last_updated_at, battery_health, current_firmware, firmware_order, low_battery, drifted)
    select d.id, organization_id, now() - make_interval(mins => age * case when age > 950 then 20 else 4 end), now(),
      case when low_battery then 5 + age % 20 when number % 3 <> 0 then 100 - age / 14 end,
      case when age % 40 <> 0 then '4.' || 12 - age / 90 || '.0' end, case when age % 40 <> 0 then lpad((4000 + 12 - age / 90)::text, 12, '0') end, low_battery, drifted
    from device d, lateral (select (1200 - coalesce(warranty_until - current_date, 1200)) / 2 as age, abs(hashtext(serial_number)) as number) a`.execute(
    db,
  )
  for (let marked = 1; marked > 0; ) marked = await sweepStanding(db)
}

const tiles: Record<string, Partial<DeviceFilter>> = {
  all: {},
  offline: { onlyOffline: true },
  battery: { onlyBadBattery: true },
  warranty: { onlyWarrantyExpired: true },
  drifted: { onlyDrifted: true },
}
const none: DeviceFilter = { textFilter: '', onlyBadBattery: false, onlyOffline: false, onlyWarrantyExpired: false, onlyDrifted: false }
const first = (filter: Partial<DeviceFilter>, ColumnName: DeviceColumn, Direction: 'Ascending' | 'Descending', PageSize: number) =>
  listDevices(db, organizationId, { ...none, ...filter, ColumnName, Direction, PageNumber: 0, PageSize })

/** Buffers that the statements of `work` read. */
async function readBy(work: () => Promise<unknown>): Promise<number> {
  let buffers = 0
  for (const statement of await statementsOf(work)) buffers += countBuffers(await explain(pool, statement))
  return buffers
}

/** First pages that read more than is allowed, in words. */
async function excessive(): Promise<string[]> {
  const found: string[] = []
  for (const [tile, filter] of Object.entries(tiles))
    for (const column of Columns.options)
      for (const direction of Direction.options)
        for (const size of [10, 100]) {
          const buffers = await readBy(() => first(filter, column, direction, size))
          if (buffers > allowed(size)) found.push(`${tile} by ${column} ${direction}, ${size} rows: ${buffers} buffers`)
        }
  return found
}

await fillFleet()

test('tiles are neither empty nor all there is', async () => {
  const totals = await getDeviceTotals(db, organizationId)
  expect(totals.allDevices).toBe(readers)
  for (const part of [totals.offline, totals.batteryHealth, totals.warrantyExpirations, totals.drifted]) {
    expect(part).toBeGreaterThan(readers / 200)
    expect(part).toBeLessThan(readers / 2)
  }
})

test('the first page of every sort, direction and tile reads at most 40 buffers and 12 a row', { timeout: 120_000 }, async () => {
  await settle(pool, 'device', 'device_state')
  expect(await excessive()).toEqual([])
})

test('the totals of a model read its stored counts, whatever the readers', async () => {
  const totals = () => getModelTotals(db, organizationId, 'CR2700')
  expect(await totals()).toEqual({ readers: readers / 4, zones: 24, latestFirmware: '5.0.0', onLatest: Math.floor(readers / 12) })
  expect(await readBy(totals)).toBeLessThanOrEqual(40)
})

test('a page is two statements, however the list is sorted and filtered, and so is a search; the totals are one', async () => {
  const { ColumnName, Direction: direction } = DeviceSort.parse({})
  for (const filter of [...Object.values(tiles), { textFilter: 'zone 7' }])
    expect(await statementsOf(() => first(filter, ColumnName, direction, 10))).toHaveLength(2)
  expect(await statementsOf(() => getDeviceTotals(db, organizationId))).toHaveLength(1)
})
