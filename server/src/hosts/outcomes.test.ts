import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()

/** A zone whose host has readers A and B and a publication for them. */
async function newZone() {
  const zone = await server.zone()
  const host = await server.host(zone)
  await host.checkIn([reader('A'), reader('B')])
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', when: 'now' } })
  const publication = (await host.call('getDesired')).body.configurations[0]!.publication
  await host.wasHandedEarlier()
  const report = (...outcomes: unknown[]) => host.call('reportOutcomes', { body: { outcomes } })
  const stored = () =>
    server.app.db
      .selectFrom('outcome')
      .innerJoin('device', 'device.id', 'device_id')
      .select(['serial_number', 'outcome', 'reason', 'happened_at', 'reported_at'])
      .where('publication_id', '=', publication)
      .orderBy('serial_number')
      .execute()
  return { zone, host, publication, report, stored }
}

const today = Date.now()
const minutesLater = (minutes: number) => new Date(today + minutes * 60_000).toISOString()

const makeOutcome = (publication: string, serialNumber: string, parts: object = {}) => ({
  publication,
  serialNumber,
  outcome: 'applied',
  reason: null,
  at: minutesLater(-3),
  ...parts,
})

test('sent again, an outcome changes nothing: there is exactly one', async () => {
  const { publication, report, stored } = await newZone()
  const outcome = makeOutcome(publication, 'A')
  expect((await report(outcome)).body).toEqual({ refused: [] })
  const first = await stored()
  expect(first).toMatchObject([{ serial_number: 'A', outcome: 'applied', reason: null, happened_at: new Date(minutesLater(-3)) }])
  await Promise.all(Array.from({ length: 10 }, () => report(outcome, outcome)))
  expect(await stored()).toEqual(first)
})

test('a failure may become a success; a success stays one, across reports and within one', async () => {
  const { publication, report, stored } = await newZone()
  const failed = (serial: string, reason: string) => makeOutcome(publication, serial, { outcome: 'failed', reason })
  await report(failed('A', 'battery low'))
  await report(failed('A', 'battery lower'))
  expect(await stored()).toMatchObject([{ outcome: 'failed', reason: 'battery lower' }])
  await report(makeOutcome(publication, 'A', { at: minutesLater(-2) }))
  await report(failed('A', 'late'))
  await report(makeOutcome(publication, 'B'), makeOutcome(publication, 'B', { at: minutesLater(-1) }), failed('B', 'late'))
  expect(await stored()).toMatchObject([
    { serial_number: 'A', outcome: 'applied', reason: null, happened_at: new Date(minutesLater(-2)) },
    { serial_number: 'B', outcome: 'applied', reason: null, happened_at: new Date(minutesLater(-3)) },
  ])
})

test("refuses what names another zone's publication, none at all, or an unknown reader; the rest is stored", async () => {
  const { zone, publication, report, stored } = await newZone()
  const neighbour = await server.zone('Neighbour', zone.organization)
  const params = { organizationId: zone.organization.id, location: neighbour.id, device: 'CR2700' }
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>2</cfg>', when: 'now' } })
  const foreign = (await (await server.host(neighbour)).call('getDesired')).body.configurations[0]!.publication
  const other = await newZone()
  const unknown = uuidv7()
  const { status, body } = await report(
    makeOutcome(foreign, 'A'),
    makeOutcome(other.publication, 'A'),
    makeOutcome(publication.toUpperCase(), 'A'),
    makeOutcome(unknown, 'A'),
    makeOutcome(publication, 'NOBODY'),
  )
  const reason = 'There is no such publication in this zone.'
  expect(status).toBe(200)
  expect(new Set(body.refused)).toEqual(
    new Set([
      { publication: foreign, serialNumber: 'A', reason },
      { publication: other.publication, serialNumber: 'A', reason },
      { publication: unknown, serialNumber: 'A', reason },
      { publication, serialNumber: 'NOBODY', reason: 'This host PC does not report the reader NOBODY.' },
    ]),
  )
  expect(await stored()).toMatchObject([{ serial_number: 'A' }])
  expect(await other.stored()).toEqual([])
})

test('an outcome for an earlier revision is still taken', async () => {
  const { zone, publication, report, stored } = await newZone()
  const params = { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' }
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>newer</cfg>', when: 'now' } })
  expect((await report(makeOutcome(publication, 'A'))).body.refused).toEqual([])
  expect(await stored()).toHaveLength(1)
})

test.for<[string, object, RegExp]>([
  ['another outcome', { outcome: 'maybe' }, /outcome invalid option: expected one of "applied"\|"failed"/],
  ['a reason the database cannot keep', { reason: 'a\0b' }, /reason must be text/],
  ['a reason without an end', { reason: 'x'.repeat(501) }, /reason must have at most 500 characters/],
  ['a time that is none', { at: 'yesterday' }, /at must be an instant in UTC/],
  ['the year 0', { at: '0000-01-01T00:00:00Z' }, /at must not be in the year 0/],
])('refuses %s, in words', async ([, parts, words]) => {
  const { publication, report, stored } = await newZone()
  const { status, problem } = await report(makeOutcome(publication, 'A', parts))
  expect(status).toBe(400)
  expect(problem.detail).toMatch(words)
  expect(await stored()).toEqual([])
})

test('a report has at most 500 outcomes', async () => {
  const { publication, report } = await newZone()
  const many = (count: number) => Array.from({ length: count }, (_, number) => makeOutcome(publication, `S${number}`))
  expect((await report(...many(500))).body.refused).toHaveLength(500)
  expect((await report(...many(501))).status).toBe(400)
})
