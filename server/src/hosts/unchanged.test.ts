import { sql } from 'kysely'
import { expect, test } from 'vitest'
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

test('[SCL-05] a check-in of a few of a host’s readers gives those a time of their own, and the others keep theirs', async () => {
  const { one, seen, own } = await newPlace()
  await one.checkIn(['A', 'B', 'C', 'D'].map((serial) => reader(serial)))
  const before = await seen()
  await one.checkIn([reader('D', { batteryHealth: 70 })])
  expect(await own()).toEqual(['D'])
  const after = await seen()
  expect([after.A, after.B, after.C]).toEqual([before.A, before.B, before.C])
  expect(Date.parse(after.D!)).toBeGreaterThan(Date.parse(before.D!))
  // Without readers, a check-in says that the host is there, and nothing of them.
  await one.checkIn([])
  expect(await seen()).toEqual(after)
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

test('[SCL-04] a check-in waits for no other host’s, of its zone or of another organization, not with new readers on a new day either', async () => {
  const { zone, key, two } = await newPlace()
  const elsewhere = await newPlace()
  const open = await db.startTransaction().execute()
  // As the other host's check-in would, if it took for ever.
  await sql`
    insert into device (organization_id, serial_number, device_type, zone_id, last_seen_at) values (${key}, 'SLOW', 'CR2700', ${zone.key}, now())`.execute(
    open,
  )
  await sql`insert into reported_device (organization_id, device_id, reported_at, model, days) values
    (${key}, 'SLOW', now(), 'CR2700', datemultirange(daterange(current_date, current_date + 1)))`.execute(open)
  expect((await two.checkIn([reader('A'), reader('B', { batteryHealth: 3 })])).status).toBe(200)
  expect((await elsewhere.one.checkIn([reader('C')])).status).toBe(200)
  await open.rollback().execute()
})
