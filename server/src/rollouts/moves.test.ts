import { weekdays } from '@lectern/contract/schedule/open-times.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'
import { dateIn, laterWindow, timeIn, waitingRollout } from '../testing/waiting-rollout.ts'

const server = await serverForFile()

/** The last Sunday of March that comes next, on which clocks in Berlin skip from 02:00 to 03:00. */
const gap = [0, 1]
  .map((years) => new Date(Date.UTC(new Date().getUTCFullYear() + years, 2, 31)))
  .map((last) => new Date(last.getTime() - last.getUTCDay() * 86_400_000).toISOString().slice(0, 10))
  .find((date) => date > new Date().toISOString().slice(0, 10))!
const formatted = (date: string) => `${Number(date.slice(8))} Mar ${date.slice(0, 4)}`

test('[NOW-04] what waits in all zones is started now, with one audit entry; again it says that it has started', async () => {
  const { manager, hosts, publish, listEntries } = await waitingRollout(server, ['North', 'South'])
  const { params } = await publish()
  expect((await readRollout(manager, params)).state).toBe('scheduled')
  const started = await manager.call('startRollout', { params, body: {} })
  expect(started).toMatchObject({ status: 200, body: { message: expect.stringMatching(/^Started CFG [0-9a-f]{8}\.$/) } })
  for (const host of hosts) expect((await host.desired()).configurations).toMatchObject([{ atOnce: true, stopTime: null }])
  expect((await readRollout(manager, params)).state).toBe('updating')
  const again = await manager.call('startRollout', { params, body: {} })
  expect(again).toMatchObject({ status: 200, body: { message: expect.stringMatching(/ has started already\.$/) } })
  expect(await listEntries('startRollout')).toEqual([[null, null]])
  const moved = await manager.call('moveRollout', { params, body: { date: dateIn(3), updateTime: '03:00' } })
  expect([moved.status, moved.problem?.detail]).toEqual([
    409,
    expect.stringMatching(/ has started already\. It can be halted, not moved\.$/),
  ])
})

test('[NOW-04] one zone is moved to another day, the other stays; the same again leaves no second entry', async () => {
  const { manager, hosts, publish, zones, listEntries } = await waitingRollout(server, ['North', 'South'])
  const { params } = await publish()
  const move = { zones: [zones[1]!], date: dateIn(3), updateTime: '03:00' }
  for (const _ of [1, 2]) expect((await manager.call('moveRollout', { params, body: move })).status).toBe(200)
  const desired = await Promise.all(hosts.map(async (host) => (await host.desired()).configurations[0]!))
  expect(desired.map(({ startDate }) => startDate)).toEqual([null, dateIn(3)])
  const { parts } = await readRollout(manager, params)
  expect(parts.map(({ runs }) => runs[0]?.at.slice(0, 16))).toEqual([expect.anything(), `${dateIn(3)}T03:00`])
  expect(parts[0]?.runs[0]?.at).not.toBe(parts[1]?.runs[0]?.at)
  expect(await listEntries('moveRollout')).toEqual([['South', expect.stringMatching(/^\d+ \w+ \d{4}, 03:00$/)]])
  const started = await manager.call('startRollout', { params, body: { zones: [zones[0]!] } })
  expect(started.status).toBe(200)
  expect(await listEntries('startRollout')).toEqual([['North', null]])
  const rest = await manager.call('moveRollout', { params, body: { date: dateIn(4), updateTime: '03:00' } })
  expect(rest.body.message).toMatch(/^Moved CFG \w+ to .*, 03:00\. 1 zone had started already and did not change\.$/)
})

test.for<[string, string, { date: string; updateTime: string }, string, string]>([
  [
    'in a gap of the clock',
    'Europe/Berlin',
    { date: gap, updateTime: '02:30' },
    'updateTime',
    `The clock skips 02:30 on ${formatted(gap)} in Europe/Berlin. Enter another time.`,
  ],
  ['that has passed', 'UTC', { date: '2026-01-01', updateTime: '02:00' }, 'date', '1 Jan 2026 02:00 has passed in UTC.'],
  ['in more than a year', 'UTC', { date: '2040-01-01', updateTime: '02:00' }, 'date', 'Enter a day within a year.'],
])('[NOW-04] a time %s is refused with a sentence', async ([, timeZone, body, field, message]) => {
  const { manager, publish, hosts } = await waitingRollout(server, ['North'], [timeZone])
  const { params } = await publish()
  const refused = await manager.call('moveRollout', { params, body })
  expect([refused.status, refused.problem?.errors]).toEqual([400, [{ field, message }]])
  expect((await hosts[0]!.desired()).configurations[0]?.startDate).toBeNull()
})

