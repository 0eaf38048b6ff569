import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { dateIn, laterWindow, timeIn, waitingRollout } from '../testing/waiting-rollout.ts'

const server = await serverForFile()

test('[NOW-05] coming runs are shown by day and rollout, filtered by zone; a moved zone is on its new day', async () => {
  const { manager, organizationId, publish, zones } = await waitingRollout(server, ['East', 'North', 'South', 'West'])
  const { params } = await publish({ updateTime: '00:00' })
  const read = async (query: object = {}) =>
    (await manager.call('getCalendar', { params: { organizationId }, query: { from: dateIn(0), ...query } })).body
  const tomorrow = dateIn(1)
  const run = { rollout: params.id, kinds: ['configuration'], runs: [{ at: `${tomorrow}T00:00:00.000Z`, timeZones: ['UTC'] }] }
  expect(await read()).toMatchObject({
    days: [{ date: tomorrow, runCount: 1, runs: [{ ...run, zones: ['East', 'North', 'South'], zoneCount: 4, readers: 4, otherDays: 0 }] }],
    before: 0,
    after: 0,
    halted: 0,
    withoutHost: 0,
  })
  await manager.call('moveRollout', { params, body: { zones: [zones[3]!], date: dateIn(20), updateTime: '05:00' } })
  const days = ({ days }: Awaited<ReturnType<typeof read>>) => days.map(({ date, runs }) => [date, runs.map(({ zones }) => zones)])
  expect(days(await read())).toEqual([
    [tomorrow, [['East', 'North', 'South']]],
    [dateIn(20), [['West']]],
  ])
  expect((await read()).days.flatMap(({ runs }) => runs.map(({ otherDays }) => otherDays))).toEqual([1, 1])
  expect((await read({ zone: zones[3] })).days[0]!.runs[0]!.otherDays).toBe(0)
  expect(days(await read({ zone: zones[3] }))).toEqual([[dateIn(20), [['West']]]])
  expect(await read({ days: 7 })).toMatchObject({ after: 1 })
  expect(await read({ from: dateIn(15) })).toMatchObject({ before: 1 })
  await manager.call('haltRollout', { params })
  expect(await read()).toMatchObject({ days: [], halted: 1 })
})

test("[NOW-05] a calendar of a zone that is not the organization's is not found", async () => {
  const { manager, organization } = await server.zone()
  const other = await server.zone()
  const query = { from: dateIn(0), zone: other.id }
  expect((await manager.call('getCalendar', { params: { organizationId: organization.id }, query })).status).toBe(404)
})

test('[RIT-06] a zone that waits for its phase is on no day, and named with the phase and who begins it', async () => {
  const { manager, organizationId, zones, hosts } = await waitingRollout(server, ['Ward', 'Depot', 'Annex', 'Lab'])
  for (const host of hosts) await host.checkIn([reader(host.serial)], { knowsPhases: true, timeZone: 'UTC' })
  const id = uuidv7()
  const params = { organizationId, id }
  const gate = { maxFailedPercent: 5, maxSilentPercent: 10 }
  const [ward, depot] = zones as [string, string]
  await manager.call('publishToZones', {
    params: { organizationId },
    body: {
      key: id,
      zones: { ids: zones },
      when: { updateTime: timeIn(6) },
      parts: [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }],
      phases: [
        { zones: [ward], soakMinutes: 0, gate: 'by hand' },
        { zones: [depot], soakMinutes: 0, gate },
      ],
    },
  })
  const read = async (query: object = {}) => {
    const { body } = await manager.call('getCalendar', { params: { organizationId }, query: { from: dateIn(0), ...query } })
    const runs = body.days.flatMap((day) => day.runs)
    return {
      runs: runs.map(({ zones: named, zoneCount }) => [named, zoneCount]),
      waits: body.phaseWaits.map(({ phase, isByHand, zones: named, zoneCount }) => [phase, isByHand, named, zoneCount]),
      count: body.phaseWaitCount,
    }
  }
  expect(await read()).toEqual({
    runs: [[['Ward'], 1]],
    waits: [
      [2, true, ['Depot'], 1],
      [3, false, ['Annex', 'Lab'], 2],
    ],
    count: 2,
  })
  expect(await read({ zone: depot })).toEqual({ runs: [], waits: [[2, true, ['Depot'], 1]], count: 1 })
  expect(await read({ zone: ward })).toEqual({ runs: [[['Ward'], 1]], waits: [], count: 0 })
  await manager.call('beginPhase', { params: { ...params, phase: 2 } })
  expect(await read()).toEqual({ runs: [[['Depot', 'Ward'], 2]], waits: [[3, false, ['Annex', 'Lab'], 2]], count: 1 })
  const plan = async (query: object = {}) => (await manager.call('previewMove', { params, query: { ...query } })).body
  expect((await plan()).phases).toEqual([{ phase: 3, isByHand: false, zones: 2 }])
  expect(await plan({ zone: zones[3] })).toMatchObject({ phases: [{ phase: 3, zones: 1 }], clocks: [{ timeZones: ['UTC'] }] })
  expect((await plan({ zone: ward })).phases).toEqual([])
  await manager.call('haltRollout', { params })
  expect(await read()).toEqual({ runs: [], waits: [], count: 0 })
})

