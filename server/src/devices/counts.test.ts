import { deviceModels, updateModels } from '@lectern/contract/devices/device-models.ts'
import { firmwareFileTypes } from '@lectern/contract/firmware/firmware.ts'
import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { type FleetReader, insertFleet, tiles } from '../testing/fleet.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { sweepStanding } from './devices.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:organizations'] })
for (const device of updateModels.slice(0, 3)) {
  const file = new File(['1.1'], `f${firmwareFileTypes[device][0]}`)
  await staff.call('uploadFirmwareRelease', { fields: { device, version: '1.1' }, file })
}

interface Count {
  /** 0 without a zone. */
  zone_id: number
  device_type: string
  total: number
  offline: number
  low_battery: number
  warranty_due: number
  drifted: number
  simulated: number
}

/** The kept counts of an organization, without those that are zero. */
const kept = async (organizationId: number) => ({
  totals: await keptTotals(organizationId),
  readers: await keptReaders(organizationId),
  firmware: await keptFirmware(organizationId),
  tilesOfFirmware: await keptTilesOfFirmware(organizationId),
})
/** The same, counted. */
const counted = async (organizationId: number) => ({
  totals: await countedTotals(organizationId),
  readers: await countedReaders(organizationId),
  firmware: await countedFirmware(organizationId),
  tilesOfFirmware: await countedTilesOfFirmware(organizationId),
})
const nothing = {
  totals: [{ total: 0, offline: 0, low_battery: 0, warranty_due: 0, drifted: 0, simulated: 0 }],
  readers: [],
  firmware: [],
  tilesOfFirmware: [],
}

const keptTotals = async (organizationId: number) =>
  (
    await sql`select coalesce(sum(total), 0)::int as total, coalesce(sum(offline), 0)::int as offline, coalesce(sum(low_battery), 0)::int as low_battery,
        coalesce(sum(warranty_due), 0)::int as warranty_due, coalesce(sum(drifted), 0)::int as drifted, coalesce(sum(simulated), 0)::int as simulated
      from device_total where organization_id = ${organizationId}`.execute(db)
  ).rows
const countedTotals = async (organizationId: number) =>
  (
    await sql`select count(*)::int as total, count(*) filter (where offline)::int as offline, count(*) filter (where low_battery)::int as low_battery,
        count(*) filter (where warranty_due)::int as warranty_due, count(*) filter (where drifted)::int as drifted,
        count(*) filter (where simulated)::int as simulated
      from device where organization_id = ${organizationId}`.execute(db)
  ).rows

const keptFirmware = async (organizationId: number) =>
  (
    await sql`select zone_id, device_type, firmware_id, sum(total)::int as total from firmware_count where organization_id = ${organizationId}
      group by 1, 2, 3 having sum(total) <> 0 order by 1, 2, 3`.execute(db)
  ).rows
const countedFirmware = async (organizationId: number) =>
  (
    await sql`select coalesce(zone_id, 0) as zone_id, device_type, firmware_id, count(*)::int as total from device
      where organization_id = ${organizationId} and firmware_id is not null group by 1, 2, 3 order by 1, 2, 3`.execute(db)
  ).rows

const keptTilesOfFirmware = async (organizationId: number) =>
  (
    await sql`
      select * from (
        select firmware_id, sum(total)::int as total, sum(offline)::int as offline, sum(low_battery)::int as low_battery,
          sum(warranty_due)::int as warranty_due, sum(drifted)::int as drifted
        from firmware_total where organization_id = ${organizationId} group by 1
      ) c where (total, offline, low_battery, warranty_due, drifted) <> (0, 0, 0, 0, 0) order by 1`.execute(db)
  ).rows
const countedTilesOfFirmware = async (organizationId: number) =>
  (
    await sql`select firmware_id, count(*)::int as total, count(*) filter (where offline)::int as offline, count(*) filter (where low_battery)::int as low_battery,
        count(*) filter (where warranty_due)::int as warranty_due, count(*) filter (where drifted)::int as drifted
      from device where organization_id = ${organizationId} and firmware_id is not null group by 1 order by 1`.execute(db)
  ).rows

