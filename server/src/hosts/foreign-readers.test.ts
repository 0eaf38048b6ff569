import { sql } from 'kysely'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const hour = 3_600_000
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * hour).toISOString()

/** A zone with two hosts: reader A is the first one's, B the second's. What is published may begin, unless `start` says when. */
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
    ...{ publication, serialNumber, outcome: 'applied', reason: null, at: new Date().toISOString() },
    ...parts,
  })
  const report = (...outcomes: object[]) => host.call('reportOutcomes', { body: { outcomes } })
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
  return { zone, host, other, organizationId, publication, outcome, report, stored }
}

test("[PPL-08] an outcome dated 1999 for another host's reader is refused in words, and nothing of it is stored", async () => {
  const { zone, organizationId, publication, outcome, report, stored } = await newZone()
  const { status, body } = await report(outcome('B'), outcome('A', { outcome: 'failed', reason: 'Locked.' }))
  expect([status, body.refused]).toEqual([200, [{ publication, serialNumber: 'B', reason: 'This host PC does not report the reader B.' }]])
  const alone = await report(outcome('B', { at: '1999-12-31T23:00:00Z' }))
  expect(alone.body.refused).toMatchObject([
    { reason: expect.stringMatching(/^This publication begins at 20.* An outcome of 1999-12-31T23:00:00.000Z is too early\.$/) },
  ])
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
  expect(
    (await second.call('reportOutcomes', { body: { outcomes: [outcome('A', { publication: again!.id })] } })).body.refused,
  ).toMatchObject([{ reason: 'This host PC does not report the reader A.' }])
  const early = await report(outcome('A', { publication: again!.id, at: hoursFromNow(-3) }))
  expect(early.body.refused).toMatchObject([{ reason: expect.stringContaining('is too early') }])
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
  expect((await other.call('reportOutcomes', { body: { outcomes: [outcome('A')] } })).body.refused).toEqual([])
  expect(await stored()).toEqual(['A'])
})

/** The time of day in the host's time zone, so many hours from now. */
const clock = (hours: number) =>
  new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' }).format(Date.now() + hours * hour)

test('[PPL-08] before the update time of the host PC there is no outcome, whatever its date; the clocks may be two hours apart', async () => {
  const early = await newZone({ updateTime: clock(4) })
  for (const at of [new Date().toISOString(), hoursFromNow(5), hoursFromNow(24 * 365)]) {
    const { refused } = (await early.report(early.outcome('A', { at }))).body
    expect(refused).toMatchObject([{ reason: expect.stringMatching(/^This publication begins at .* is too early\.$/) }])
  }
  expect(await early.stored()).toEqual([])
  // A host PC whose clock is ahead.
  const soon = await newZone({ updateTime: clock(1) })
  expect((await soon.report(soon.outcome('A', { at: hoursFromNow(1) }))).body.refused).toEqual([])
  // Once the time has come it is dated by the host PC, also long after.
  await sql`update publication set published_at = now() - interval '3 days' where id = ${early.publication}`.execute(server.app.db)
  expect((await early.report(early.outcome('A', { at: hoursFromNow(-96) }))).body.refused).toHaveLength(1)
  expect((await early.report(early.outcome('A', { at: hoursFromNow(-1) }))).body.refused).toEqual([])
  expect(await early.stored()).toEqual(['A'])
})

test('[PPL-08] what is published "now" may have an outcome at once, from a clock that is up to two hours behind', async () => {
  const { outcome, report, stored } = await newZone()
  expect((await report(outcome('A', { at: hoursFromNow(-2.1) }))).body.refused).toHaveLength(1)
  expect(await stored()).toEqual([])
  expect((await report(outcome('A', { at: hoursFromNow(-1.9) }))).body.refused).toEqual([])
})
