import { createHash } from 'node:crypto'
import { sql } from 'kysely'
import { describe, expect, onTestFinished, test } from 'vitest'
import { sweepStanding } from '../devices/devices.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

async function newPlace() {
  const zone = await server.zone()
  const [one, two] = [await server.host(zone, 'ONE'), await server.host(zone, 'TWO')]
  const { key, id: organizationId } = zone.organization
  /** Where each reader's row lies: an update moves it. */
  const places = async () =>
    (
      await sql<{ serial: string; place: string }>`
      select serial_number as serial, ctid::text as place from device where organization_id = ${key} order by 1`.execute(db)
    ).rows
  const seen = async () => {
    const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending' } as const
    const { body } = await zone.manager.call('listDevices', { params: { organizationId }, query })
    return Object.fromEntries(body.deviceList.map(({ serialNumber, lastSeen }) => [serialNumber, lastSeen]))
  }
  const own = async () =>
    (
      await sql<{ serial: string }>`
      select serial_number as serial from device where organization_id = ${key} and last_seen_at is not null order by 1`.execute(db)
    ).rows.map(({ serial }) => serial)
  return { zone, key, one, two, places, seen, own }
}

test('[SCL-05] a check-in of unchanged readers writes none of them, and they were seen at its time', async () => {
  const { one, places, seen } = await newPlace()
  const fleet = ['A', 'B', 'C'].map((serial) => reader(serial))
  await one.checkIn(fleet)
  const [before, first] = [await places(), await seen()]
  await one.checkIn(fleet)
  expect(await places()).toEqual(before)
  const second = await seen()
  expect(new Set(Object.values(second)).size).toBe(1)
  expect(Date.parse(second.A!)).toBeGreaterThan(Date.parse(first.A!))
})

test('[SCL-05] of a check-in only the readers that changed are written', async () => {
  const { one, places } = await newPlace()
  await one.checkIn(['A', 'B', 'C'].map((serial) => reader(serial)))
  const before = await places()
  await one.checkIn(['A', 'B', 'C'].map((serial) => reader(serial, { batteryHealth: serial === 'B' ? 70 : 80 })))
  const moved = (await places()).filter(({ place }, index) => place !== before[index]!.place)
  expect(moved.map(({ serial }) => serial)).toEqual(['B'])
})

test('[SCL-05] a reader that is missing from a check-in keeps the time at which it was seen, and is written once', async () => {
  const { one, places, seen, own } = await newPlace()
  const fleet = ['A', 'B', 'C'].map((serial) => reader(serial))
  await one.checkIn(fleet)
  const before = await seen()
  await one.checkIn(fleet.slice(1))
  expect(await own()).toEqual(['A'])
  const missing = await places()
  await one.checkIn(fleet.slice(1))
  expect(await places()).toEqual(missing)
  expect((await seen()).A).toBe(before.A)
  expect(Date.parse((await seen()).B!)).toBeGreaterThan(Date.parse(before.B!))
  await one.checkIn(fleet)
  expect(await own()).toEqual([])
  expect(new Set(Object.values(await seen())).size).toBe(1)
})

test('a reader that is refused is there all the same, whether all or only changes are sent', async () => {
  const { one, own } = await newPlace()
  await one.checkIn([reader('A'), reader('B'), reader('C')])
  const malformed = { ...reader('A'), batteryHealth: 'full' } as never
  const { body } = await one.checkIn([malformed, reader('B')])
  expect([body.accepted, body.refused.map(({ serialNumber }) => serialNumber)]).toEqual([1, ['A']])
  expect(await own()).toEqual(['C'])
})

test('[SCL-05] a check-in without readers says that the host is there, and nothing of them', async () => {
  const { one, seen, own } = await newPlace()
  await one.checkIn([reader('A'), reader('B')])
  const before = await seen()
  expect((await one.checkIn([])).body).toEqual({ accepted: 0, refused: [] })
  expect(await seen()).toEqual(before)
  expect(await own()).toEqual([])
})

test('[SCL-05] a reader that another host reports was seen there, and its old host’s check-ins leave it', async () => {
  const { one, two, seen, own } = await newPlace()
  await one.checkIn([reader('A'), reader('B')])
  await two.checkIn([reader('B')])
  const moved = await seen()
  await one.checkIn([reader('A')])
  expect(await own()).toEqual([])
  expect((await seen()).B).toBe(moved.B)
  expect(Date.parse((await seen()).A!)).toBeGreaterThan(Date.parse(moved.A!))
})

