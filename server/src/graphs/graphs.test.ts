import fc from 'fast-check'
import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { computeGraphs, findLatestReports, type Known, type KnownReport } from '../testing/device-reports.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { sweepGraphs } from './graphs.ts'

const server = await serverForFile()
const { db } = server.app
const staff = await server.person({ permissions: ['global:access:analytics'] })
const dayMs = 86_400_000
/** Everything that tests of this file have reported, which the global graphs are about. */
const everything: Known[] = []

/** A place with a person who logs devices and a host that reports readers. */
async function newPlace() {
  const zone = await server.zone()
  const host = await server.host(zone)
  const key = zone.organization.key
  const known: Known = { organizationId: zone.organization.id, reports: [], licensed: [] }
  everything.push(known)
  const person = await server.person({ organization: zone.organization, permissions: ['manage:licences'] })
  return { key, known, host, person, params: { organizationId: known.organizationId } }
}
type Place = Awaited<ReturnType<typeof newPlace>>

/** The five graphs as the API returns them, and positions as they are compared. */
async function answered({ person, params }: Place, scope: 'organization' | 'global') {
  const answers =
    scope === 'global'
      ? [
          staff.call('getGlobalDevicesByTime'),
          staff.call('getGlobalDeviceModels'),
          staff.call('getGlobalDevicesByOs'),
          staff.call('getGlobalDevicesByLocation'),
          staff.call('getGlobalLicenceCounts'),
        ]
      : [
          person.call('getDevicesByTime', { params }),
          person.call('getDeviceModels', { params }),
          person.call('getDevicesByOs', { params }),
          person.call('getDevicesByLocation', { params }),
          person.call('getLicenceCounts', { params }),
        ]
  const [byTime, models, byOs, byLocation, licences] = (await Promise.all(answers)).map(({ body }) => body)
  return { byTime, models, byOs, byLocation: placed(byLocation as Point[], (exact) => exact), licences }
}

type Point = { latitude: number; longitude: number; value: number; city: string }
// East and west of the date line are the same place.
const placed = (points: readonly Point[], degrees: (exact: number) => number) =>
  points.map(({ city, value, latitude, longitude }) => ({ city, value, at: [degrees(latitude), degrees(Math.abs(longitude))] }))
const expected = (places: readonly Known[]) => {
  const graphs = computeGraphs(places)
  return { ...graphs, byLocation: placed(graphs.byLocation, (exact) => expect.closeTo(exact, 3) as number) }
}

async function expectExact(place: Place): Promise<void> {
  expect(await answered(place, 'organization')).toEqual(expected([place.known]))
  expect(await answered(place, 'global')).toEqual(expected(everything))
}

const startOfDay = (daysAgo: number) => Math.floor(Date.now() / dayMs) * dayMs - daysAgo * dayMs
const offsets = { Z: 0, '+14:00': 14, '-11:00': -11, '+05:30': 5.5 }
type Offset = keyof typeof offsets
/** An instant as a clock with this offset from UTC writes it. */
const written = (at: number, offset: Offset) => new Date(at + offsets[offset] * 3_600_000).toISOString().replace('Z', offset)

const serials = Array.from({ length: 8 }, (_, number) => `S${number}`)
const city = (name: string, latitude: number, longitude: number) => ({ city: name, latitude, longitude })
const report = fc
  .record({
    deviceId: fc.constantFrom(...serials),
    day: fc.oneof(fc.constantFrom(0, 1, 2, 363, 364, 365), fc.nat(370)),
    late: fc.constantFrom(0, 1, dayMs - 1),
    model: fc.constantFrom<string>('CR2700', 'Pixel 8', 'TC52'),
    os: fc.constantFrom<string | null>(null, 'Android 15', 'iOS 26'),
    location: fc.constantFrom(
      null,
      city('Reno', 39.53, -119.81),
      city('Reno', 39.5, -119.7),
      city('Taveuni', -16.9, 179.9),
      city('Taveuni', -16.9, -179.9),
    ),
    decodes: fc.constantFrom<number>(0, 0, 7),
    offset: fc.constantFrom(...(Object.keys(offsets) as Offset[])),
  })
  .map(({ day, late, ...parts }) => ({ ...parts, daysAgo: day, late: day === 0 ? 0 : late }))
