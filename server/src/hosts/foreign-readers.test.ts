import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const hour = 3_600_000
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

/** A zone with two hosts; reader A is at the first, B at the second. Publications may begin at once, unless `start` gives a time. */
async function newZone(start: object = { when: 'now' }) {
  const zone = await server.zone()
  const [host, other] = [await server.host(zone), await server.host(zone, 'HOST-02')]
  await host.checkIn([reader('A')])
  await other.checkIn([reader('B')])
  const organizationId = zone.organization.id
  const params = { organizationId, location: zone.id, device: 'CR2700' } as const
  await zone.manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', ...start } })
  const { publication } = (await host.call('getDesired')).body.configurations[0]!
  const outcome = (serialNumber: string, parts: object = {}) => ({
    publication,
    serialNumber,
    outcome: 'applied',
    reason: null,
    at: new Date().toISOString(),
    ...parts,
  })
  const report = (...outcomes: object[]) => host.call('reportOutcomes', { body: { outcomes } })
  const happenedAt = async () =>
    (await server.app.db.selectFrom('outcome').select('happened_at').where('publication_id', '=', publication).execute()).map(
      (row) => row.happened_at,
    )
  /** Moves the instant at which it was handed to the host. */
  const handedOut = (by: number) =>
    sql`update handed_out set at = now() + make_interval(secs => ${by / 1000}) where publication_id = ${publication}`.execute(server.app.db)
  const stored = async () =>
    (
      await server.app.db
        .selectFrom('outcome')
        .innerJoin('device', 'device.id', 'device_id')
        .select(['serial_number', 'outcome', 'happened_at'])
        .where('publication_id', '=', publication)
        .orderBy('serial_number')
        .execute()
    ).map((row) => row.serial_number)
  return { zone, host, other, organizationId, publication, outcome, report, stored, happenedAt, handedOut }
}

test("[PPL-08] an outcome dated 1999 for another host's reader is refused in words, and nothing of it is stored", async () => {
  const { zone, organizationId, publication, outcome, report, stored } = await newZone()
  const { status, body } = await report(outcome('B'), outcome('A', { outcome: 'failed', reason: 'Locked.' }))
  expect([status, body.refused]).toEqual([200, [{ publication, serialNumber: 'B', reason: 'This host PC does not report the reader B.' }]])
  const alone = await report(outcome('B', { at: '1999-12-31T23:00:00Z' }))
  expect(alone.body.refused).toMatchObject([{ reason: 'This host PC does not report the reader B.' }])
  expect(await stored()).toEqual(['A'])
  const [rollout] = (await zone.manager.call('listRollouts', { params: { organizationId } })).body.rolloutList
  expect(rollout?.counts).toMatchObject({ readers: 2, applied: 0, failed: 1 })
})

test("[PPL-08] a rogue host of another zone reports nothing of this zone's readers, neither outcomes nor progress nor what is applied again", async () => {
  const { zone, host, outcome, report, stored, publication, organizationId } = await newZone()
  const rogue = await server.host(await server.zone('Elsewhere', zone.organization), 'ROGUE')
  await rogue.checkIn([reader('Z')])
  expect((await rogue.call('reportOutcomes', { body: { outcomes: [outcome('A')] } })).body.refused).toMatchObject([
    { reason: 'There is no such publication in this zone.' },
  ])
  const progress = [{ publication, serialNumber: 'B', percent: 40 }]
  await host.call('reportProgress', { body: { progress } })
  expect(await server.app.db.selectFrom('progress').selectAll().where('publication_id', '=', publication).execute()).toEqual([])
  await report(outcome('A', { outcome: 'failed', reason: 'Locked.' }))
  await zone.manager.call('reapplyConfiguration', { params: { organizationId, serialNumber: 'A' } })
  const [again] = (await host.call('getDesired')).body.reapplications
  const second = await server.host(zone, 'HOST-03')
  await second.call('getDesired')
  expect(
    (await second.call('reportOutcomes', { body: { outcomes: [outcome('A', { publication: again!.id })] } })).body.refused,
  ).toMatchObject([{ reason: 'This host PC does not report the reader A.' }])
  expect((await host.call('getDesired')).body.reapplications).toHaveLength(1)
  expect((await report(outcome('A', { publication: again!.id }))).body.refused).toEqual([])
  expect(await stored()).toEqual(['A'])
})

test('[PPL-08] a reader that left the host PC may still get its outcome; one that is at another host PC no more', async () => {
  const { host, other, outcome, report, stored } = await newZone()
  await host.checkIn([reader('C')])
  expect((await report(outcome('A', { outcome: 'failed', reason: 'Locked.' }))).body.refused).toEqual([])
  await other.checkIn([reader('A'), reader('B')])
  expect((await report(outcome('A'))).body.refused).toMatchObject([{ reason: 'This host PC does not report the reader A.' }])
  await other.call('getDesired')
  expect((await other.call('reportOutcomes', { body: { outcomes: [outcome('A')] } })).body.refused).toEqual([])
  expect(await stored()).toEqual(['A'])
})

const clocks = [
  ['6 hours slow', -6 * hour],
  ['25 hours slow', -25 * hour],
  ['2 hours fast', 2 * hour],
  ['a year fast', 365 * 24 * hour],
  ['of 1970', Date.UTC(1970, 0, 1) - Date.now()],
  ['of 9999', Date.UTC(9999, 11, 31) - Date.now()],
] as const

