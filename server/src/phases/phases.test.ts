import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader, type TestOrganization } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const { db } = server.app
const knowing = { query: { knowsPhases: true, knowsReturns: true } }

/** A zone with twenty readers, whose agent knows phases. */
async function newZone(name = 'ED Triage', owner?: TestOrganization, prefix = 'R') {
  const zone = await server.zone(name, owner)
  const host = await server.host(zone)
  const serials = Array.from({ length: 20 }, (_, index) => `${prefix}${index}`)
  await host.checkIn(
    serials.map((serial) => reader(serial)),
    { knowsPhases: true },
  )
  const desired = async () => (await host.call('getDesired', knowing)).body.configurations[0]!
  const report = async (outcome: 'applied' | 'failed', which: readonly string[]) => {
    const { publication } = await desired()
    const common = { publication, outcome, reason: outcome === 'failed' ? 'Locked.' : null, at: new Date().toISOString() }
    return host.call('reportOutcomes', { body: { outcomes: which.map((serialNumber) => ({ ...common, serialNumber })) } })
  }
  return { ...zone, host, serials, desired, report }
}
type Zone = Awaited<ReturnType<typeof newZone>>

const gate = { maxFailedPercent: 20, maxSilentPercent: 50 }
const firstPhase = { share: 40, soakMinutes: 0, gate }

async function publish(zones: readonly Zone[], phases: unknown, cfg = '1') {
  const { organization, manager } = zones[0]!
  const params = { organizationId: organization.id, id: uuidv7() }
  const answers = []
  for (const { id } of zones)
    answers.push(
      await manager.call('publishCfg', {
        params: { organizationId: organization.id, location: id, device: 'CR2700' },
        body: { cfg: `<cfg>${cfg}</cfg>`, when: 'now', rollout: params.id, ...(phases !== undefined && { phases }) },
      }),
    )
  const detail = () => readRollout(manager, params)
  const states = async () => (await detail()).phases.map(({ state }) => state)
  const change = (name: 'haltRollout' | 'resumeRollout') => manager.call(name, { params })
  const begin = (phase: number, as: Pick<Zone['manager'], 'call'> = manager) => as.call('beginPhase', { params: { ...params, phase } })
  const inFirst = (zone: Zone, percent = 40) => zone.serials.filter((serial) => readerPosition(params.id, serial) < percent * 100)
  return { params, answers, detail, states, change, begin, inFirst }
}

const listEntries = ({ key }: TestOrganization, types: readonly string[]) =>
  db
    .selectFrom('audit_entry')
    .select(['change_type', 'new_value', 'initiator_email'])
    .where('organization_id', '=', key)
    .where('change_type', 'in', types as never)
    .orderBy('id')
    .execute()

const countDesiredEvents = async ({ id, organization }: Zone) =>
  (
    await db
      .selectFrom('event')
      .select('id')
      .where('organization_id', '=', organization.key)
      .where('kind', '=', 'desired')
      .where('zone_id', '=', id)
      .execute()
  ).length

test('[PHA-01] readers of the first phase begin, and the next phase begins once they are done; both sides compute the same readers', async () => {
  const zone = await newZone()
  const rollout = await publish([zone], [firstPhase])
  const inFirst = rollout.inFirst(zone)
  expect(inFirst.length).toBeGreaterThan(0)
  expect(inFirst.length).toBeLessThan(20)
  expect(await zone.desired()).toMatchObject({ halted: false, admitted: { rollout: rollout.params.id, end: 4000 } })
  expect((await rollout.detail()).phases).toMatchObject([
    { number: 1, share: 40, state: 'running', readers: inFirst.length, applied: 0, gate },
    { number: 2, state: 'waiting', readers: 20 - inFirst.length },
  ])
  const listed = async (phase: number, more: { textFilter?: string; state?: 'downloading' } = {}) =>
    (await zone.manager.call('listRolloutReaders', { params: rollout.params, query: { phase, PageSize: 100, ...more } })).body
  expect((await listed(1)).readerList.map(({ serialNumber }) => serialNumber).sort()).toEqual([...inFirst].sort())
  expect((await listed(2)).totalCount).toBe(20 - inFirst.length)
  const searched = { textFilter: 'R1' }
  const found = inFirst.filter((serial) => serial.startsWith('R1')).length
  expect([(await listed(1, searched)).totalCount, (await listed(2, searched)).totalCount]).toEqual([found, 11 - found])
  expect((await listed(1, { state: 'downloading' })).totalCount).toBe(0)
  const events = await countDesiredEvents(zone)
  await zone.report('applied', inFirst.slice(1))
  expect((await zone.desired()).admitted).toMatchObject({ end: 4000 })
  await zone.report('applied', inFirst)
  expect((await zone.desired()).admitted).toBeNull()
  expect(await rollout.states()).toEqual(['passed', 'running'])
  expect(await countDesiredEvents(zone)).toBe(events + 1)
  expect(await listEntries(zone.organization, ['beginPhase'])).toMatchObject([{ new_value: 'phase 2 (the rest)', initiator_email: null }])
  await zone.report(
    'applied',
    zone.serials.filter((serial) => !inFirst.includes(serial)),
  )
  expect(await rollout.states()).toEqual(['passed', 'done'])
})

