import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, onTestFinished, test } from 'vitest'
import { statementsDuring } from '../../testing/database/statements.ts'
import { reader } from '../../testing/makers.ts'
import { readRollout } from '../../testing/rollout-zone.ts'
import { serverForFile } from '../../testing/server.ts'
import { testAgent } from '../../testing/test-agent.ts'

const server = await serverForFile()
const staff = await server.person({ permissions: ['global:access:organizations'] })
const uploadRelease = async (version: string) =>
  (await staff.call('uploadFirmwareRelease', { fields: { device: 'CR2700', version }, file: new File([version], 'f.crvfw') })).body
const releases = { '3.7.9': await uploadRelease('3.7.9'), '3.8.2': await uploadRelease('3.8.2'), '5.0.0': await uploadRelease('5.0.0') }

type Zone = Awaited<ReturnType<typeof server.zone>>

/** Publishes firmware by its version, or a script by its name, to zones. Returns the rollout's parameters. */
async function publish(zones: readonly Zone[], content: string, more: object = {}) {
  const { organization, manager } = zones[0]!
  const params = { organizationId: organization.id }
  const isScript = content.endsWith('.js')
  const upload = isScript
    ? (await manager.call('uploadScript', { params, file: new File([`rules_onDecode = (d) => '${content}'`], content) })).body
    : undefined
  const part = isScript ? { kind: 'script', sha256: upload!.sha256, fileName: content } : { kind: 'firmware', version: content }
  const key = uuidv7()
  const parts = [{ model: 'CR2700', content: part }]
  const body = { key, zones: { ids: zones.map(({ id }) => id) }, parts, when: { now: true }, phases: [], withoutHost: true, ...more }
  expect((await manager.call('publishToZones', { params, body })).status).toBe(200)
  return { ...params, id: key }
}

type Params = Awaited<ReturnType<typeof publish>>
const preview = async ({ manager }: Zone, params: Params) => (await manager.call('previewRollBack', { params })).body
const rollBack = ({ manager }: Zone, params: Params, more: object = {}) =>
  manager.call('rollBackRollout', { params, body: { updateTime: null, ...more } })

const none = { givenBack: 0, older: 0, hasIt: 0, leftAlone: 0, unavailable: 0, released: 0, notKnown: 0 }

test('[RIT-01] readers that the rollout did not reach are released, and nothing is written to any of them', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' }, B: { firmware: '3.8.2' }, C: { firmware: '3.8.2' } })
  const rollout = await publish([zone], '5.0.0', { when: { updateTime: '02:00' } })
  await agent.learn()
  expect((await preview(zone, rollout)).parts).toEqual([{ model: 'CR2700', kind: 'firmware', ...none, released: 3 }])
  const { body } = await rollBack(zone, rollout)
  expect(body.message).toBe('Took Firmware 5.0.0 back. It had reached no reader.')
  await agent.work()
  expect(agent.listFirmware()).toEqual({ A: '3.7.9', B: '3.8.2', C: '3.8.2' })
  expect([...agent.writes.values()]).toEqual([[], [], []])
  expect((await agent.learn()).firmware).toEqual([])
})

test('[RIT-01] each reader gets back what it had itself, and a reader that was not reached keeps what it runs', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, {
    A: { firmware: '3.7.9' },
    B: { firmware: '3.8.2' },
    C: { firmware: '3.8.2' },
    D: { firmware: '3.7.9' },
  })
  const rollout = await publish([zone], '5.0.0')
  await agent.work(['A', 'B'])
  expect(agent.listFirmware()).toEqual({ A: '5.0.0', B: '5.0.0', C: '3.8.2', D: '3.7.9' })
  const plan = await preview(zone, rollout)
  expect(plan).toMatchObject({
    parts: [{ model: 'CR2700', kind: 'firmware', ...none, givenBack: 2, older: 2, released: 2 }],
    contents: [
      { model: 'CR2700', kind: 'firmware', name: '3.7.9', readers: 1 },
      { model: 'CR2700', kind: 'firmware', name: '3.8.2', readers: 1 },
    ],
    others: 0,
  })
  const { body } = await rollBack(zone, rollout, { expected: plan.parts })
  expect(body.message).toBe('2 readers get back what they had before Firmware 5.0.0.')
  await agent.work()
  await agent.work()
  expect(agent.listFirmware()).toEqual({ A: '3.7.9', B: '3.8.2', C: '3.8.2', D: '3.7.9' })
  expect(Object.fromEntries(agent.writes)).toEqual({ A: ['5.0.0', '3.7.9'], B: ['5.0.0', '3.8.2'], C: [], D: [] })
  const back = await readRollout(zone.manager, { ...rollout, id: body.id })
  expect(back).toMatchObject({ rollsBack: rollout.id, counts: { readers: 2, applied: 2, waiting: 0 } })
})

