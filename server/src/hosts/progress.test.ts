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
  const report = (...progress: [serialNumber: string | null, percent: number, of?: string][]) =>
    host.call('reportProgress', {
      body: { progress: progress.map(([serialNumber, percent, of = publication]) => ({ publication: of, serialNumber, percent })) },
    })
  const stored = async () => {
    const rows = await server.app.db
      .selectFrom('progress')
      .leftJoin('device', 'device.id', 'device_id')
      .select(['serial_number', 'percent'])
      .where('publication_id', '=', publication)
      .execute()
    return Object.fromEntries(rows.map(({ serial_number, percent }) => [serial_number ?? 'host', percent]))
  }
  return { zone, host, publication, report, stored }
}

test('keeps the last word of each reader, and of the host PC itself', async () => {
  const { report, stored } = await newZone()
  await report([null, 20], ['A', 10])
  await report([null, 60], ['A', 30], ['B', 5], ['A', 40])
  expect(await stored()).toEqual({ host: 60, A: 40, B: 5 })
  await report(['A', 0])
  expect(await stored()).toEqual({ host: 60, A: 0, B: 5 })
})

test("leaves out what names another zone's publication, none, or no reader; the rest is stored", async () => {
  const { report, stored } = await newZone()
  const other = await newZone()
  expect((await report(['A', 1, other.publication], ['A', 2, uuidv7()], ['NOBODY', 3], ['B', 4])).status).toBe(204)
  expect(await stored()).toEqual({ B: 4 })
  expect(await other.stored()).toEqual({})
})

test('a reader that is done makes no progress any more', async () => {
  const { host, publication, report, stored } = await newZone()
  await report(['A', 90], ['B', 20])
  const outcome = { publication, serialNumber: 'A', outcome: 'applied', reason: null, at: new Date().toISOString() }
  await host.call('reportOutcomes', { body: { outcomes: [outcome] } })
  expect(await stored()).toEqual({ B: 20 })
  await report(['A', 95])
  expect(await stored()).toEqual({ B: 20 })
})

test('refuses more than all of it', async () => {
  const { report, stored } = await newZone()
  expect((await report(['A', 101])).status).toBe(400)
  expect(await stored()).toEqual({})
})