const keptReaders = async (organizationId: number) =>
  (
    await sql<Count>`
      select * from (
        select zone_id, device_type, sum(total)::int as total, sum(offline)::int as offline, sum(low_battery)::int as low_battery,
          sum(warranty_due)::int as warranty_due, sum(drifted)::int as drifted, sum(simulated)::int as simulated
        from device_count where organization_id = ${organizationId} group by 1, 2
      ) c where (total, offline, low_battery, warranty_due, drifted, simulated) <> (0, 0, 0, 0, 0, 0) order by 1, 2`.execute(db)
  ).rows

const countedReaders = async (organizationId: number) =>
  (
    await sql<Count>`select coalesce(zone_id, 0) as zone_id, device_type, count(*)::int as total, count(*) filter (where offline)::int as offline,
      count(*) filter (where low_battery)::int as low_battery, count(*) filter (where warranty_due)::int as warranty_due, count(*) filter (where drifted)::int as drifted,
      count(*) filter (where simulated)::int as simulated
      from device where organization_id = ${organizationId} group by 1, 2 order by 1, 2`.execute(db)
  ).rows

/** A place with two zones, each with a host. */
async function newPlace() {
  const zone = await server.zone()
  const second = await server.zone('Second', zone.organization)
  const hosts = await Promise.all([server.host(zone, 'ONE'), server.host(second, 'TWO')])
  return { key: zone.organization.key, organizationId: zone.organization.id, zones: [zone, second], hosts, manager: zone.manager }
}

const batch = fc.array(
  fc.record({
    serialNumber: fc.constantFrom(...Array.from({ length: 12 }, (_, number) => `S${number}`)),
    deviceType: fc.constantFrom(...deviceModels.slice(0, 3)),
    batteryHealth: fc.option(fc.constantFrom(0, 24, 25, 90)),
    warrantyUntil: fc.option(fc.constantFrom('2020-01-01', '2099-12-31')),
    hasHadIt: fc.boolean(),
    hasHadFirmware: fc.boolean(),
    firmware: fc.constantFrom('1.0', '1.1', null),
  }),
  { maxLength: 12 },
)
const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('check in' as const),
      host: fc.nat(1),
      driver: fc.constantFrom('serial', 'simulated'),
      batch,
    }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('time passes' as const), serial: fc.nat(11) }) },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('publish' as const),
      host: fc.nat(1),
      device: fc.constantFrom(...deviceModels.slice(0, 3)),
      isFirmware: fc.boolean(),
    }),
  },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('delete readers' as const), serial: fc.nat(11) }) },
)

test('[API-DEV-01] the kept counts are what counting finds, after any check-ins, moves, publishes, deletions and sweeps', {
  timeout: 180_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 3, maxLength: 12 }), async (steps) => {
      const { key, organizationId, hosts, zones, manager } = await newPlace()
      const old = sql`now() - interval '100 hours'`
      const whereReader = (serial: number) => sql`organization_id = ${key} and serial_number = ${`S${serial}`}`
      for (const one of steps) {
        if (one.kind === 'check in') {
          const { configurations, firmware } = (await hosts[one.host]!.call('getDesired')).body
          const findDesired = (list: readonly { deviceType: string; publication: string }[], model: string) =>
            list.find(({ deviceType }) => deviceType === model)?.publication ?? null
          const devices = one.batch.map(({ hasHadIt, hasHadFirmware, ...parts }) =>
            reader(parts.serialNumber, {
              ...parts,
              publication: hasHadIt ? findDesired(configurations, parts.deviceType) : null,
              firmwarePublication: hasHadFirmware ? findDesired(firmware, parts.deviceType) : null,
            }),
          )
          expect((await hosts[one.host]!.checkIn(devices, { driver: one.driver })).body.accepted).toBe(
            new Set(devices.map(({ serialNumber }) => serialNumber)).size,
          )
        } else if (one.kind === 'time passes')
          await sql`update device set last_seen_at = ${old} where ${whereReader(one.serial)}`.execute(db)
        else if (one.kind === 'publish') {
          const params = { organizationId, location: zones[one.host]!.id, device: one.device }
          const publish = one.isFirmware
            ? manager.call('publishFirmwareVersion', { params, body: { firmwareVersion: '1.1' } })
            : manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>' } })
          expect((await publish).status).toBe(200)
        } else if (one.kind === 'sweep') await sweepStanding(db)
        else await sql`delete from device where ${whereReader(one.serial)}`.execute(db)
        expect(await kept(key)).toEqual(await counted(key))
      }
      await manager.call('removeHost', { params: { organizationId, host: hosts[0]!.hostId } })
      const { status } = await manager.call('deleteZone', { params: { organizationId, location: zones[0]!.id } })
      expect(status).toBe(204)
      expect(await kept(key)).toEqual(await counted(key))
    }),
    { numRuns: 12, seed: 20_260_303 },
  )
})