test('[RIT-01] a reader that gets configuration and firmware back is one reader in the answer', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' }, B: { firmware: '3.7.9' } })
  await publish([zone], 'before.js')
  await agent.work()
  const parts = [
    { model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>', fileName: 'after.crccfg' } },
    { model: 'CR2700', content: { kind: 'firmware', version: '5.0.0' } },
  ]
  const rollout = await publish([zone], '5.0.0', { parts })
  await agent.work(['A'])
  const { body } = await rollBack(zone, rollout)
  expect(body.message).toMatch(/^1 reader gets back what it had before /)
})

test('[RIT-01] what ran is known from a check-in that comes before the outcome, and a second try does not change it', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' }, B: { firmware: '3.8.2' } })
  const rollout = await publish([zone], '5.0.0')
  await agent.learn()
  const tell = await agent.update(['A', 'B'], { says: false })
  await agent.checkIn()
  await tell()
  await rollBack(zone, rollout)
  await agent.work()
  expect(agent.listFirmware()).toEqual({ A: '3.7.9', B: '3.8.2' })
})

test('[RIT-01] a reader that failed and has reported no configuration, before and since, runs what it had already', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: {}, B: { configuration: { contentHash: 'a'.repeat(64), fileName: 'own.js' } } })
  const rollout = await publish([zone], 'v1.js')
  await agent.work(['A', 'B'], { fails: true })
  expect((await preview(zone, rollout)).parts).toEqual([{ model: 'CR2700', kind: 'configuration', ...none, hasIt: 2 }])
})

test('[RIT-01] a zone desires again what it desired before; who had failed there or was changed by hand is not written', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: {}, B: {}, C: {}, D: {} })
  await publish([zone], 'v1.js')
  await agent.work(['A', 'B'])
  await agent.work(['C'], { fails: true })
  agent.runs.get('B')!.configuration = null
  await agent.checkIn()
  const second = await publish([zone], 'v2.js')
  await agent.work(['A'])
  await rollBack(zone, second)
  await agent.work(['A', 'B', 'C'])
  // D waited for v1.js, and does so again.
  expect(agent.listConfigurations()).toEqual({ A: 'v1.js', B: null, C: null, D: null })
  expect(Object.fromEntries(agent.writes)).toEqual({ A: ['v1.js', 'v2.js', 'v1.js'], B: ['v1.js'], C: [], D: [] })
  expect((await agent.learn()).configurations).toMatchObject([{ fileName: 'v1.js' }])
  await agent.work(['D'])
  expect(agent.listConfigurations()).toMatchObject({ D: 'v1.js' })
})

test('[RIT-01] a reader that gets back something else is kept by the roll back: it is not drift, and nothing is applied again, until something newer is published', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { configuration: { contentHash: 'a'.repeat(64), fileName: 'own.js' } }, B: {} })
  const own = await publish([zone], 'own.js')
  await agent.work(['A'])
  await publish([zone], 'v1.js')
  // B gets v1.js, and A never does.
  await agent.work(['B'])
  const second = await publish([zone], 'v2.js')
  await agent.work()
  await rollBack(zone, second)
  await agent.work()
  expect(agent.listConfigurations()).toEqual({ A: 'own.js', B: 'v1.js' })
  const params = { organizationId: zone.organization.id, serialNumber: 'A' }
  expect((await zone.manager.call('getDeviceConfiguration', { params })).body).toMatchObject({ standing: 'kept' })
  expect((await zone.manager.call('reapplyConfiguration', { params })).problem).toMatchObject({
    status: 409,
    detail: 'A roll back gave this reader back what it had. It keeps that until something newer is published.',
  })
  const totals = (await zone.manager.call('getDeviceTotals', { params })).body
  expect(totals.drifted ?? 0).toBe(0)
  await publish([zone], 'v3.js')
  await agent.work()
  expect(agent.listConfigurations()).toEqual({ A: 'v3.js', B: 'v3.js' })
  expect(own.id).not.toBe(second.id)
})