const digest = (text: string) => createHash('sha256').update(text).digest('hex')

describe('[SCL-12] since an earlier check-in', () => {
  const fleet = ['A', 'B', 'C'].map((serial) => reader(serial))
  async function newReported() {
    const place = await newPlace()
    expect((await place.one.checkIn(fleet, { digest: digest('abc') })).body).toEqual({ accepted: 3, refused: [] })
    return { ...place, before: await place.seen(), places: await place.places(), lie: place.places }
  }

  test('nothing changed: all readers were seen now, and none is written', async () => {
    const { one, seen, before, places, lie } = await newReported()
    expect((await one.checkIn([], { since: digest('abc'), digest: digest('abc') })).body).toEqual({ accepted: 0, refused: [] })
    const after = await seen()
    expect(new Set(Object.values(after)).size).toBe(1)
    expect(Date.parse(after.A!)).toBeGreaterThan(Date.parse(before.A!))
    expect(await lie()).toEqual(places)
  })

  test('one changed, one left, one came: those are written, and who left keeps the time at which it was seen', async () => {
    const { zone, one, seen, own, before } = await newReported()
    const changes = { since: digest('abc'), digest: digest('bcd'), gone: ['A'] }
    expect((await one.checkIn([reader('C', { batteryHealth: 12 }), reader('D')], changes)).body).toEqual({ accepted: 2, refused: [] })
    const after = await seen()
    expect(await own()).toEqual(['A'])
    expect(after.A).toBe(before.A)
    expect(Date.parse(after.B!)).toBeGreaterThan(Date.parse(before.B!))
    expect([after.C, after.D]).toEqual([after.B, after.B])
    const { body } = await zone.manager.call('getDeviceTotals', { params: { organizationId: zone.organization.id } })
    expect(body).toMatchObject({ allDevices: 4, batteryHealth: 1 })
    const query = { ColumnName: 'DeviceSerialNumber', Direction: 'Ascending', onlyBadBattery: true } as const
    const low = await zone.manager.call('listDevices', { params: { organizationId: zone.organization.id }, query })
    expect(low.body.deviceList.map(({ serialNumber }) => serialNumber)).toEqual(['C'])
  })

  test('of another digest than the host’s last: no reader is stored, and all are asked for', async () => {
    const { one, two, seen, own, before } = await newReported()
    const lies = [
      () => one.checkIn([reader('B', { batteryHealth: 3 })], { since: digest('abx'), digest: digest('abd'), gone: ['A'] }),
      // Each host has a digest of its own.
      () => two.checkIn([], { since: digest('abc'), digest: digest('abc') }),
    ]
    for (const lie of lies) {
      expect((await lie()).body).toEqual({ accepted: 0, refused: [], sendAll: true })
      expect(await seen()).toEqual(before)
    }
    expect(await own()).toEqual([])
    expect((await one.checkIn(fleet, { digest: digest('bca') })).body).toEqual({ accepted: 3, refused: [] })
    expect((await one.checkIn([], { since: digest('bca'), digest: digest('bca') })).body).toEqual({ accepted: 0, refused: [] })
  })

  test('that comes late, after a newer one: no reader is stored, and the newer one is still the last', async () => {
    const { one, own, seen } = await newReported()
    const first = () => one.checkIn([reader('C', { batteryHealth: 12 })], { since: digest('abc'), digest: digest('abcd') })
    await first()
    await one.checkIn([reader('C', { batteryHealth: 80 })], { since: digest('abcd'), digest: digest('abce'), gone: ['A'] })
    const before = await seen()
    expect((await first()).body).toEqual({ accepted: 0, refused: [], sendAll: true })
    expect(await seen()).toEqual(before)
    expect((await one.checkIn([], { since: digest('abce'), digest: digest('abce') })).body).toEqual({ accepted: 0, refused: [] })
    expect(await own()).toEqual(['A'])
  })

  test('whose answer was lost and which comes again: it is taken as before', async () => {
    const { one, own, seen } = await newReported()
    const again = () => one.checkIn([reader('D')], { since: digest('abc'), digest: digest('bcd'), gone: ['A'] })
    await again()
    expect((await again()).body).toEqual({ accepted: 1, refused: [] })
    expect(await own()).toEqual(['A'])
    expect(Object.keys(await seen())).toEqual(['A', 'B', 'C', 'D'])
  })

  test('a reader that another host reported meanwhile is asked for, as it may be back; one that had left is not', async () => {
    const { one, two, own } = await newReported()
    await two.checkIn([reader('B')], { digest: digest('b') })
    await two.checkIn([], { since: digest('b'), digest: digest('-'), gone: ['B'] })
    const unchanged = () => one.checkIn([], { since: digest('abc'), digest: digest('abc') })
    expect((await unchanged()).body).toEqual({ accepted: 0, refused: [], sendAll: true })
    await one.checkIn(fleet, { digest: digest('abc') })
    expect(await own()).toEqual([])
    await one.checkIn([], { since: digest('abc'), digest: digest('ac'), gone: ['B'] })
    await two.checkIn([reader('B')], { since: digest('-'), digest: digest('b') })
    expect((await one.checkIn([], { since: digest('ac'), digest: digest('ac') })).body).toEqual({ accepted: 0, refused: [] })
  })

  test('readers that were offline with their host are online again', async () => {
    const { zone, key, one } = await newReported()
    await sql`update host set readers_seen_at = now() - interval '80 hours' where organization_id = ${key}`.execute(db)
    await sweepStanding(db)
    const offline = async () =>
      (await zone.manager.call('getDeviceTotals', { params: { organizationId: zone.organization.id } })).body.offline
    expect(await offline()).toBe(3)
    await one.checkIn([], { since: digest('abc'), digest: digest('abc') })
    expect(await offline()).toBe(0)
    expect(
      (await db.selectFrom('device').select('offline').where('organization_id', '=', key).execute()).map((one) => one.offline),
    ).toEqual([...[false, false, false]])
  })

  test('the first of a day counts the readers that did not change', async () => {
    const { key, one } = await newReported()
    const days = async () =>
      (
        await sql<{ days: number }>`
          select sum(upper(range) - lower(range))::int as days from reported_device, unnest(days) as range where organization_id = ${key}`.execute(
          db,
        )
      ).rows[0]!.days
    await sql`update reported_device set days = datemultirange(daterange(current_date - 1, current_date)) where organization_id = ${key}`.execute(
      db,
    )
    await one.checkIn([], { since: digest('abc'), digest: digest('abc') })
    expect(await days()).toBe(3)
    await sql`update host set readers_seen_at = readers_seen_at - interval '1 day' where organization_id = ${key}`.execute(db)
    await one.checkIn([], { since: digest('abc'), digest: digest('abc') })
    expect(await days()).toBe(6)
  })
})