test('check-ins, sweeps and deletions at once leave the counts exact', async () => {
  const { key, hosts, zones } = await newPlace()
  const fleet = (round: number) =>
    Array.from({ length: 60 }, (_, number) =>
      reader(`S${number}`, { batteryHealth: (round * 17 + number) % 50, deviceType: deviceModels[(number + round) % 3] }),
    )
  const age = () =>
    sql`update device set last_seen_at = now() - interval '100 hours' where organization_id = ${key} and random() < 0.3`.execute(db)
  for (let round = 0; round < 5; round++) {
    await age()
    const [one, two] = await Promise.all([
      hosts[0]!.checkIn(fleet(round)),
      hosts[1]!.checkIn(fleet(round + 1).slice(20)),
      sweepStanding(db),
      sweepStanding(db),
      sql`delete from device where organization_id = ${key} and serial_number = ${`S${round}`}`.execute(db),
    ])
    expect([one.status, two.status]).toEqual([200, 200])
    expect(await kept(key)).toEqual(await counted(key))
  }
  expect(zones).toHaveLength(2)
})

test('a sweep marks each reader that became offline or due, once; a check-in clears the mark', async () => {
  const { key, hosts, zones } = await newPlace()
  await insertFleet(server, zones[0]!.organization, [
    { serial: 'LOST', model: 'CR2700', zone: null, host: null, battery: null, firmware: null, unseen: 100, warranty: 1 },
    { serial: 'HERE', model: 'CR2700', zone: null, host: null, battery: null, firmware: null, unseen: 1, warranty: null },
  ])
  const marks = () => sql`select serial_number, offline, warranty_due from device where organization_id = ${key} order by 1`.execute(db)
  expect(await sweepStanding(db)).toBeGreaterThanOrEqual(2)
  expect(await sweepStanding(db)).toBe(0)
  const here = { serial_number: 'HERE', offline: false, warranty_due: false }
  const lost = { serial_number: 'LOST', offline: true, warranty_due: true }
  expect((await marks()).rows).toEqual([here, lost])
  await hosts[0]!.checkIn([reader('LOST')])
  expect((await marks()).rows).toEqual([here, { ...here, serial_number: 'LOST' }])
  expect(await kept(key)).toEqual(await counted(key))
})

test('an organization that is deleted takes its readers and counts along', async () => {
  const { key, hosts } = await newPlace()
  await hosts[0]!.checkIn([reader('A')])
  await sql`delete from organization where id = ${key}`.execute(db)
  expect(await kept(key)).toEqual(nothing)
  expect(await counted(key)).toEqual(nothing)
})

test('[FLT-08] what a wrong clock has marked is unmarked by one sweep once the clock is right', async () => {
  const organization = await server.organization()
  const { call } = await server.person({ organization })
  const readers = Array.from(
    { length: 40 },
    (_, number): FleetReader => ({
      serial: `CLOCK${number}`,
      model: 'CR2700',
      zone: 'ICU',
      battery: null,
      firmware: null,
      // Readers of the second host have its time; most of the first host have their own.
      host: number % 4 === 0 ? null : `HOST-${1 + (number % 2)}`,
      unseen: number % 2 === 0 ? 5 : number * 2,
      warranty: number * 10 - 100,
    }),
  )
  const stored = await insertFleet(server, organization, readers)
  await sweepStanding(db)
  await sql`update device set offline = true, warranty_due = warranty_until is not null where organization_id = ${organization.key}`.execute(
    db,
  )
  await sql`update host set readers_offline = true where organization_id = ${organization.key}`.execute(db)
  await sweepStanding(db)
  const { body } = await call('getDeviceTotals', { params: { organizationId: organization.id } })
  expect(body).toMatchObject({
    offline: stored.filter(tiles.offline.shows).length,
    warrantyExpirations: stored.filter(tiles.warranty.shows).length,
  })
  expect(await sweepStanding(db)).toBe(0)
})