test('[RIT-01] readers with internal ids of more than 32 bits are rolled back, also over an earlier roll back', async () => {
  await sql`alter table device alter column id restart with 2147483648`.execute(server.app.db)
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: {}, B: {} })
  await publish([zone], 'own.js')
  await agent.work()
  const first = await publish([zone], 'v1.js')
  await agent.work(['B'])
  const second = await publish([zone], 'v2.js')
  await agent.work()
  await rollBack(zone, second)
  await agent.work()
  // The zone desires v1.js again, and A is kept from it.
  expect(agent.listConfigurations()).toEqual({ A: 'own.js', B: 'v1.js' })
  expect((await rollBack(zone, first)).body.message).toBe('1 reader gets back what it had before v1.js.')
  await agent.work()
  expect(agent.listConfigurations()).toEqual({ A: 'own.js', B: 'own.js' })
  expect(Object.fromEntries(agent.writes)).toEqual({ A: ['own.js', 'v2.js', 'own.js'], B: ['own.js', 'v1.js', 'v2.js', 'v1.js', 'own.js'] })
})

test('[RIT-01] a reader that was changed by hand since, or moved, is left alone and counted', async () => {
  const zone = await server.zone()
  const other = await server.zone(undefined, zone.organization)
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' }, B: { firmware: '3.7.9' }, C: { firmware: '3.7.9' } })
  const rollout = await publish([zone], '5.0.0')
  await agent.work()
  agent.runs.get('A')!.firmware = '3.8.2'
  await agent.checkIn()
  const away = await testAgent(server, other, { B: { firmware: '5.0.0' } })
  agent.runs.delete('B')
  await agent.checkIn()
  expect((await preview(zone, rollout)).parts).toEqual([
    { model: 'CR2700', kind: 'firmware', ...none, givenBack: 1, older: 1, leftAlone: 2 },
  ])
  await rollBack(zone, rollout)
  await agent.work()
  await away.work()
  expect(agent.listFirmware()).toEqual({ A: '3.8.2', C: '3.7.9' })
  expect(away.listFirmware()).toEqual({ B: '5.0.0' })
})

test('[RIT-01] what is not to be had is counted: those readers stay as they are, or get the content that is chosen', async () => {
  const run = async (more: object) => {
    const zone = await server.zone()
    const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' }, B: { firmware: '0.0.9' } })
    const rollout = await publish([zone], '5.0.0')
    await agent.work()
    expect((await preview(zone, rollout)).parts).toEqual([
      { model: 'CR2700', kind: 'firmware', ...none, givenBack: 1, older: 1, unavailable: 1 },
    ])
    await rollBack(zone, rollout, more)
    await agent.work()
    return agent.listFirmware()
  }
  expect(await run({})).toEqual({ A: '3.7.9', B: '5.0.0' })
  const instead = [{ model: 'CR2700', content: { kind: 'firmware', version: '3.8.2' } }]
  expect(await run({ instead })).toEqual({ A: '3.7.9', B: '3.8.2' })
})

test('[RIT-01] a release that was withdrawn is not to be had, and what the dialog showed is what happens', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' } })
  const rollout = await publish([zone], '5.0.0')
  await agent.work()
  const { parts } = await preview(zone, rollout)
  expect(parts).toMatchObject([{ givenBack: 1 }])
  const { id } = releases['3.7.9']
  await staff.call('offerFirmwareRelease', { params: { id }, body: { isOffered: false } })
  onTestFinished(async () => {
    await staff.call('offerFirmwareRelease', { params: { id }, body: { isOffered: true } })
  })
  expect((await rollBack(zone, rollout, { expected: parts })).problem).toMatchObject({
    status: 409,
    detail: 'The rollout has gone on since you looked. Look at the counts again.',
    errors: [{ field: 'expected' }],
  })
  expect((await agent.learn()).firmware).toMatchObject([{ version: '5.0.0' }])
  expect((await preview(zone, rollout)).parts).toMatchObject([{ givenBack: 0, unavailable: 1 }])
})

test('[RIT-01] a host PC that was away and had the content begins before it hears of the roll back: its readers get back what they had', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' }, B: { firmware: '3.8.2' } })
  const rollout = await publish([zone], '5.0.0')
  await agent.learn()
  const { body } = await rollBack(zone, rollout)
  const params = { ...rollout, id: body.id }
  const detail = async () => (await zone.manager.call('getRollout', { params })).body
  expect(await detail()).toMatchObject({ taken: { released: 0, notKnown: 2 } })
  await agent.update(['A'])
  await agent.work()
  await agent.work()
  expect(agent.listFirmware()).toEqual({ A: '3.7.9', B: '3.8.2' })
  expect(Object.fromEntries(agent.writes)).toEqual({ A: ['5.0.0', '3.7.9'], B: [] })
  expect(await detail()).toMatchObject({ counts: { readers: 1, applied: 1 }, taken: { released: 1, notKnown: 0 } })
})