test('[SEE-01] a phase that something newer, or a roll back, came before has ended; one that was passed stays so', async () => {
  const zone = await newZone()
  const rollout = await publish([zone], [firstPhase, { ...firstPhase, share: 20, gate: 'by hand' }])
  await zone.report('applied', rollout.inFirst(zone))
  expect(await rollout.states()).toEqual(['passed', 'running', 'waiting'])
  const newer = await publish([zone], [firstPhase], '2')
  expect(await rollout.states()).toEqual(['passed', 'ended', 'ended'])
  expect((await zone.manager.call('rollBackRollout', { params: newer.params, body: { updateTime: null } })).status).toBe(200)
  expect(await newer.states()).toEqual(['ended', 'ended'])
  const done = await publish([zone], [firstPhase], '3')
  await zone.report('applied', done.inFirst(zone))
  await zone.report('applied', zone.serials)
  await publish([zone], undefined, '4')
  expect(await done.states()).toEqual(['passed', 'done'])
})

test('[PHA-01 PHA-03] a gate halts all zones with the report that goes beyond it, once; resumed, the phase goes on and the next begins by hand', async () => {
  const zone = await newZone()
  const other = await newZone('ICU 3 North', zone.organization, 'N')
  const rollout = await publish([zone, other], [{ ...firstPhase, share: 60 }])
  const all = rollout.inFirst(zone, 60).length + rollout.inFirst(other, 60).length
  const allowed = Math.floor(all * 0.2)
  await zone.report('failed', rollout.inFirst(zone, 60).slice(0, allowed))
  expect((await other.desired()).halted).toBe(false)
  await zone.report('failed', rollout.inFirst(zone, 60).slice(0, allowed + 1))
  expect([(await zone.desired()).halted, (await other.desired()).halted]).toEqual([true, true])
  const { isHalted, phases, parts, state } = await rollout.detail()
  expect([isHalted, state, parts[0]!.haltedByGate]).toEqual([true, 'halted', true])
  expect(phases[0]).toMatchObject({ state: 'halted', haltedBy: 'failed', failed: allowed + 1 })
  // The rollout is halted, so more failures change nothing.
  await zone.report('failed', rollout.inFirst(zone, 60).slice(0, allowed + 2))
  expect(await listEntries(zone.organization, ['gateHalt', 'beginPhase'])).toMatchObject([
    { change_type: 'gateHalt', new_value: `${allowed + 1} of ${all} readers of phase 1 (60% of the readers) failed` },
  ])
  await rollout.change('resumeRollout')
  expect([(await zone.desired()).halted, (await other.desired()).halted]).toEqual([false, false])
  await zone.report('applied', rollout.inFirst(zone, 60))
  await other.report('applied', rollout.inFirst(other, 60))
  expect(await rollout.states()).toEqual(['byHand', 'waiting'])
  expect((await rollout.begin(2)).body.message).toBe('Phase 2 begins.')
  expect(await rollout.states()).toEqual(['passed', 'running'])
})