test.each(clocks)('[RIT-08] a failure from a host PC whose clock is %s counts, dated by the clock of the server', async (_, ahead) => {
  const { zone, organizationId, outcome, happenedAt, host } = await newZone()
  const byItsClock = (instant: number) => new Date(instant + ahead).toISOString()
  const failed = Date.now()
  const one = outcome('A', { outcome: 'failed', reason: 'Locked.', at: byItsClock(failed) })
  const { status, body } = await host.call('reportOutcomes', { body: { sentAt: byItsClock(Date.now()), outcomes: [one] } })
  expect([status, body.refused]).toEqual([200, []])
  const [at] = await happenedAt()
  expect(Math.abs(at!.getTime() - failed)).toBeLessThan(30_000)
  expect(at!.getTime()).toBeLessThanOrEqual(Date.now())
  const [rollout] = (await zone.manager.call('listRollouts', { params: { organizationId } })).body.rolloutList
  expect(rollout?.counts).toMatchObject({ applied: 0, failed: 1 })
})

test('[RIT-08] the time of an outcome is corrected by how far the clock is off, and kept between handing out and now', async () => {
  const { outcome, happenedAt, handedOut, host } = await newZone()
  await handedOut(-10 * hour)
  const report = async (sentAt: string | undefined, at: string) => {
    await host.call('reportOutcomes', { body: { sentAt, outcomes: [outcome('A', { outcome: 'failed', reason: 'Locked.', at })] } })
    return Math.round((Date.now() - (await happenedAt())[0]!.getTime()) / hour)
  }
  // An hour ago, by a clock that is six hours slow.
  expect(await report(hoursFromNow(-6), hoursFromNow(-7))).toBe(1)
  // By one that is a day fast.
  expect(await report(hoursFromNow(24), hoursFromNow(21))).toBe(3)
  // The clock was set meanwhile.
  expect(await report(hoursFromNow(0), hoursFromNow(48))).toBe(0)
  expect(await report(hoursFromNow(0), hoursFromNow(-48))).toBe(10)
  // An older agent does not send its clock's time.
  expect(await report(undefined, hoursFromNow(-2))).toBe(2)
  expect(await report(undefined, hoursFromNow(-11))).toBe(10)
  expect(await report(undefined, '9999-12-31T23:59:59Z')).toBe(0)
})

test('[RIT-08] before this host PC was handed a publication it reports no outcome of it, and from then on it does, also before the update time', async () => {
  const { zone, host, other, outcome, report, stored, organizationId } = await newZone({ updateTime: '03:00' })
  // The other host PC of the zone has not asked.
  const ofOther = () => other.call('reportOutcomes', { body: { outcomes: [outcome('B')] } })
  expect((await ofOther()).body.refused).toMatchObject([{ reason: 'This host PC was not handed this publication yet.' }])
  expect(await stored()).toEqual([])
  await other.call('getDesired')
  expect((await ofOther()).body.refused).toEqual([])
  expect((await report(outcome('A', { outcome: 'failed', reason: 'Locked.', at: hoursFromNow(-6) }))).body.refused).toEqual([])
  expect(await stored()).toEqual(['A', 'B'])
  await zone.manager.call('reapplyConfiguration', { params: { organizationId, serialNumber: 'A' } })
  const { id } = await server.app.db
    .selectFrom('reapplication')
    .select('id')
    .where('organization_id', '=', zone.organization.key)
    .executeTakeFirstOrThrow()
  const again = outcome('A', { publication: id, at: hoursFromNow(-6) })
  expect((await report(again)).body.refused).toMatchObject([{ reason: 'This host PC was not handed this publication yet.' }])
  await host.call('getDesired')
  expect((await report(again)).body.refused).toEqual([])
})

test('[RIT-08] a failure that is sent again is one, and two failures of one instant are two', async () => {
  const { zone, host, organizationId, outcome, report } = await newZone()
  const failed = (reason: string, at: string) => outcome('A', { outcome: 'failed', reason, at })
  await host.wasHandedEarlier()
  // How far the clock is off is not known to the second.
  for (const sentAt of [hoursFromNow(0), hoursFromNow(0.001)])
    await host.call('reportOutcomes', { body: { sentAt, outcomes: [failed('Locked.', hoursFromNow(-0.5))] } })
  await report(failed('Locked again.', '2001-01-01T00:00:00Z'))
  await report(failed('Battery at 14%.', '2001-01-01T00:00:00Z'))
  const { body } = await zone.manager.call('listDeviceEvents', { params: { organizationId, serialNumber: 'A' } })
  expect(body.eventList.map((event) => event.reason).sort()).toEqual(['Battery at 14%.', 'Locked again.', 'Locked.'])
})

test('[RIT-08] what a host PC was handed first stays, however often it asks', async () => {
  const { host, outcome, report, handedOut, happenedAt } = await newZone()
  await handedOut(-3 * hour)
  await host.call('getDesired')
  await report(outcome('A', { at: hoursFromNow(-2) }))
  expect(Math.round((Date.now() - (await happenedAt())[0]!.getTime()) / hour)).toBe(2)
})
