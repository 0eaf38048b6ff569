import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader, type TestOrganization } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const server = await serverForFile()
const { db } = server.app
const serials = ['A', 'B', 'C', 'D']

/** A zone with two host PCs. The first one reports four readers of a model, the second none. */
async function newZone(name = 'ED Triage', owner?: TestOrganization, prefix = '') {
  const zone = await server.zone(name, owner)
  const hosts = [await server.host(zone), await server.host(zone, 'HOST-02')] as const
  const [host] = hosts
  await host.checkIn(serials.map((serial) => reader(prefix + serial)))
  const desired = async () => (await host.call('getDesired')).body
  /** Reports outcomes of the zone's readers. `letters`: the last letters of their serial numbers. */
  const report = async (outcome: 'applied' | 'failed', letters: string, { of = '', by = host } = {}) => {
    const publication = of || (await desired()).configurations[0]!.publication
    const common = { publication, outcome, reason: outcome === 'failed' ? 'Locked.' : null, at: new Date().toISOString() }
    const outcomes = [...letters].map((letter) => ({ ...common, serialNumber: prefix + letter }))
    return by.call('reportOutcomes', { body: { outcomes } })
  }
  const isHalted = async () => (await desired()).configurations.map(({ halted }) => halted)
  return { ...zone, hosts, host, desired, report, isHalted }
}
type Zone = Awaited<ReturnType<typeof newZone>>

/** Publishes to zones of an organization. Returns what can be done to the rollout. */
async function publish(zones: readonly Zone[], { models = ['CR2700'], cfg = '1' } = {}) {
  const { organization, manager } = zones[0]!
  const params = { organizationId: organization.id, id: uuidv7() }
  for (const { id } of zones)
    for (const device of models)
      await manager.call('publishCfg', {
        params: { organizationId: organization.id, location: id, device },
        body: { cfg: `<cfg>${cfg}</cfg>`, when: 'now', rollout: params.id },
      })
  const limit = (haltAbovePercent: number | null, forLater = false) =>
    manager.call('setSafetyLimit', { params, body: { haltAbovePercent, stopTime: null, forLater } })
  const change = (name: 'haltRollout' | 'resumeRollout' | 'retryRollout') => manager.call(name, { params })
  const detail = () => readRollout(manager, params)
  const limited = async () => (await detail()).safetyLimit.zones.map(({ zone, isResumed }) => [zone, isResumed ? 'resumed' : 'halted'])
  return { id: params.id, params, limit, change, detail, limited }
}

const listEntries = async (organization: TestOrganization, type: string) =>
  db
    .selectFrom('audit_entry')
    .select(['target', 'zone_name', 'new_value', 'initiator_email', 'request_id'])
    .where('organization_id', '=', organization.key)
    .where('change_type', '=', type)
    .orderBy('id')
    .execute()

test('[PUB-15] a zone halts automatically when more of its readers failed than the limit allows, and not when as many did; the others go on', async () => {
  const zone = await newZone()
  const other = await newZone('ICU 3 North', zone.organization, 'N')
  const rollout = await publish([zone, other])
  expect((await rollout.limit(25)).body.message).toBe('A zone halts when more than 25% of its readers fail.')
  await zone.report('failed', 'A')
  await other.report('failed', 'A')
  expect([await zone.isHalted(), await other.isHalted()]).toEqual([[false], [false]])
  const answer = await zone.report('failed', 'B')
  expect([await zone.isHalted(), await other.isHalted()]).toEqual([[true], [false]])
  expect(await listEntries(zone.organization, 'safetyHalt')).toEqual([
    {
      target: expect.stringMatching(/^CFG /),
      zone_name: 'ED Triage',
      new_value: '2 of 4 readers',
      initiator_email: null,
      request_id: answer.headers.get('x-request-id'),
    },
  ])
  const { parts, safetyLimit } = await rollout.detail()
  expect(safetyLimit).toMatchObject({
    haltAbovePercent: 25,
    later: { haltAbovePercent: null },
    zones: [{ zoneId: zone.id, zone: 'ED Triage', failed: 2, readers: 4, isResumed: false }],
  })
  const [limited] = safetyLimit.zones
  expect(parts).toMatchObject([{ state: 'halted', haltedAt: limited!.at, haltedByLimit: true }, { zone: 'ICU 3 North' }])
  expect(parts[0]).not.toHaveProperty('haltedBy')
  expect(parts[1]).not.toHaveProperty('haltedAt')
  // Neither another failure nor a repeated report halts the zone again.
  await zone.report('failed', 'BC')
  expect(await listEntries(zone.organization, 'safetyHalt')).toHaveLength(1)
  const events = db.selectFrom('event').select('zone_id').where('organization_id', '=', zone.organization.key).where('kind', '=', 'desired')
  expect((await events.where('zone_id', '=', zone.id).execute()).length).toBe(2)
  await publish([zone], { cfg: '2' })
  expect(await zone.isHalted()).toEqual([false])
})

