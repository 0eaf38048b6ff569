import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app

/** A zone with a reader, whose host PC has UTC as its time zone. Returns what can be done to a rollout there. */
async function newZone() {
  const zone = await server.zone()
  const { organization, manager } = zone
  const host = await server.host(zone, 'HOST-01', undefined, 'UTC')
  await host.checkIn([reader('A')])
  const publish = async (cfg: string) => {
    const params = { organizationId: organization.id, id: uuidv7() }
    await manager.call('publishCfg', {
      params: { organizationId: organization.id, location: zone.id, device: 'CR2700' },
      body: { cfg: `<cfg>${cfg}</cfg>`, rollout: params.id },
    })
    const limit = (stopTime: string | null, { percent = null as number | null, forLater = false } = {}) =>
      manager.call('setSafetyLimit', { params, body: { haltAbovePercent: percent, stopTime, forLater } })
    const detail = () => readRollout(manager, params)
    return { params, limit, detail }
  }
  const desired = async () => (await host.call('getDesired')).body.configurations[0]!
  const readNews = async () => {
    const { rows } = await sql<{ count: number }>`select count(*)::int from event where zone_id = ${zone.id} and kind = 'desired'`.execute(
      db,
    )
    return rows[0]!.count
  }
  return { ...zone, host, publish, desired, newsOf: readNews }
}

/** Returns the time of day in UTC so many hours from now. */
const hoursFromNow = (hours: number) => new Date(Date.now() + hours * 3_600_000).toISOString().slice(11, 16)

test('[PUB-15] hosts receive the stop time of a rollout, and each change; the audit log says what was set', async () => {
  const zone = await newZone()
  const rollout = await zone.publish('1')
  expect(await zone.desired()).toMatchObject({ stopTime: null })
  const before = await zone.newsOf()
  const { body } = await rollout.limit('05:00', { percent: 5 })
  expect(body.message).toBe('A zone halts when more than 5% of its readers fail. No reader starts from 05:00 on.')
  expect(await zone.desired()).toMatchObject({ stopTime: '05:00' })
  expect(await zone.newsOf()).toBe(before + 1)
  await rollout.limit('05:00', { percent: 6 })
  expect(await zone.newsOf()).toBe(before + 1)
  await rollout.limit(null)
  expect(await zone.desired()).toMatchObject({ stopTime: null })
  const { body: same } = await rollout.limit('02:00')
  expect(same.message).toBe('No zone halts automatically.')
  const entries = await db
    .selectFrom('audit_entry')
    .select('new_value')
    .where('organization_id', '=', zone.organization.key)
    .where('change_type', '=', 'setSafetyLimit')
    .orderBy('id')
    .execute()
  expect(entries.map(({ new_value }) => new_value)).toEqual([
    '5%, no new readers from 05:00 on',
    '6%, no new readers from 05:00 on',
    'none, no stop time',
    'none, no new readers from 02:00 on',
  ])
})

test('[PUB-15] a later rollout gets the stop time of its organization; rolled back at once it waits for none', async () => {
  const zone = await newZone()
  const first = await zone.publish('1')
  await first.limit('05:00', { forLater: true })
  await sql`update publication set published_at = now() - interval '2 days' where rollout_id = ${first.params.id}`.execute(db)
  const apply = async () => {
    const { publication, contentHash, fileName } = await zone.desired()
    const outcome = { publication, serialNumber: 'A', outcome: 'applied', reason: null, at: new Date().toISOString() }
    await zone.host.call('reportOutcomes', { body: { outcomes: [outcome] } })
    await zone.host.checkIn([reader('A', { configuration: { contentHash, fileName }, publication })])
  }
  await apply()
  const second = await zone.publish('2')
  const none = { haltAbovePercent: null, stopTime: '05:00' }
  expect((await second.detail()).safetyLimit).toMatchObject({ ...none, later: none })
  expect(await zone.desired()).toMatchObject({ stopTime: '05:00', atOnce: false })
  await apply()
  await zone.manager.call('rollBackRollout', { params: second.params, body: { updateTime: null } })
  const { returns } = (await zone.host.call('getDesired', { query: { knowsReturns: true } })).body
  expect(returns.configurations).toMatchObject([{ stopTime: null, atOnce: true, readers: ['A'] }])
})

test.for(['5:00', '24:00', '', 'noon'])('[PUB-15] %j is no stop time', async (time) => {
  const zone = await newZone()
  const rollout = await zone.publish('1')
  const { status, problem } = await rollout.limit(time)
  expect(status).toBe(400)
  expect(problem?.errors).toEqual([{ field: 'stopTime', message: 'The stop time must be a time of day, such as 05:00.' }])
  expect((await rollout.detail()).safetyLimit.stopTime).toBeNull()
})

test('[PUB-15] past the stop time a rollout and its readers wait for the next update time', async () => {
  const zone = await newZone()
  const { limit, detail, params } = await zone.publish('1')
  const updateTime = hoursFromNow(-2)
  await sql`update publication set update_time = ${updateTime}, published_at = now() - interval '5 hours' where rollout_id = ${params.id}`.execute(
    db,
  )
  await limit(hoursFromNow(1))
  expect(await detail()).toMatchObject({ state: 'updating' })
  await limit(hoursFromNow(-1))
  const [part] = (await detail()).parts
  expect(part?.state).toBe('scheduled')
  const next = Date.parse(part!.runs[0]!.at)
  expect(new Date(next).toISOString().slice(11, 16)).toBe(updateTime)
  expect((next - Date.now()) / 3_600_000).toBeGreaterThan(21)
  expect((next - Date.now()) / 3_600_000).toBeLessThanOrEqual(22)
  const device = { organizationId: zone.organization.id, serialNumber: 'A' }
  expect((await zone.manager.call('getDeviceConfiguration', { params: device })).body.desired?.dueAt).toBe(part?.runs[0]?.at)
})

test('[PUB-15] a reader that is retried after the stop time is not shown as waiting', async () => {
  const zone = await newZone()
  const { organization, manager, host } = zone
  const { params, limit, detail } = await zone.publish('1')
  await sql`update publication set update_time = ${hoursFromNow(-2)}, published_at = now() - interval '5 hours' where rollout_id = ${params.id}`.execute(
    db,
  )
  await limit(hoursFromNow(-1))
  const { publication } = await zone.desired()
  const failed = { publication, serialNumber: 'A', outcome: 'failed', reason: 'Locked.', at: new Date().toISOString() }
  await host.call('checkIn', { body: { timeZone: 'UTC', agentVersion: '1.0.0', devices: [reader('A'), reader('B')] } })
  await host.call('reportOutcomes', { body: { outcomes: [failed] } })
  expect(await detail()).toMatchObject({ state: 'scheduled' })
  await manager.call('retryRollout', { params: { organizationId: organization.id, id: params.id } })
  expect(await detail()).toMatchObject({ state: 'updating' })
  const [again] = (await host.call('getDesired')).body.reapplications
  await host.call('reportOutcomes', { body: { outcomes: [{ ...failed, publication: again!.id, outcome: 'applied', reason: null }] } })
  expect(await detail()).toMatchObject({ state: 'scheduled' })
})
