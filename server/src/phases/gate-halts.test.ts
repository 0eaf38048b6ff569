import { updateModels } from '@lectern/contract/devices/device-models.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'
import { dateIn } from '../testing/waiting-rollout.ts'

const server = await serverForFile()
const gate = { maxFailedPercent: 0, maxSilentPercent: 50 }

/** A rollout of these models to three zones with twenty readers each. All readers of the first zone have failed, so the gate has halted it. */
async function haltedRollout(models: readonly string[]) {
  const first = await server.zone('Aachen')
  const { organization, manager } = first
  const zones = [first, await server.zone('Bonn', organization), await server.zone('Celle', organization)]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone)))
  const serials = Array.from({ length: 20 }, (_, index) => `R${index}`)
  for (const [index, host] of hosts.entries())
    await host.checkIn(
      serials.map((serial) => reader(`${index}${serial}`)),
      { knowsPhases: true },
    )
  const params = { organizationId: organization.id, id: uuidv7() }
  const parts = models.map((model) => ({ model, content: { kind: 'cfg', text: '<cfg>1</cfg>' } }))
  await manager.call('publishToZones', {
    params,
    body: { key: params.id, zones: { filter: {} }, parts, when: { now: true }, phases: [{ share: 50, soakMinutes: 0, gate }] },
  })
  const { configurations } = (await hosts[0]!.call('getDesired', { query: { knowsPhases: true } })).body
  const { publication } = configurations.find(({ deviceType }) => deviceType === 'CR2700')!
  const common = { publication, outcome: 'failed', reason: 'Locked.', at: new Date().toISOString() }
  await hosts[0]!.call('reportOutcomes', {
    body: { outcomes: serials.map((serial) => ({ ...common, serialNumber: `0${serial}` })) },
  })
  return { organization, manager, zones, params }
}

test('[MNY-05 PHA-01] a rollout over so many zones that its sums are shown is halted by its gate in the list, its filter and on its page', async () => {
  const { manager, params } = await haltedRollout(updateModels)
  expect((await manager.call('getRollout', { params })).body).toMatchObject({ isSummed: true, isHalted: true, state: 'halted' })
  const list = async (query: Record<string, unknown>) =>
    (await manager.call('listRollouts', { params, query })).body.rolloutList.map(({ state }) => state)
  expect(await list({})).toEqual(['halted'])
  expect([await list({ state: 'halted' }), await list({ state: 'underWay' })]).toEqual([['halted'], []])
  await manager.call('resumeRollout', { params })
  expect([await list({ state: 'halted' }), await list({ state: 'underWay' })]).toEqual([[], ['underWay']])
})

test('[NOW-05 PHA-01] what a gate has halted has no coming run', async () => {
  const { organization, manager, params } = await haltedRollout(['CR2700'])
  await server.app.db.updateTable('publication').set({ at_once: false }).where('organization_id', '=', organization.key).execute()
  const read = async () => (await manager.call('getCalendar', { params, query: { from: dateIn(0) } })).body
  expect(await read()).toMatchObject({ days: [], halted: 1 })
  await manager.call('resumeRollout', { params })
  expect(await read()).toMatchObject({ days: [{ runs: [{ rollout: params.id }] }], halted: 0 })
})

test('[PHA-01 PPL-04] a role limited to some of its zones is told that it cannot resume what a gate has halted', async () => {
  const { organization, manager, zones, params } = await haltedRollout(['CR2700'])
  const operator = await server.limitedPerson(organization, [zones[1]!], ['manage:cfg'])
  const { status, problem } = await operator.call('resumeRollout', { params })
  const detail = 'Your role is limited to zones. The gate that halted this rollout also holds for others.'
  expect([status, problem.detail]).toEqual([403, detail])
  expect((await manager.call('getRollout', { params })).body.isHalted).toBe(true)
  expect((await manager.call('resumeRollout', { params })).body).toEqual({ message: 'Resumed CFG 80763da9.' })
})

test('[PHA-01 PPL-04] a role limited to a zone that was also halted by hand resumes that one, and is told that the gate still holds', async () => {
  const { organization, zones, params } = await haltedRollout(['CR2700'])
  const operator = await server.limitedPerson(organization, [zones[1]!], ['manage:cfg'])
  await operator.call('haltRollout', { params })
  expect((await operator.call('resumeRollout', { params })).body).toEqual({
    message: 'Resumed CFG 80763da9. The gate that halted it still holds: your role is limited to zones, and it also holds for others.',
  })
})

test('[PHA-01] readers that are retried while a gate halts their rollout wait until it is resumed, and the answer says so', async () => {
  const { manager, params } = await haltedRollout(['CR2700'])
  expect((await manager.call('retryRollout', { params })).body).toEqual({ message: 'Retrying 20 readers once this rollout is resumed.' })
})

test('[PHA-01] readers that are silent before the time of the run do not decide at a gate until it has come', async () => {
  const zone = await server.zone('Essen')
  const { organization, manager } = zone
  // The host PC has Europe/Berlin as its time zone.
  const host = await server.host(zone)
  await host.checkIn(
    Array.from({ length: 12 }, (_, index) => reader(`R${index}`)),
    { knowsPhases: true },
  )
  const { db } = server.app
  const where = { organizationId: organization.id }
  await db
    .updateTable('device')
    .set({ last_seen_at: new Date(Date.now() - 31 * 60_000) })
    .where('organization_id', '=', organization.key)
    .execute()
  const id = uuidv7()
  const inBerlin = (hours: number) =>
    new Date(Date.now() + hours * 3_600_000).toLocaleTimeString('de-DE', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  await manager.call('publishCfg', {
    params: { ...where, location: zone.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', updateTime: inBerlin(2), rollout: id, phases: [{ share: 50, soakMinutes: 0, gate }] },
  })
  const readFirstPhase = async () => (await manager.call('getRollout', { params: { ...where, id } })).body.phases[0]!
  await server.app.sweep()
  const { state, readers, silent } = await readFirstPhase()
  expect([state, silent]).toEqual(['running', readers])
  await db
    .updateTable('publication')
    .set({ published_at: new Date(Date.now() - 24 * 3_600_000) })
    .where('organization_id', '=', organization.key)
    .execute()
  await server.app.sweep()
  expect(await readFirstPhase()).toMatchObject({ state: 'halted', haltedBy: 'silent', haltedWith: { count: readers, readers } })
})

test('[SEE-02] a gate’s halt keeps the figures that it had, whatever becomes of the readers, for who sees all zones', async () => {
  const { organization, manager, zones, params } = await haltedRollout(['CR2700'])
  const readFirstPhase = async (by: Pick<typeof manager, 'call'> = manager) => (await by.call('getRollout', { params })).body.phases[0]!
  const { failed, readers, haltedWith } = await readFirstPhase()
  // Only readers of the first zone have failed. About two thirds of the phase's readers are in the other zones.
  expect(haltedWith).toEqual({ count: failed, readers })
  expect([failed > 0, failed < readers]).toEqual([true, true])
  await manager.call('retryRollout', { params })
  expect(await readFirstPhase()).toMatchObject({ state: 'halted', failed: 0, haltedWith })
  const limited = await server.limitedPerson(organization, [zones[0]!], ['manage:cfg'])
  expect(await readFirstPhase(limited)).not.toHaveProperty('haltedWith')
  await manager.call('resumeRollout', { params })
  expect(await readFirstPhase()).toMatchObject({ state: 'running', haltedBy: 'failed', haltedWith })
})