test('[PUB-15] a zone counts its models together and halts together, firmware too', async () => {
  const zone = await newZone()
  const rollout = await publish([zone], { models: ['CR2700', 'CR1500'] })
  await zone.host.checkIn(['E', 'F', 'G', 'H'].map((serial) => reader(serial, { deviceType: 'CR1500' })))
  await zone.manager.call('publishFirmwareFile', {
    params: { organizationId: zone.organization.id, location: zone.id, device: 'CR2700' },
    file: new File(['firmware'], 'ours.crvfw'),
    fields: { rollout: rollout.id, when: 'now' },
  })
  await rollout.limit(20)
  const { configurations, firmware } = await zone.desired()
  const of = (model: string) => ({ of: configurations.find(({ deviceType }) => deviceType === model)!.publication })
  await zone.report('failed', 'AB', of('CR2700'))
  expect(await zone.isHalted()).toEqual([false, false])
  await zone.report('failed', 'E', of('CR1500'))
  expect(await zone.isHalted()).toEqual([true, true])
  expect((await zone.desired()).firmware).toMatchObject([{ publication: firmware[0]!.publication, halted: true }])
  expect(await listEntries(zone.organization, 'safetyHalt')).toMatchObject([{ new_value: '3 of 12 updates' }])
})

/** A zone with four readers of one model and four of another, and a rollout for both. */
async function withTwoModels() {
  const zone = await newZone()
  const rollout = await publish([zone], { models: ['CR2700', 'CR1500'] })
  await zone.host.checkIn(['E', 'F', 'G', 'H'].map((serial) => reader(serial, { deviceType: 'CR1500' })))
  const { configurations } = await zone.desired()
  const of = (model: string) => configurations.find(({ deviceType }) => deviceType === model)!.publication
  return { zone, rollout, of }
}

test('[PUB-15] of two reports at the same moment that only together exceed the limit, the later one halts the zone', async () => {
  const { zone, rollout, of } = await withTwoModels()
  await rollout.limit(20)
  // Another report of the same moment stores its outcome and has not ended yet.
  const other = await db.startTransaction().execute()
  await sql`
    insert into outcome (publication_id, device_id, organization_id, outcome, happened_at)
    select ${of('CR1500')}, id, organization_id, 'failed', now() from device where organization_id = ${zone.organization.key} and serial_number = 'E'`.execute(
    other,
  )
  await other.selectFrom('rollout').select('id').where('id', '=', rollout.id).forNoKeyUpdate().execute()
  let isAnswered = false
  const report = zone.report('failed', 'A', { of: of('CR2700') }).finally(() => {
    isAnswered = true
  })
  const waits = sql<{
    waits: boolean
  }>`select exists (select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock') as waits`
  await until(async () => isAnswered || (await waits.execute(db)).rows[0]!.waits)
  await other.commit().execute()
  expect((await report).status).toBe(200)
  expect(await zone.isHalted()).toEqual([true, true])
  expect(await listEntries(zone.organization, 'safetyHalt')).toMatchObject([{ new_value: '2 of 8 readers' }])
})

