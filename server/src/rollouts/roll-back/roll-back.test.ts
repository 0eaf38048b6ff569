import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { statementsDuring } from '../../testing/database/statements.ts'
import { reader } from '../../testing/makers.ts'
import { readRollout } from '../../testing/rollout-zone.ts'
import { serverForFile } from '../../testing/server.ts'

const server = await serverForFile()
const gate = { maxFailedPercent: 0, maxOfflinePercent: 50 }
const phases = [{ share: 50, soakMinutes: 0, gate }]
const nothing = 'There is nothing to roll back to: nothing ran on these readers before that was not halted.'

type Zone = Awaited<ReturnType<typeof newZone>>

/** A zone of twenty readers, whose host says what became of what it desires. */
async function newZone(owner?: Awaited<ReturnType<typeof server.organization>>) {
  const zone = await server.zone(undefined, owner)
  const host = await server.host(zone)
  const serials = Array.from({ length: 20 }, (_, index) => `${zone.key}-${index}`)
  const checkIn = () =>
    host.checkIn(
      serials.map((serial) => reader(serial)),
      { knowsPhases: true },
    )
  const desired = async () => (await host.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
  const report = async (outcome: 'applied' | 'failed', end = serials.length, start = 0) => {
    const { publication } = await desired()
    const common = { publication, outcome, reason: outcome === 'failed' ? 'Locked.' : null, at: new Date().toISOString() }
    const outcomes = serials.slice(start, end).map((serialNumber) => ({ ...common, serialNumber }))
    await host.call('reportOutcomes', { body: { outcomes } })
  }
  await checkIn()
  return { ...zone, checkIn, desired, report }
}

/** Publishes a script to zones; returns the id of the rollout. */
async function publish(zones: readonly Zone[], name: string, more: object = {}): Promise<string> {
  const { organization, manager } = zones[0]!
  const params = { organizationId: organization.id }
  const script = await manager.call('uploadScript', { params, file: new File([`rules_onDecode = (d) => '${name}'`], name) })
  const parts = [{ model: 'CR2700', content: { kind: 'script', sha256: script.body.sha256, fileName: name } }]
  const key = uuidv7()
  const body = { key, zones: { ids: zones.map(({ id }) => id) }, parts, when: { now: true }, phases: [], ...more }
  expect((await manager.call('publishToZones', { params, body })).status).toBe(200)
  return key
}

const paramsOf = ({ organization }: Zone, id: string) => ({ organizationId: organization.id, id })
const detail = (zone: Zone, id: string) => readRollout(zone.manager, paramsOf(zone, id))
const previous = async (zone: Zone, id: string) => (await detail(zone, id)).parts.map((part) => part.previous)
const rollBack = (zone: Zone, id: string) =>
  zone.manager.call('rollBackRollout', { params: paramsOf(zone, id), body: { updateTime: null } })
const halt = (zone: Zone, id: string) => zone.manager.call('haltRollout', { params: paramsOf(zone, id) })

async function publishHalted(zone: Zone, name: string): Promise<string> {
  const id = await publish([zone], name, { phases })
  await zone.report('applied', 1)
  await zone.report('failed')
  expect((await detail(zone, id)).isHalted).toBe(true)
  return id
}

test('[PHA-04] what a gate has halted is passed over: readers go back to what ran everywhere', async () => {
  const zone = await newZone()
  await publish([zone], 'v1.js')
  await zone.report('applied')
  await publishHalted(zone, 'v2.js')
  const third = await publishHalted(zone, 'v3.js')
  expect(await previous(zone, third)).toEqual(['v1.js'])
  const { body } = await rollBack(zone, third)
  expect(await zone.desired()).toMatchObject({ fileName: 'v1.js', revision: 4, halted: false })
  // Before it were the same and what was halted.
  expect(await detail(zone, body.id)).toMatchObject({ canRollBack: false })
  expect((await rollBack(zone, body.id)).problem).toMatchObject({ status: 409, detail: nothing })
})

test('[PHA-04] what a gate had halted stays passed over where its rollout goes on elsewhere', async () => {
  const zone = await newZone()
  const other = await newZone(zone.organization)
  const zones = [zone, other]
  await publish(zones, 'v1.js')
  for (const one of zones) await one.report('applied')
  const second = await publish(zones, 'v2.js', { phases })
  await zone.report('applied', 1)
  await zone.report('failed')
  const third = await publish([zone], 'v3.js')
  await zone.manager.call('resumeRollout', { params: paramsOf(zone, second) })
  expect(await previous(zone, third)).toEqual(['v1.js'])
  const after = await publish([other], 'v3.js')
  await other.report('applied')
  expect(await previous(other, after)).toEqual(['v1.js'])
})

test('[PHA-04] what a user has halted is passed over, and what was resumed before it was replaced is not', async () => {
  const zone = await newZone()
  await publish([zone], 'v1.js')
  await zone.report('applied')
  const second = await publish([zone], 'v2.js')
  await zone.report('applied', 3)
  await halt(zone, second)
  await zone.manager.call('resumeRollout', { params: paramsOf(zone, second) })
  const third = await publish([zone], 'v3.js')
  await zone.report('applied', 3)
  await halt(zone, third)
  expect(await previous(zone, await publish([zone], 'v4.js'))).toEqual(['v2.js'])
})

test('[PHA-04] of a rollout that its safety limit has halted in one zone, the other goes back to it', async () => {
  const zone = await newZone()
  const other = await newZone(zone.organization)
  const zones = [zone, other]
  await publish(zones, 'v1.js')
  for (const one of zones) await one.report('applied')
  await publish(zones, 'v2.js', { limits: { haltAbovePercent: 10, stopTime: null } })
  await zone.report('applied', 20, 5)
  await zone.report('failed', 5)
  await other.report('applied')
  const third = await publish(zones, 'v3.js')
  const { parts } = await detail(zone, third)
  expect(parts.map((part) => [part.zone, part.previous])).toEqual(
    [
      [zone.name, 'v1.js'],
      [other.name, 'v2.js'],
    ].sort(([one], [two]) => one!.localeCompare(two!)),
  )
})

test('[PHA-04] what no reader has applied before something newer replaced it is passed over, unless nothing has run at all', async () => {
  const zone = await newZone()
  const early = await publish([zone], 'v0.js', { when: { updateTime: '02:00' } })
  const first = await publish([zone], 'v1.js')
  expect(await detail(zone, first)).toMatchObject({ canRollBack: true, parts: [{ previous: 'v0.js' }] })
  await zone.report('applied', 1)
  await publish([zone], 'v2.js', { when: { updateTime: '02:00' } })
  const last = await publish([zone], 'v2b.js')
  expect(await detail(zone, last)).toMatchObject({ canRollBack: true, parts: [{ previous: 'v1.js' }] })
  expect((await rollBack(zone, last)).status).toBe(200)
  expect(await zone.desired()).toMatchObject({ fileName: 'v1.js' })
  expect((await rollBack(zone, early)).status).toBe(409)
})

test('[PHA-04] what was published for a zone without readers comes back there, as nothing else was in force', async () => {
  const zone = await server.zone()
  const bare = { ...zone, checkIn: async () => {}, desired: async () => {}, report: async () => {} } as unknown as Zone
  const more = { withoutHost: true }
  await publish([bare], 'v1.js', more)
  const halted = await publish([bare], 'v2.js', more)
  await halt(bare, halted)
  expect(await previous(bare, await publish([bare], 'v3.js', more))).toEqual(['v1.js'])
})

test('[PHA-04] many zones and models take as many statements as one, and each zone and model goes back by itself', async () => {
  const organization = await server.organization()
  const names = ['Aachen', 'Bonn', 'Celle']
  const zones = []
  for (const name of names) zones.push(await server.zone(name, organization))
  const [{ manager }] = zones as [(typeof zones)[number]]
  const params = { organizationId: organization.id }
  const publishAll = async (ids: readonly string[], models: readonly string[], text: string) => {
    const parts = models.map((model) => ({ model, content: { kind: 'cfg', text: `<cfg>${text} ${model}</cfg>` } }))
    const body = { key: uuidv7(), zones: { ids }, parts, when: { updateTime: '04:00' }, withoutHost: true }
    expect((await manager.call('publishToZones', { params, body })).status).toBe(200)
    return { ...params, id: body.key }
  }
  const all = zones.map(({ id }) => id)
  const models = ['CR1500', 'CR2700']
  await publishAll(all, models, 'before')
  const one = await publishAll(all.slice(0, 1), ['CR2700'], 'one')
  const few = await statementsDuring(() => manager.call('rollBackRollout', { params: one, body: { updateTime: null } }))
  const rollout = await publishAll(all, models, 'now')
  await publishAll(all.slice(1, 2), ['CR2700'], 'newer')
  let id = ''
  const many = await statementsDuring(async () => {
    id = (await manager.call('rollBackRollout', { params: rollout, body: { updateTime: null } })).body.id
  })
  expect(many).toHaveLength(few.length)
  const back = await readRollout(manager, { ...params, id })
  expect(back).toMatchObject({ zoneCount: 3, current: 5, rollsBack: rollout.id })
  expect(back.parts.map((part) => [part.zone, part.deviceType, part.revision, part.updateTime, part.atOnce])).toEqual([
    ['Aachen', 'CR1500', 3, '04:00', true],
    ['Aachen', 'CR2700', 5, '04:00', true],
    ['Bonn', 'CR1500', 3, '04:00', true],
    ['Celle', 'CR1500', 3, '04:00', true],
    ['Celle', 'CR2700', 3, '04:00', true],
  ])
  expect((await readRollout(manager, rollout)).parts.filter(({ isCurrent }) => isCurrent)).toEqual([])
})