test('[RIT-06] what a move would move has the first run, and the clocks with the windows of each of its zones; who may not publish does not read it', async () => {
  const { manager, organization, organizationId, zones, publish } = await waitingRollout(
    server,
    ['Free', 'Tokyo', 'Windowed'],
    ['UTC', 'Asia/Tokyo'],
  )
  const updateTime = timeIn(6)
  const { params } = await publish({ updateTime })
  const windows = [laterWindow()]
  await manager.call('setZoneSchedule', { params: { organizationId, location: zones[2]! }, body: { windows, blockedDays: [] } })
  const plan = async (query: Record<string, unknown> = {}) => (await manager.call('previewMove', { params, query })).body
  const none = { windows: [], blockedDays: [] }
  const whole = await plan()
  expect(whole.first?.at.slice(11, 16)).toBe(updateTime)
  expect(whole.clocks).toEqual([
    { timeZones: ['UTC'], openTimes: none },
    { timeZones: ['Asia/Tokyo'], openTimes: none },
    { timeZones: ['UTC'], openTimes: { windows, blockedDays: [] } },
  ])
  const windowed = await plan({ zone: zones[2] })
  expect(windowed).toMatchObject({ clocks: [{ openTimes: { windows } }], phases: [] })
  expect(windowed.first?.at.slice(0, 10)).toBe(dateIn(2))
  const elsewhere = await manager.call('previewMove', { params, query: { zone: uuidv7() } })
  expect([elsewhere.status, elsewhere.problem?.detail]).toEqual([409, 'This rollout no longer applies to 1 zone of those.'])
  const member = await server.person({ organization, permissions: ['manage:firmware'] })
  expect((await member.call('previewMove', { params })).status).toBe(403)
  const limited = await server.limitedPerson(organization, [{ id: zones[1]! }], ['manage:cfg'])
  expect((await limited.call('previewMove', { params })).body.clocks).toEqual([{ timeZones: ['Asia/Tokyo'], openTimes: none }])
  await manager.call('startRollout', { params, body: { outsideWindow: 'allowed' } })
  expect(await plan()).toEqual({ clocks: [], phases: [] })
})

test('[NOW-05] a zone that the safety limit has halted has no coming run until it is resumed', async () => {
  const { manager, organizationId, hosts, publish } = await waitingRollout(server, ['North'])
  await hosts[0]!.checkIn([reader('R-0'), reader('R-1'), reader('R-2')], { timeZone: 'UTC' })
  const { params } = await publish({ updateTime: timeIn(6) })
  const { publication } = (await hosts[0]!.desired()).configurations[0]!
  const outcome = { publication, serialNumber: 'R-0', outcome: 'failed', reason: 'Locked.', at: new Date().toISOString() }
  await hosts[0]!.call('reportOutcomes', { body: { outcomes: [outcome] } })
  const read = async () => {
    const { body } = await manager.call('getCalendar', { params: { organizationId }, query: { from: dateIn(0) } })
    return [body.days.length, body.halted]
  }
  expect(await read()).toEqual([1, 0])
  await manager.call('setSafetyLimit', { params, body: { haltAbovePercent: 5, stopTime: null, forLater: false } })
  expect(await read()).toEqual([0, 1])
  await manager.call('resumeRollout', { params })
  expect(await read()).toEqual([1, 0])
})

test('[NOW-05] the clock of a host PC that was removed gives no run', async () => {
  const zone = await server.zone('Two clocks')
  const organizationId = zone.organization.id
  const hosts = [await server.host(zone, 'Stays'), await server.host(zone, 'Goes')] as const
  for (const [index, timeZone] of ['UTC', 'Asia/Tokyo'].entries())
    await hosts[index]!.call('checkIn', { body: { timeZone, agentVersion: '1.0.0', devices: [reader(`R-${index}`)] } })
  await zone.manager.call('publishCfg', {
    params: { organizationId, location: zone.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', updateTime: timeIn(6) },
  })
  const clocks = async () => {
    const { body } = await zone.manager.call('getCalendar', { params: { organizationId }, query: { from: dateIn(0) } })
    return body.days.flatMap(({ runs }) => runs.flatMap((run) => run.runs.flatMap(({ timeZones }) => timeZones))).sort()
  }
  expect(await clocks()).toEqual(['Asia/Tokyo', 'UTC'])
  await zone.manager.call('removeHost', { params: { organizationId, host: hosts[1].hostId } })
  expect(await clocks()).toEqual(['UTC'])
})