test('[PUB-15] a zone is halted once, whoever reports, retries or changes the limit at the same moment', async () => {
  for (let round = 0; round < 3; round++) {
    const { zone, rollout, of } = await withTwoModels()
    await rollout.limit(25)
    const [one, other] = zone.hosts
    await other.checkIn([...'EFGH'].map((letter) => reader(letter, { deviceType: 'CR1500' })))
    await other.call('getDesired')
    const answers = await Promise.all([
      zone.report('failed', 'AB', { of: of('CR2700'), by: one }),
      zone.report('failed', 'EF', { of: of('CR1500'), by: other }),
      rollout.limit(26),
      zone.report('failed', 'BC', { of: of('CR2700'), by: one }),
      zone.report('failed', 'FG', { of: of('CR1500'), by: other }),
      rollout.change('retryRollout'),
    ])
    expect(answers.filter(({ status }) => ![200, 409].includes(status))).toEqual([])
    await rollout.change('retryRollout')
    await zone.report('failed', 'H', { of: of('CR1500'), by: other })
    expect(await listEntries(zone.organization, 'safetyHalt')).toHaveLength(1)
    expect(await zone.isHalted()).toEqual([true, true])
  }
})

test('[SEE-02] a zone that is resumed beyond the limit is shown with the figures of that moment, which a retry had changed since the halt', async () => {
  const zone = await newZone()
  const rollout = await publish([zone])
  await rollout.limit(25)
  await zone.report('failed', 'AB')
  await rollout.change('retryRollout')
  const shown = async () => (await rollout.detail()).safetyLimit.zones.map(({ failed, readers, isResumed }) => [failed, readers, isResumed])
  expect(await shown()).toEqual([[2, 4, false]])
  await rollout.change('resumeRollout')
  expect(await shown()).toEqual([[0, 4, true]])
  await zone.report('failed', 'ABC')
  expect(await shown()).toEqual([[0, 4, true]])
})

test('[PUB-15] who resumes goes past the limit: that zone is not halted by it again until the limit is changed', async () => {
  const zone = await newZone()
  const rollout = await publish([zone])
  await rollout.limit(25)
  await zone.report('failed', 'AB')
  expect((await rollout.change('resumeRollout')).body.message).toMatch(/^Resumed CFG /)
  expect(await zone.isHalted()).toEqual([false])
  await zone.report('failed', 'C')
  expect(await zone.isHalted()).toEqual([false])
  expect(await rollout.limited()).toEqual([['ED Triage', 'resumed']])
  expect(await listEntries(zone.organization, 'resumeRollout')).toHaveLength(1)
  // Setting the same limit again changes nothing.
  await rollout.limit(25)
  expect(await zone.isHalted()).toEqual([false])
  await rollout.limit(30)
  expect(await zone.isHalted()).toEqual([true])
  expect(await rollout.limited()).toEqual([['ED Triage', 'halted']])
  // A zone that is resumed while it is below the limit is halted once it exceeds the limit.
  await rollout.limit(75)
  expect(await zone.isHalted()).toEqual([true])
  await rollout.change('resumeRollout')
  expect([await zone.isHalted(), await rollout.limited()]).toEqual([[false], []])
  await zone.report('failed', 'D')
  expect(await zone.isHalted()).toEqual([true])
  await rollout.limit(null)
  await rollout.change('resumeRollout')
  expect([await zone.isHalted(), await rollout.limited()]).toEqual([[false], []])
})

test('[PUB-15] what was halted by hand is not halted by the limit as well, and who resumes it has seen what failed', async () => {
  const zone = await newZone()
  const rollout = await publish([zone])
  await rollout.limit(25)
  await rollout.change('haltRollout')
  await zone.report('failed', 'ABC')
  expect(await listEntries(zone.organization, 'safetyHalt')).toEqual([])
  expect((await rollout.detail()).parts).toMatchObject([{ haltedBy: zone.manager.email }])
  await rollout.change('resumeRollout')
  await zone.report('failed', 'D')
  expect([await zone.isHalted(), await rollout.limited()]).toEqual([[false], [['ED Triage', 'resumed']]])
})

test('[PUB-15] a reader that is retried does not count as failed', async () => {
  const zone = await newZone()
  const rollout = await publish([zone])
  await rollout.limit(25)
  await zone.report('failed', 'A')
  await rollout.change('retryRollout')
  await zone.report('failed', 'B')
  expect(await zone.isHalted()).toEqual([false])
  const [again] = (await zone.desired()).reapplications
  await zone.report('failed', 'A', { of: again!.id })
  expect(await zone.isHalted()).toEqual([true])
})