test('[NOW-04] a zone that the rollout does not have, a halted one and one that is complete are refused', async () => {
  const { manager, hosts, publish } = await waitingRollout(server, ['North'])
  const { params } = await publish()
  const start = async (body: object = {}) => (await manager.call('startRollout', { params, body })).problem?.detail
  expect(await start({ zones: ['00000000-0000-4000-8000-000000000001'] })).toBe('This rollout no longer applies to 1 zone of those.')
  await manager.call('haltRollout', { params })
  expect(await start()).toBe('This rollout is halted. Resume it first.')
  await manager.call('resumeRollout', { params })
  const { publication } = (await hosts[0]!.desired()).configurations[0]!
  await sql`update publication set published_at = now() - interval '2 days' where id = ${publication}`.execute(server.app.db)
  const outcome = { publication, serialNumber: 'R-0', outcome: 'applied', reason: null, at: new Date().toISOString() }
  await hosts[0]!.call('reportOutcomes', { body: { outcomes: [outcome] } })
  expect(await start()).toBe('This rollout is complete.')
})

test('[NOW-04] a host PC that began before the move reports what it did', async () => {
  const { manager, hosts, publish } = await waitingRollout(server, ['North'])
  const { params } = await publish()
  await manager.call('moveRollout', { params, body: { date: dateIn(3), updateTime: '03:00' } })
  const { publication } = (await hosts[0]!.desired()).configurations[0]!
  const outcome = { publication, serialNumber: 'R-0', outcome: 'applied', reason: null, at: new Date().toISOString() }
  expect((await hosts[0]!.call('reportOutcomes', { body: { outcomes: [outcome] } })).body.refused).toEqual([])
})

test('[MNY-04] zones are found by the state that their windows and the day to which they were moved give them', async () => {
  const { manager, organizationId, publish, zones } = await waitingRollout(server, ['Free', 'Moved', 'Windowed'])
  const { params } = await publish()
  await manager.call('moveRollout', { params, body: { zones: [zones[1]!], date: dateIn(3), updateTime: '03:00' } })
  const location = zones[2]!
  const body = { windows: [laterWindow()], blockedDays: [] }
  expect((await manager.call('setZoneSchedule', { params: { organizationId, location }, body })).status).toBe(200)
  await sql`update publication set published_at = now() - interval '2 days' where rollout_id = ${params.id}`.execute(server.app.db)
  const find = async (state: string) =>
    (await manager.call('listRolloutParts', { params, query: { state } })).body.partList.map((part) => [part.zone, part.state])
  expect(await find('updating')).toEqual([['Free', 'updating']])
  expect(await find('scheduled')).toEqual([
    ['Moved', 'scheduled'],
    ['Windowed', 'scheduled'],
  ])
})

test.for([
  { when: { now: true }, isOver: false, does: 'is published for now' },
  { when: { updateTime: '02:00' }, isOver: true, does: 'has a time that has passed' },
])('[NOW-04 PHA-01] what $does waits for its phase alone: it is neither moved nor said to have started', async ({ when, isOver }) => {
  const { manager, organizationId, hosts, zones, listEntries } = await waitingRollout(server, ['Ward', 'Depot'])
  for (const host of hosts) await host.checkIn([reader(host.serial)], { knowsPhases: true, timeZone: 'UTC' })
  const params = { organizationId, id: uuidv7() }
  const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>', fileName: 'ward.cfg' } }]
  const phases = [{ zones: [zones[0]!], soakMinutes: 0, gate: 'by hand' }]
  const published = await manager.call('publishToZones', { params, body: { key: params.id, zones: { ids: zones }, parts, when, phases } })
  expect(published.status).toBe(200)
  if (isOver)
    await sql`update publication set published_at = now() - interval '2 days' where rollout_id = ${params.id}`.execute(server.app.db)
  const move = async (some: string[]) => {
    const { status, problem } = await manager.call('moveRollout', { params, body: { date: dateIn(3), updateTime: '03:00', zones: some } })
    return [status, problem?.detail]
  }
  expect(await move([zones[0]!])).toEqual([409, 'ward.cfg has started already. It can be halted, not moved.'])
  expect(await move([zones[1]!])).toEqual([409, 'ward.cfg waits for its phase, and for no time. It can be halted, not moved.'])
  expect(await listEntries('moveRollout')).toEqual([])
})

test('[NOW-04 PHA-01] what waits for its phase alone is not started again, and the answer says what it waits for', async () => {
  const { manager, organizationId, hosts, zones, listEntries } = await waitingRollout(server, ['Ward', 'Depot'])
  for (const host of hosts) await host.checkIn([reader(host.serial)], { knowsPhases: true, timeZone: 'UTC' })
  const params = { organizationId, id: uuidv7() }
  const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>', fileName: 'ward.cfg' } }]
  const phases = [{ zones: [zones[0]!], soakMinutes: 0, gate: 'by hand' }]
  const when = { updateTime: timeIn(6) }
  await manager.call('publishToZones', { params, body: { key: params.id, zones: { ids: zones }, parts, when, phases } })
  const start = async (body: object = {}) => (await manager.call('startRollout', { params, body })).body?.message
  expect(await start({ zones: [zones[1]!] })).toBe('Started ward.cfg.')
  expect(await start({ zones: [zones[1]!] })).toBe('ward.cfg waits for its phase, and for no time.')
  expect(await start()).toBe('Started ward.cfg. 1 zone waits for its phase and did not change.')
  expect(await start()).toBe('ward.cfg has started already.')
  expect(await listEntries('startRollout')).toHaveLength(2)
})