test('[SCL-04] a check-in waits for no other host’s, of its zone or of another organization, not with new readers on a new day either', async () => {
  const { zone, key, two } = await newPlace()
  const elsewhere = await newPlace()
  const open = await db.startTransaction().execute()
  onTestFinished(() => open.rollback().execute())
  // As the other host's check-in would, if it took for ever.
  await sql`
    insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at) values (${key}, 'SLOW', 'CR2700', ${zone.key}, now())`.execute(
    open,
  )
  await sql`insert into reported_device (organization_id, device_id, reported_at, model, days) values
    (${key}, 'SLOW', now(), 'CR2700', datemultirange(daterange(current_date, current_date + 1)))`.execute(open)
  expect((await two.checkIn([reader('A'), reader('B', { batteryHealth: 3 })])).status).toBe(200)
  expect((await elsewhere.one.checkIn([reader('C')])).status).toBe(200)
})

test('[SCL-04] two hosts that report a firmware and a configuration that nobody had do not wait for each other', async () => {
  const { key, one, two } = await newPlace()
  const news = (serial: string) => reader(serial, { firmware: '9.9.9', configuration: { contentHash: digest('new'), fileName: 'new.js' } })
  const open = await db.startTransaction().execute()
  await sql`select from host where organization_id = ${key} and public_id = ${one.hostId} for update`.execute(open)
  const blocked = one.checkIn([news('A')])
  await expect
    .poll(
      async () =>
        (await sql`select from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(db)).rows.length,
    )
    .toBe(1)
  expect((await two.checkIn([news('B')])).status).toBe(200)
  await open.rollback().execute()
  expect((await blocked).status).toBe(200)
})