type Sent = typeof report extends fc.Arbitrary<infer One> ? One : never

const step = fc.oneof(
  {
    weight: 6,
    arbitrary: fc.record({
      kind: fc.constant('log' as const),
      batches: fc.array(fc.array(report, { maxLength: 20 }), { minLength: 1, maxLength: 3 }),
      again: fc.boolean(),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      kind: fc.constant('check in' as const),
      serials: fc.uniqueArray(fc.constantFrom(...serials)),
      model: fc.constantFrom('CR2700' as const, 'V4500' as const),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({ kind: fc.constant('licence' as const), serials: fc.uniqueArray(fc.constantFrom(...serials), { minLength: 1 }) }),
  },
  { weight: 2, arbitrary: fc.record({ kind: fc.constant('days pass' as const), days: fc.constantFrom(1, 2, 200, 364) }) },
  { weight: 1, arbitrary: fc.record({ kind: fc.constant('sweep' as const) }) },
)

/** Sends batches at once, some twice, and records what the server should have accepted. */
async function log({ person, known }: Place, batches: readonly Sent[][], again: boolean): Promise<void> {
  const sent = batches.map((batch) => batch.map((one) => ({ ...one, at: startOfDay(one.daysAgo) + one.late })))
  const send = (batch: (typeof sent)[number]) =>
    person.call('logDevices', {
      body: { records: batch.map(({ daysAgo, late, offset, ...one }) => ({ ...one, at: written(one.at, offset) })) },
    })
  const taken = sent.map((batch) => batch.filter(({ daysAgo }) => daysAgo <= 364))
  const answers = await Promise.all([...sent, ...(again ? sent : [])].map(send))
  expect(answers.map(({ status, body }) => [status, body.accepted])).toEqual(
    [...taken, ...(again ? taken : [])].map((batch) => [200, batch.length]),
  )
  known.reports.push(...taken.flat())
}

/** Has a host report readers. That counts once a day, and again when the model changes. */
async function checkIn({ host, known }: Place, serialNumbers: readonly string[], model: 'CR2700' | 'V4500'): Promise<void> {
  expect((await host.checkIn(serialNumbers.map((serial) => reader(serial, { deviceType: model })))).body.accepted).toBe(
    serialNumbers.length,
  )
  const latest = findLatestReports(known.reports)
  const hasReported = (serial: string) => known.reports.some(({ deviceId, at }) => deviceId === serial && at >= startOfDay(0))
  for (const deviceId of serialNumbers)
    if (!hasReported(deviceId) || latest.get(deviceId)?.model !== model)
      known.reports.push({ deviceId, at: Date.now(), model, os: null, location: null, decodes: 0 })
}

/** As if all that an organization has were so much older. */
async function letPass({ key, known }: Place, days: number): Promise<void> {
  await sql`
    update reported_device set reported_at = reported_at - make_interval(days => ${days}),
      days = (select range_agg(daterange(lower(span) - ${days}::int, upper(span) - ${days}::int)) from unnest(days) span)
    where organization_id = ${key}`.execute(db)
  await sql`update decode_use set used_on = used_on - ${days}::int where organization_id = ${key}`.execute(db)
  known.reports = known.reports.map((one): KnownReport => ({ ...one, at: one.at - days * dayMs }))
}

test('[API-GRA-01 API-GRA-02 API-GRA-03 API-GRA-04 API-GRA-05 API-GRA-06 API-GRA-07 API-GRA-08 API-GRA-09 API-GRA-10] every graph is what counting all reports finds, whatever comes late, twice, out of order or at once', {
  timeout: 240_000,
}, async () => {
  await fc.assert(
    fc.asyncProperty(fc.array(step, { minLength: 2, maxLength: 8 }), async (steps) => {
      const place = await newPlace()
      for (const one of steps) {
        if (one.kind === 'log') await log(place, one.batches, one.again)
        else if (one.kind === 'check in') await checkIn(place, one.serials, one.model)
        else if (one.kind === 'days pass') await letPass(place, one.days)
        else if (one.kind === 'sweep') await sweepGraphs(db)
        else {
          const { status } = await place.person.call('createLicence', { params: place.params, body: { serialNumbers: one.serials } })
          expect(status).toBe(200)
          place.known.licensed.push(...one.serials)
        }
        await expectExact(place)
      }
    }),
    { numRuns: 25, seed: 20_261_121 },
  )
})

test('what outlives its year is taken off before the sweep has seen it, and the sweep forgets it', async () => {
  const place = await newPlace()
  const old = { os: 'Android 15', location: null, decodes: 1, offset: 'Z' as const, late: 0, model: 'Old' }
  await log(
    place,
    [[...serials.map((deviceId) => ({ ...old, deviceId, daysAgo: 364 })), { ...old, deviceId: 'NEW', model: 'New', daysAgo: 0 }]],
    false,
  )
  // An older use that comes late is not the latest one.
  await log(place, [[{ ...old, deviceId: 'NEW', daysAgo: 364 }]], false)
  await place.person.call('createLicence', { params: place.params, body: { serialNumbers: ['NEW', 'S1'] } })
  place.known.licensed.push('NEW', 'S1')
  await letPass(place, 1)
  await expectExact(place)
  expect((await place.person.call('getDeviceModels', { params: place.params })).body.labels).toEqual(['New'])
  expect(await sweepGraphs(db)).toBeGreaterThanOrEqual(serials.length)
  expect(await sweepGraphs(db)).toBe(0)
  const { rows } = await sql`select device_id from reported_device where organization_id = ${place.key}`.execute(db)
  expect(rows).toEqual([{ device_id: 'NEW' }])
  await expectExact(place)
})

test('many senders of the same devices at once, and host PCs, leave every graph exact', async () => {
  const places = [await newPlace(), await newPlace()]
  const record = (round: number, number: number) => ({
    deviceId: `S${(number * 7 + round) % 40}`,
    daysAgo: (number * 13 + round * 5) % 365,
    late: 0,
    model: `M${(number + round) % 4}`,
    offset: 'Z' as const,
    os: number % 3 ? 'Android 15' : null,
    location: number % 2 ? city('Reno', 39.5, -119.8) : null,
    decodes: number % 5,
  })
  for (let round = 0; round < 3; round++) {
    await Promise.all(
      places.flatMap((place) => [
        log(
          place,
          [1, 2, 3].map((sender) => Array.from({ length: 50 }, (_, number) => record(round * sender, number))),
          true,
        ),
        place.host.checkIn(Array.from({ length: 30 }, (_, number) => reader(`H${number}`))),
      ]),
    )
    for (const { known } of places)
      if (round === 0)
        for (let number = 0; number < 30; number++)
          known.reports.push({ deviceId: `H${number}`, at: Date.now(), model: 'CR2700', os: null, location: null, decodes: 0 })
    for (const place of places) await expectExact(place)
  }
})

test('an organization that is deleted leaves the global graphs', async () => {
  const place = await newPlace()
  const gone = { os: 'Gone', model: 'Gone', location: city('Gone', 1, 1), decodes: 1, offset: 'Z' as const, late: 0, daysAgo: 0 }
  await log(place, [serials.map((deviceId) => ({ ...gone, deviceId }))], false)
  await place.person.call('createLicence', { params: place.params, body: { serialNumbers: serials } })
  expect((await staff.call('getGlobalDeviceModels')).body.labels).toContain('Gone')
  await sql`delete from organization where id = ${place.key}`.execute(db)
  everything.splice(everything.indexOf(place.known), 1)
  expect(await answered(place, 'global')).toEqual(expected(everything))
})