test('[RIT-01] a roll back is rolled back: readers get the newer content again, and the zone desires it', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' }, B: { firmware: '3.8.2' } })
  const rollout = await publish([zone], '5.0.0')
  await agent.work(['A'])
  const { body } = await rollBack(zone, rollout)
  await agent.work()
  expect(agent.listFirmware()).toEqual({ A: '3.7.9', B: '3.8.2' })
  expect((await rollBack(zone, { ...rollout, id: body.id })).status).toBe(200)
  await agent.work()
  expect(agent.listFirmware()).toEqual({ A: '5.0.0', B: '5.0.0' })
  expect((await agent.learn()).firmware).toMatchObject([{ version: '5.0.0' }])
})

test('[RIT-01] a roll back of a script leaves the firmware that came after it, and the other way round', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' } })
  await publish([zone], 'v1.js')
  await agent.work()
  const script = await publish([zone], 'v2.js')
  await agent.work()
  const firmware = await publish([zone], '5.0.0')
  await agent.work()
  await rollBack(zone, script)
  await agent.work()
  expect([agent.listFirmware(), agent.listConfigurations()]).toEqual([{ A: '5.0.0' }, { A: 'v1.js' }])
  await rollBack(zone, firmware)
  await agent.work()
  expect([agent.listFirmware(), agent.listConfigurations()]).toEqual([{ A: '3.7.9' }, { A: 'v1.js' }])
})

test('[RIT-01] of two tabs the second is told that nothing of it is desired any more', async () => {
  const zone = await server.zone()
  const agent = await testAgent(server, zone, { A: { firmware: '3.7.9' } })
  const rollout = await publish([zone], '5.0.0')
  await agent.work()
  const replies = await Promise.all([rollBack(zone, rollout), rollBack(zone, rollout)])
  expect(replies.map(({ status }) => status).sort()).toEqual([200, 409])
  await agent.work()
  expect(Object.fromEntries(agent.writes)).toEqual({ A: ['5.0.0', '3.7.9'] })
})

test('[RIT-01] a rollout for every model is rolled back with the counts that were shown', async () => {
  const zone = await server.zone()
  const host = await server.host(zone)
  const models = ['CR1100', 'CR2700', 'A271/2', 'CR1500', 'CR5200', 'V1300', 'V4500'] as const
  await host.checkIn(models.map((deviceType) => reader(`R ${deviceType}`, { deviceType })))
  const parts = models.map((model) => ({ model, content: { kind: 'cfg', text: '<cfg>1</cfg>' } }))
  const rollout = await publish([zone], 'unused.js', { parts })
  const plan = await preview(zone, rollout)
  expect(plan.parts).toHaveLength(7)
  expect((await rollBack(zone, rollout, { expected: plan.parts })).status).toBe(200)
})

test('[RIT-01] many zones and models take as many statements as one, and host PCs are notified once', async () => {
  // Now and then the server looks who has signed out, which is no part of the roll back.
  const ask = async (zone: Zone, params: Params) =>
    (await statementsDuring(() => rollBack(zone, params))).map(({ sql }) => sql).filter((sql) => !sql.includes('ended_session'))
  const organization = await server.organization()
  const zones: Zone[] = []
  for (const name of ['Aachen', 'Bonn', 'Celle']) zones.push(await server.zone(name, organization))
  const agents = []
  for (const zone of zones)
    agents.push(await testAgent(server, zone, { [`${zone.key}A`]: { firmware: '3.7.9' }, [`${zone.key}B`]: { firmware: '3.8.2' } }))
  const one = await publish(zones.slice(0, 1), '5.0.0')
  await agents[0]!.work()
  const few = await ask(zones[0]!, one)
  await agents[0]!.work()
  const all = await publish(zones, '5.0.0')
  for (const agent of agents) await agent.work()
  const many = await ask(zones[0]!, all)
  expect(many).toHaveLength(few.length)
  expect(many.filter((sql) => sql.startsWith('insert into "event"'))).toHaveLength(1)
  for (const agent of agents) await agent.work()
  expect(agents.flatMap((agent) => Object.values(agent.listFirmware()))).toEqual(['3.7.9', '3.8.2', '3.7.9', '3.8.2', '3.7.9', '3.8.2'])
})