test('[PUB-15] a rollout keeps the limit that its organization had when it was published, one that rolls back too', async () => {
  const zone = await newZone()
  const before = await publish([zone])
  const none = { haltAbovePercent: null, stopTime: null }
  const getLimit = async ({ detail }: Awaited<ReturnType<typeof publish>>) => (await detail()).safetyLimit
  expect(await getLimit(before)).toEqual({ ...none, later: none, zones: [], zoneCount: 0, halting: 0 })
  await before.limit(40)
  const without = await publish([zone], { cfg: '2' })
  expect(await getLimit(without)).toMatchObject({ haltAbovePercent: null, later: { haltAbovePercent: null } })
  await without.limit(25, true)
  await zone.report('applied', 'A')
  const rollout = await publish([zone], { cfg: '3' })
  expect(await getLimit(rollout)).toMatchObject({ haltAbovePercent: 25, later: { haltAbovePercent: 25 } })
  await rollout.limit(50, true)
  expect(await getLimit(without)).toMatchObject({ haltAbovePercent: 25, later: { haltAbovePercent: 50 } })
  await rollout.limit(60)
  const back = await zone.manager.call('rollBackRollout', { params: rollout.params, body: { updateTime: null } })
  const { body } = await zone.manager.call('getRollout', { params: { ...rollout.params, id: back.body.id } })
  expect(body.safetyLimit).toMatchObject({ haltAbovePercent: 50, later: { haltAbovePercent: 50 } })
  await zone.report('failed', 'ABC')
  expect(await zone.isHalted()).toEqual([true])
  await rollout.limit(null, true)
  await rollout.limit(null, true)
  expect((await listEntries(zone.organization, 'setSafetyLimit')).map(({ new_value }) => new_value)).toEqual([
    '40%',
    '25%, also for later rollouts',
    '50%, also for later rollouts',
    '60%',
    'none, also for later rollouts',
  ])
  const stranger = await newZone('ED Triage', undefined, 'S')
  expect(await getLimit(await publish([stranger]))).toMatchObject({ haltAbovePercent: null, later: { haltAbovePercent: null } })
})

test('[PUB-15] who may not publish what a rollout holds does not set its limit, and a limit is a whole percentage', async () => {
  const zone = await newZone()
  const { params, limit, detail } = await publish([zone])
  const body = { haltAbovePercent: 5, stopTime: null, forLater: true }
  const colleague = await server.person({ organization: zone.organization, permissions: ['manage:firmware'] })
  const stranger = (await server.zone()).manager
  expect((await colleague.call('setSafetyLimit', { params, body })).problem).toMatchObject({
    status: 403,
    detail: 'This needs the permission “Publish configurations”.',
  })
  expect((await stranger.call('setSafetyLimit', { params, body })).status).toBe(404)
  for (const percent of [0, 101, 2.5, '5']) expect((await limit(percent as number)).status).toBe(400)
  expect((await detail()).safetyLimit).toMatchObject({ haltAbovePercent: null, later: { haltAbovePercent: null } })
})

test('[PUB-15] a halted zone for which something newer was published is still shown, and is no longer to be resumed', async () => {
  const zone = await newZone()
  const other = await newZone('ICU 3 North', zone.organization, 'N')
  const rollout = await publish([zone, other])
  await rollout.limit(25)
  await zone.report('failed', 'AB')
  await other.report('failed', 'AB')
  const facts = async () => {
    const { isHalted, safetyLimit } = await rollout.detail()
    return [isHalted, safetyLimit.halting, safetyLimit.zones.map((one) => one.zone)]
  }
  expect(await facts()).toEqual([true, 2, ['ICU 3 North', 'ED Triage']])
  await publish([other], { cfg: '2' })
  expect(await facts()).toEqual([true, 1, ['ED Triage', 'ICU 3 North']])
  await publish([zone], { cfg: '2' })
  expect(await facts()).toEqual([false, 0, ['ICU 3 North', 'ED Triage']])
})