test('[NOW-05 PHA-01] "now" in phases asks also within a window, as later phases would not keep to it', async () => {
  const { manager, organizationId, publish } = await waitingRollout(server, ['North'])
  const gate = { maxFailedPercent: 5, maxSilentPercent: 10 }
  const phases = [{ share: 50, soakMinutes: 60, gate }]
  const open = {
    windows: [{ days: ['mon', 'tue', 'wed', 'thu', 'fri', 'sat', 'sun'] as const, from: timeIn(-1), to: timeIn(3) }],
    blockedDays: [],
  }
  const { params } = await publish({ updateTime: timeIn(6), phases })
  expect((await manager.call('setSchedule', { params: { organizationId }, body: open })).status).toBe(200)
  const later =
    'Started now, its later phases would not keep to the maintenance windows and blocked days of North. To start all the same, set "outsideWindow" to "allowed".'
  const refused = [await manager.call('startRollout', { params, body: {} }), (await publish({ when: 'now', phases })).answers[0]!]
  for (const { status, problem } of refused) expect([status, problem?.detail]).toEqual([409, later])
  expect((await publish({ when: 'now' })).answers[0]?.status).toBe(200)
  expect((await publish({ when: 'now', phases, outsideWindow: 'allowed' })).answers[0]?.status).toBe(200)
})

test('[NOW-05 PHA-01] "now" in phases asks also where there are blocked days alone', async () => {
  const { manager, organizationId, publish } = await waitingRollout(server, ['North'])
  const phases = [{ share: 50, soakMinutes: 60, gate: 'by hand' }]
  const blockedDays = [{ from: dateIn(9), to: dateIn(9), name: '' }]
  const body = { windows: [], blockedDays }
  expect((await manager.call('setSchedule', { params: { organizationId }, body })).status).toBe(200)
  const { answers } = await publish({ when: 'now', phases })
  expect([answers[0]?.status, answers[0]?.problem?.detail]).toEqual([
    409,
    'Started now, its later phases would not keep to the maintenance windows and blocked days of North. To start all the same, set "outsideWindow" to "allowed".',
  ])
  expect((await publish({ when: 'now' })).answers[0]?.status).toBe(200)
})

test('[NOW-05] "now" asks where it is outside the windows on any of the clocks of a zone', async () => {
  const zone = await server.zone('Two clocks')
  const { manager, organization } = zone
  const params = { organizationId: organization.id, location: zone.id, device: 'CR2700' }
  for (const timeZone of ['Asia/Tokyo', 'UTC']) {
    const host = await server.host(zone, timeZone)
    await host.call('checkIn', { body: { timeZone, agentVersion: '1.0.0', devices: [reader(timeZone)] } })
  }
  const set = async (hours: number) => {
    const window = { days: [...weekdays], from: timeIn(hours - 1), to: timeIn(hours + 1) }
    const keeper = await server.person({ organization, permissions: ['manage:people'] })
    await keeper.call('setSchedule', { params, body: { windows: [window], blockedDays: [] } })
    return (await manager.call('publishCfg', { params, body: { cfg: '<cfg>1</cfg>', when: 'now' } })).problem?.detail
  }
  // The clock in Tokyo is 9 hours ahead of UTC.
  expect(await set(9)).toMatch(/^Now is outside the maintenance windows of Two clocks, which open on .* \(UTC\)\./)
  expect(await set(0)).toMatch(/^Now is outside the maintenance windows of Two clocks, which open on .* \(Asia\/Tokyo\)\./)
})

test('[NOW-05] "now" outside the windows is refused until it is allowed: to start, to publish and to roll back', async () => {
  const { manager, organizationId, publish, hosts } = await waitingRollout(server, ['North'])
  const before = await publish({ when: 'now', cfg: '<cfg>before</cfg>' })
  const { publication } = (await hosts[0]!.desired()).configurations[0]!
  const outcome = { publication, serialNumber: 'R-0', outcome: 'applied', reason: null, at: new Date().toISOString() }
  await hosts[0]!.call('reportOutcomes', { body: { outcomes: [outcome] } })
  const { params } = await publish({ updateTime: timeIn(6) })
  expect(before.answers[0]?.status).toBe(200)
  await manager.call('setSchedule', { params: { organizationId }, body: { windows: [laterWindow()], blockedDays: [] } })
  const outside =
    /^Now is outside the maintenance windows of North, which open on .* 10:00 \(UTC\)\. To start all the same, set "outsideWindow" to "allowed"\.$/
  const allowed = { outsideWindow: 'allowed' }
  const refused = [
    await manager.call('startRollout', { params, body: {} }),
    (await publish({ when: 'now' })).answers[0]!,
    await manager.call('rollBackRollout', { params, body: { updateTime: null } }),
  ]
  for (const { status, problem } of refused) expect([status, problem?.detail]).toEqual([409, expect.stringMatching(outside)])
  expect((await manager.call('startRollout', { params, body: allowed })).status).toBe(200)
  expect((await manager.call('rollBackRollout', { params, body: { updateTime: null, ...allowed } })).status).toBe(200)
  expect((await publish({ when: 'now', ...allowed })).answers[0]?.status).toBe(200)
})