test('[PHA-01] a gate by hand waits for somebody who may publish; two calls begin the phase once, and it can be started past a gate', async () => {
  const zone = await newZone()
  const rollout = await publish(
    [zone],
    [
      { ...firstPhase, gate: 'by hand' },
      { ...firstPhase, share: 30 },
    ],
  )
  await zone.report('failed', rollout.inFirst(zone))
  expect(await rollout.states()).toEqual(['byHand', 'waiting', 'waiting'])
  const viewer = await server.person({ organization: zone.organization })
  expect((await rollout.begin(2, viewer)).status).toBe(403)
  expect((await rollout.begin(3)).body).toMatchObject({ status: 409, detail: 'Phase 2 comes first.' })
  expect((await rollout.begin(4)).status).toBe(404)
  const both = await Promise.all([rollout.begin(2), rollout.begin(2)])
  expect(both.map(({ body }) => body.message).sort()).toEqual(['Phase 2 begins.', 'Phase 2 has started already.'])
  expect(await listEntries(zone.organization, ['beginPhase'])).toHaveLength(1)
  const inSecond = rollout.inFirst(zone, 70).filter((serial) => !rollout.inFirst(zone).includes(serial))
  await zone.report('failed', inSecond)
  expect((await zone.desired()).halted).toBe(true)
  await rollout.begin(3)
  expect(await zone.desired()).toMatchObject({ halted: false, admitted: null })
})

test('[PHA-01] the next phase waits for the soak time, and starts again if a reader is tried again meanwhile; silent readers count at the gate', async () => {
  const zone = await newZone()
  const rollout = await publish([zone], [{ ...firstPhase, soakMinutes: 60 }])
  const [last, ...others] = rollout.inFirst(zone)
  const goSilent = (serial: string) =>
    sql`update device set last_seen_at = now() - interval '31 minutes' where organization_id = ${zone.organization.key} and serial_number = ${serial}`.execute(
      db,
    )
  await zone.report('applied', others)
  await goSilent(last!)
  await server.app.sweep()
  expect((await rollout.detail()).phases[0]).toMatchObject({ state: 'soaking', silent: 1, soakedAt: expect.any(String) })
  const setBack = (minutes: number) =>
    sql`update rollout_phase set done_at = done_at - make_interval(mins => ${minutes}) where rollout_id = ${rollout.params.id}`.execute(db)
  await setBack(59)
  await server.app.sweep()
  expect(await rollout.states()).toEqual(['soaking', 'waiting'])
  await setBack(1)
  await server.app.sweep()
  expect(await rollout.states()).toEqual(['passed', 'running'])
  const strict = await publish([zone], [{ ...firstPhase, soakMinutes: 60, gate: { maxFailedPercent: 20, maxSilentPercent: 0 } }], '2')
  const silent = strict.inFirst(zone).includes(last!) ? last! : strict.inFirst(zone)[0]!
  await zone.report(
    'applied',
    strict.inFirst(zone).filter((serial) => serial !== silent),
  )
  await goSilent(silent)
  await server.app.sweep()
  await sql`update rollout_phase set done_at = done_at - interval '60 minutes' where rollout_id = ${strict.params.id}`.execute(db)
  await server.app.sweep()
  expect((await strict.detail()).phases[0]).toMatchObject({ state: 'halted', haltedBy: 'silent' })
})

test('[PHA-01] chosen zones begin first; readers of an agent that knows no phases are in the last one', async () => {
  const zone = await newZone()
  const other = await newZone('ICU 3 North', zone.organization, 'N')
  const rollout = await publish([zone, other], [{ zones: [other.id], soakMinutes: 0, gate }])
  expect((await zone.desired()).admitted).toMatchObject({ end: 0 })
  expect((await other.desired()).admitted).toBeNull()
  expect((await rollout.detail()).phases).toMatchObject([{ zones: 1, readers: 20 }, { readers: 20 }])
  const old = async (of: Zone) => (await of.host.call('getDesired')).body.configurations[0]!.halted
  expect([await old(zone), await old(other)]).toEqual([true, true])
  await other.report('applied', other.serials)
  expect((await zone.desired()).admitted).toBeNull()
  expect([await old(zone), await old(other)]).toEqual([false, false])
  // From now on the host PC has an agent without phases.
  await zone.host.checkIn(
    zone.serials.map((serial) => reader(serial)),
    { knowsPhases: false },
  )
  const next = await publish([zone, other], [firstPhase], '2')
  expect((await next.detail()).phases).toMatchObject([
    { readers: next.inFirst(other).length },
    { readers: 40 - next.inFirst(other).length },
  ])
})

