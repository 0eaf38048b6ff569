import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const gate = { maxFailedPercent: 20, maxSilentPercent: 50 }
const share = (percent: number, soakMinutes = 0) => ({ share: percent, soakMinutes, gate })

/** A zone with a host PC whose agent knows phases. */
async function newZone() {
  const zone = await server.zone()
  const host = await server.host(zone)
  const params = { organizationId: zone.organization.id }
  const checkIn = (serials: readonly string[], knowsPhases = true) =>
    host.checkIn(
      serials.map((serial) => reader(serial)),
      { knowsPhases },
    )
  const publish = (id: string, phases: object[], device: 'CR2700' | 'CR1100' = 'CR2700') =>
    zone.manager.call('publishCfg', {
      params: { ...params, location: zone.id, device },
      body: { cfg: '<cfg>1</cfg>', when: 'now', rollout: id, phases },
    })
  const desired = async () => (await host.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
  const apply = async (serialNumber: string) => {
    const { publication } = await desired()
    const outcome = { publication, serialNumber, outcome: 'applied', reason: null, at: new Date().toISOString() }
    return host.call('reportOutcomes', { body: { outcomes: [outcome] } })
  }
  const phases = async (id: string) =>
    (await readRollout(zone.manager, { ...params, id })).phases.map(({ state, readers, end }) => [state, readers, end])
  const countEvents = async () =>
    (await db.selectFrom('event').select('id').where('organization_id', '=', zone.organization.key).where('kind', '=', 'desired').execute())
      .length
  return { ...zone, params, checkIn, publish, desired, apply, phases, countEvents }
}

/** Finds an id for a rollout in which no reader has a position in the first so many per cent. Returns it with the serial numbers by position. */
function newRollout(serials: readonly string[], percent: number) {
  for (;;) {
    const id = uuidv7()
    const position = (serial: string) => readerPosition(id, serial)
    const inOrder = serials.toSorted((one, other) => position(one) - position(other))
    if (position(inOrder[0]!) >= percent * 100) return { id, inOrder, position }
  }
}

test('[PHA-01] a share of few readers is at least one, the next by position, as long as one is left', async () => {
  const zone = await newZone()
  await zone.checkIn(['A', 'B', 'C'])
  const { id, inOrder, position } = newRollout(['A', 'B', 'C'], 3)
  const ends = inOrder.map((serial) => position(serial) + 1)
  await zone.publish(id, [share(1), share(1), share(1)])
  expect(await zone.phases(id)).toEqual([
    ['running', 1, ends[0]],
    ['waiting', 1, ends[1]],
    ['waiting', 1, ends[2]],
    ['waiting', 0, 10_000],
  ])
  expect((await zone.desired()).admitted).toEqual({ rollout: id, end: ends[0] })
  await zone.apply(inOrder[0]!)
  expect((await zone.desired()).admitted).toEqual({ rollout: id, end: ends[1] })
  await zone.apply(inOrder[1]!)
  await zone.apply(inOrder[2]!)
  expect((await zone.phases(id)).map(([state]) => state)).toEqual(['passed', 'passed', 'passed', 'empty'])
})

test('[PHA-01] a share that grew for the few readers of a first call is what was chosen again when another brings many', async () => {
  const zone = await newZone()
  const many = Array.from({ length: 60 }, (_, index) => `M${index}`)
  // With this id, the first call's reader has a position of at least 7,000, and some other reader has one below 1,000.
  let id = uuidv7()
  while (readerPosition(id, 'LONE') < 7_000 || many.every((serial) => readerPosition(id, serial) >= 1_000)) id = uuidv7()
  await zone.checkIn([...many, 'LONE'])
  await db.updateTable('device').set({ device_type: 'CR1100' }).where('serial_number', '=', 'LONE').execute()
  await zone.publish(id, [share(10)], 'CR1100')
  expect((await zone.phases(id))[0]).toEqual(['running', 1, readerPosition(id, 'LONE') + 1])
  await zone.publish(id, [share(10)])
  const among = many.filter((serial) => readerPosition(id, serial) < 1_000).length
  expect(await zone.phases(id)).toEqual([
    ['running', among, 1_000],
    ['waiting', 61 - among, 10_000],
  ])
  expect((await zone.desired()).admitted).toEqual({ rollout: id, end: 1_000 })
})

test('[PHA-01] a first phase without readers waits for the first that comes, then for that one', async () => {
  const zone = await newZone()
  const { id, inOrder, position } = newRollout(['A', 'B'], 1)
  await zone.publish(id, [share(1)])
  await server.app.sweep()
  expect(await zone.phases(id)).toEqual([
    ['empty', 0, 100],
    ['waiting', 0, 10_000],
  ])
  // Readers of an agent without phases can only be in the last phase.
  await zone.checkIn(['A', 'B'], false)
  await server.app.sweep()
  expect((await zone.phases(id)).map(([state]) => state)).toEqual(['empty', 'waiting'])
  await zone.checkIn(['A', 'B'])
  const events = await zone.countEvents()
  await server.app.sweep()
  const end = position(inOrder[0]!) + 1
  expect(await zone.phases(id)).toEqual([
    ['running', 1, end],
    ['waiting', 1, 10_000],
  ])
  expect(await zone.countEvents()).toBe(events + 1)
  expect((await zone.desired()).admitted).toEqual({ rollout: id, end })
  await server.app.sweep()
  expect(await zone.countEvents()).toBe(events + 1)
  await zone.apply(inOrder[0]!)
  expect((await zone.phases(id)).map(([state]) => state)).toEqual(['passed', 'running'])
})

test('[PHA-01] while users have halted all of a rollout its gate begins no phase, even past the soak time; once resumed it does', async () => {
  const zone = await newZone()
  await zone.checkIn(['A', 'B'])
  const { id, inOrder } = newRollout(['A', 'B'], 1)
  await zone.publish(id, [share(1, 60)])
  const states = async () => (await zone.phases(id)).map(([state]) => state)
  await zone.apply(inOrder[0]!)
  await zone.manager.call('haltRollout', { params: { ...zone.params, id } })
  await sql`update rollout_phase set done_at = done_at - interval '60 minutes' where rollout_id = ${id}`.execute(db)
  await server.app.sweep()
  expect(await states()).toEqual(['soaking', 'waiting'])
  await zone.manager.call('resumeRollout', { params: { ...zone.params, id } })
  await server.app.sweep()
  expect(await states()).toEqual(['passed', 'running'])
})
