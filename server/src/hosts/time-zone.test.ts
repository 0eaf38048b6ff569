import { expect, test } from 'vitest'
import { serverForFile } from '../testing/server.ts'
import { timeIn, waitingRollout } from '../testing/waiting-rollout.ts'

const server = await serverForFile()
const hour = 3_600_000

/**
 * A publication from some hours ago at a host PC in UTC whose time zone is Asia/Tokyo from now on: there that time of day was nine hours
 * earlier.
 */
async function published(hoursAgo: number, updateTime: string) {
  const rollout = await waitingRollout(server, ['ICU'])
  const { params } = await rollout.publish({ updateTime })
  const published_at = new Date(Date.now() - hoursAgo * hour)
  await server.app.db.updateTable('publication').set({ published_at }).where('rollout_id', '=', params.id).execute()
  const host = rollout.hosts[0]!
  const desired = async (query: Record<string, unknown>) => (await host.call('getDesired', { query })).body
  const read = async () => {
    const { body } = await rollout.manager.call('listRolloutParts', { params, query: { PageSize: 20 } })
    const [part] = body.partList
    return { state: part!.state, hours: part!.runs.map(({ at }) => inHours(at)), zones: part!.runs.map(({ timeZones }) => timeZones), part }
  }
  const moveTo = (timeZone: string) => host.checkIn([], { timeZone })
  return { ...rollout, host, params, desired, read, moveTo }
}

const inHours = (at: string) => Math.round((Date.parse(at) - Date.now()) / hour)

test('[INP-05] a new time zone of a host PC plans its waiting runs anew, never into the past, and the rollout shows it', async () => {
  const { read, moveTo, desired, manager, organizationId } = await published(5, timeIn(6))
  expect(await read()).toMatchObject({ state: 'scheduled', hours: [6], zones: [['UTC']] })
  expect((await read()).part).not.toHaveProperty('plannedAnew')
  await moveTo('Asia/Tokyo')
  const { part, ...after } = await read()
  expect(after).toEqual({ state: 'scheduled', hours: [21], zones: [['Asia/Tokyo']] })
  expect(part!.plannedAnew).toMatchObject({ timeZone: 'Asia/Tokyo', before: 'UTC' })
  expect(Math.abs(Date.parse(part!.plannedAnew!.at) - Date.now())).toBeLessThan(60_000)
  // The agent plans by the same history; an older one gets the day of the run.
  expect((await desired({ knowsTimeZones: true })).timeZoneHistory).toMatch(/^Asia\/Tokyo 20\d\d-\S+Z UTC$/)
  expect((await desired({ knowsTimeZones: true })).configurations[0]!.startDate).toBeNull()
  const inTokyo = new Date(Date.now() + (21 + 9) * hour).toISOString().slice(0, 10)
  expect((await desired({})).configurations[0]!.startDate).toBe(inTokyo)
  const { body } = await manager.call('getCalendar', { params: { organizationId }, query: { from: inTokyo, days: 1 } })
  expect(body.days.flatMap(({ runs }) => runs.flatMap((run) => run.runs.map(({ at }) => inHours(at))))).toEqual([21])
})

test('[INP-05] a run that began before the time zone changed is not moved', async () => {
  const { read, moveTo } = await published(3, timeIn(-1))
  expect(await read()).toMatchObject({ state: 'updating', hours: [-1] })
  await moveTo('Asia/Tokyo')
  const { part, ...after } = await read()
  expect(after).toEqual({ state: 'updating', hours: [-1], zones: [['Asia/Tokyo']] })
  expect(part).not.toHaveProperty('plannedAnew')
})

test('[INP-05] what is published after the change was planned by the new time zone, and is not said to be planned anew', async () => {
  const { read, moveTo, publish, manager } = await published(5, timeIn(6))
  await moveTo('Asia/Tokyo')
  const { params } = await publish({ updateTime: timeIn(6), cfg: '<cfg>2</cfg>' })
  // Otherwise the milliseconds that the call took are taken off.
  await server.app.db.updateTable('publication').set({ published_at: new Date() }).where('rollout_id', '=', params.id).execute()
  const { body } = await manager.call('listRolloutParts', { params, query: { PageSize: 20 } })
  expect(body.partList.map(({ runs }) => runs.map(({ at }) => inHours(at)))).toEqual([[21]])
  expect(body.partList[0]).not.toHaveProperty('plannedAnew')
  expect((await read()).state).toBe('replaced')
})

test('[INP-05] open streams hear of the new plan, and the last eight changes are kept', async () => {
  const { moveTo, desired, zones } = await published(5, timeIn(6))
  const events = () =>
    server.app.db.selectFrom('event').select('kind').where('zone_id', '=', zones[0]!).where('kind', '=', 'desired').execute()
  const before = (await events()).length
  await moveTo('Asia/Tokyo')
  await moveTo('Asia/Tokyo')
  expect((await events()).length).toBe(before + 1)
  for (let round = 0; round < 5; round++) for (const timeZone of ['UTC', 'Asia/Tokyo']) await moveTo(timeZone)
  const { timeZoneHistory } = await desired({ knowsTimeZones: true })
  expect(timeZoneHistory!.split(' ')).toHaveLength(17)
})