test('[PHA-01] a phase without readers shows nothing, so the next one does not begin by itself', async () => {
  const zone = await newZone()
  const elsewhere = await server.zone('Elsewhere', zone.organization)
  const rollout = await publish([zone], [{ zones: [elsewhere.id], soakMinutes: 0, gate }])
  await server.app.sweep()
  expect(await rollout.states()).toEqual(['empty', 'waiting'])
  await rollout.begin(2)
  expect((await zone.desired()).admitted).toBeNull()
})

test('[PHA-01] shares that do not add up, a zone in two phases, and other phases for the same rollout are refused with a sentence', async () => {
  const zone = await newZone()
  const refused = async (phases: unknown) => {
    const { body } = (await publish([zone], phases)).answers[0]! as unknown as { body: { errors: { message: string }[] } }
    return body.errors.map(({ message }) => message)
  }
  expect(await refused([{ ...firstPhase, share: 60 }, firstPhase])).toEqual([
    'The shares add up to 100%. Leave readers for the last phase, which has the rest: at most 99%.',
  ])
  const zones = { zones: [zone.id], soakMinutes: 0, gate }
  const inCapitals = { ...zones, zones: [zone.id.toUpperCase()] }
  for (const again of [zones, inCapitals]) expect(await refused([zones, again])).toEqual(['A zone is in two phases. Leave it in one.'])
  expect(await refused([{ ...zones, share: 5 }])).toEqual(['A phase is either a share of the readers or chosen zones.'])
  expect(await refused([{ ...zones, gate: { ...gate, maxSilentPercent: 101 } }])).toEqual([
    'The share of silent readers must be at most 100.',
  ])
  const rollout = await publish([zone], [firstPhase])
  const answer = await zone.manager.call('publishCfg', {
    params: { organizationId: zone.organization.id, location: zone.id, device: 'CR1500' },
    body: { cfg: '<cfg>1</cfg>', when: 'now', rollout: rollout.params.id, phases: [] },
  })
  expect(answer.body).toMatchObject({ status: 409, detail: 'This rollout was published with other phases. Publish again.' })
})

test('[PHA-01] halting twice at the same moment is one halt, and neither halt nor roll back is held back by phases', async () => {
  const zone = await newZone()
  await publish([zone], [], '0')
  await zone.report('applied', zone.serials)
  const rollout = await publish([zone], [firstPhase], '1')
  await Promise.all([rollout.change('haltRollout'), rollout.change('haltRollout')])
  expect(await listEntries(zone.organization, ['haltRollout'])).toHaveLength(1)
  const { body } = await zone.manager.call('rollBackRollout', { params: rollout.params, body: { updateTime: null } })
  expect((await readRollout(zone.manager, { ...rollout.params, id: body.id })).phases).toEqual([])
  expect(await zone.desired()).toMatchObject({ halted: false, admitted: null })
})

test("[PHA-02] a rollout for which nothing is chosen has its organization's safety limit, stop time and phases; what is chosen holds instead", async () => {
  const zone = await newZone()
  const manager = await server.person({ organization: zone.organization, permissions: ['manage:people'] })
  const params = { organizationId: zone.organization.id }
  const body = { haltAbovePercent: 5, stopTime: '05:00', phases: [firstPhase] }
  expect((await manager.call('setPublishingDefaults', { params, body })).body).toEqual(body)
  expect((await zone.manager.call('getPublishingDefaults', { params })).body).toEqual(body)
  const byDefault = await (await publish([zone], undefined)).detail()
  expect(byDefault.safetyLimit).toMatchObject({ haltAbovePercent: 5, stopTime: '05:00' })
  expect(byDefault.phases).toHaveLength(2)
  const id = uuidv7()
  await zone.manager.call('publishCodeRules', {
    params: { ...params, location: zone.id, device: 'CR2700' },
    file: new File(['function rules_onDecode(data) { return data }'], 'rules.js'),
    fields: { when: 'now', rollout: id, limits: JSON.stringify({ haltAbovePercent: null, stopTime: null }), phases: '[]' },
  })
  const chosen = await readRollout(zone.manager, { ...params, id })
  expect(chosen.safetyLimit).toMatchObject({ haltAbovePercent: null, stopTime: null })
  expect(chosen.phases).toEqual([])
})
