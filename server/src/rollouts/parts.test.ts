import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { noReaders as none, rolloutZone } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const newZone = (serials?: readonly string[]) => rolloutZone(server, serials)

test("[PER-20] another organization's rollout is one that does not exist, and stays as it is", async () => {
  const { publish, detail } = await newZone()
  const { id } = await publish('1')
  const { parts, safetyLimit } = await detail(id)
  const { manager, organizationId } = await newZone()
  const call = async (
    name: 'getRollout' | 'listRolloutParts' | 'listRolloutReaders' | 'haltRollout' | 'retryRollout' | 'rollBackRollout' | 'setSafetyLimit',
  ) => {
    const bodies = { rollBackRollout: { updateTime: null }, setSafetyLimit: { haltAbovePercent: 1, stopTime: null, forLater: false } }
    const body = name in bodies ? { body: bodies[name as keyof typeof bodies] } : {}
    const { status, problem } = await manager.call(name, { params: { organizationId, id }, ...body })
    return [status, problem.detail]
  }
  expect((await manager.call('listRollouts', { params: { organizationId } })).body).toMatchObject({ rolloutList: [], totalCount: 0 })
  const unknown = [404, 'There is no such rollout.']
  expect([await call('getRollout'), await call('listRolloutParts'), await call('listRolloutReaders')]).toEqual([unknown, unknown, unknown])
  expect(await call('haltRollout')).toEqual(unknown)
  expect([await call('retryRollout'), await call('rollBackRollout'), await call('setSafetyLimit')]).toEqual([unknown, unknown, unknown])
  expect(await detail(id)).toMatchObject({ parts, safetyLimit })
})

test('[PUB-15] halting leaves what something newer has replaced as it is', async () => {
  const { publish, detail, change } = await newZone()
  const { id } = await publish('1')
  await publish('1', { rollout: id }, 'A271/2')
  await publish('2')
  await change('haltRollout', id)
  const parts = (await detail(id)).parts.map(({ deviceType, isCurrent, haltedAt }) => [deviceType, isCurrent, haltedAt !== undefined])
  expect(parts).toEqual([
    ['A271/2', true, true],
    ['CR2700', false, false],
  ])
})

test('[PUB-15] a reader that leaves its zone while it is retried has failed', async () => {
  const { zone, publish, report, detail, change } = await newZone(['A', 'B'])
  const { id } = await publish('1')
  await report(['A', 'failed'])
  await change('retryRollout', id)
  await (await server.host(await server.zone('Other', zone.organization), 'HOST-02')).checkIn([reader('A')])
  expect(await detail(id)).toMatchObject({ counts: { ...none, readers: 2, failed: 1, waiting: 1 }, retryable: 0 })
})

test('[PUB-15] a reader that has moved between zones of a rollout is on its pages once for each', async () => {
  const { zone, organizationId, manager, publish, report, readers } = await rolloutZone(server, ['A'])
  const { id } = await publish('one')
  await report(['A', 'applied'])
  const annex = await server.zone('Annex', zone.organization)
  const body = { cfg: '<cfg>one</cfg>', updateTime: '00:00', rollout: id }
  await manager.call('publishCfg', { params: { organizationId, location: annex.id, device: 'CR2700' }, body })
  await (await server.host(annex, 'HOST-02')).checkIn([reader('A')])
  const pages = await Promise.all([0, 1].map((PageNumber) => readers(id, { PageNumber, PageSize: 1 })))
  expect(pages.map(({ readerList }) => readerList.map((one) => [one.zone, one.state]))).toEqual([
    [['ICU 3 North', 'applied']],
    [['Annex', 'waiting']],
  ])
})

test('[PUB-15] a removed host PC gives its zone neither a clock nor a connection', async () => {
  const { organizationId, publish, detail, manager, host } = await newZone()
  const { id } = await publish('1', { updateTime: '00:00' })
  expect((await detail(id)).parts[0]).toMatchObject({ runs: [{ timeZones: ['Europe/Berlin'] }], state: 'scheduled' })
  await manager.call('removeHost', { params: { organizationId, host: host.hostId } })
  const part = (await detail(id)).parts[0]!
  expect([part.state, part.runs]).toEqual(['waitingForHost', []])
})

test('[PUB-15] a reader that went silent during its download is silent', async () => {
  const { publish, publication, host, detail } = await newZone(['A'])
  const { id } = await publish('1')
  await host.call('reportProgress', { body: { progress: [{ publication: await publication(), serialNumber: 'A', percent: 61 }] } })
  await sql`update device set last_seen_at = now() - interval '31 minutes'`.execute(server.app.db)
  expect((await detail(id)).counts).toEqual({ ...none, readers: 1, silent: 1 })
})

test('[NOW-02] a part says when each clock of its zone lets readers begin, the rollout what its waiting parts wait for', async () => {
  const { zone, organizationId, publish, detail, manager } = await newZone()
  const other = await server.host(zone, 'HOST-02')
  await other.call('checkIn', { body: { timeZone: 'America/Chicago', agentVersion: '1.0.0', devices: [] } })
  const inTwoHours = new Intl.DateTimeFormat('en-GB', { timeZone: 'Europe/Berlin', hour: '2-digit', minute: '2-digit' })
  const { id } = await publish('1', { updateTime: inTwoHours.format(Date.now() + 7_200_000) })
  const zones = ({ timeZones }: { timeZones: string[] }) => timeZones
  const { parts, runs } = await detail(id)
  expect(parts[0]?.runs.map(zones)).toEqual([['Europe/Berlin'], ['America/Chicago']])
  expect(runs).toEqual(parts[0]?.runs)
  const [first, second] = runs.map(({ at }) => Date.parse(at))
  // The two clocks are seven hours apart, or six in the weeks between their changes to daylight saving.
  expect([6, 7]).toContain((second! - first!) / 3_600_000)
  const { body } = await manager.call('listRollouts', { params: { organizationId } })
  expect(body.rolloutList.map((rollout) => rollout.runs)).toEqual([runs])
  const now = await publish('2', { updateTime: undefined, when: 'now' })
  expect(await detail(now.id)).toMatchObject({ state: 'updating', runs: [] })
  expect((await detail(id)).parts[0]?.runs).toEqual([])
})

test('[PUB-15] the zones of a rollout come in pages by their names, each with all its models, and are found by a part of the name', async () => {
  const organization = await server.organization()
  const id = uuidv7()
  const [{ manager, ...first }, ...others] = [
    await server.zone('ward 10', organization),
    await server.zone('Ward 1', organization),
    await server.zone('Lab 100%', organization),
  ] as const
  const params = { organizationId: organization.id, id }
  for (const [zone, models] of [
    [first, ['CR2700', 'CR1500']],
    [others[0], ['CR2700', 'A271/2']],
    [others[1], ['CR2700']],
  ] as const)
    for (const device of models)
      await manager.call('publishCfg', {
        params: { organizationId: organization.id, location: zone.id, device },
        body: { cfg: '<cfg>1</cfg>', when: 'now', rollout: id },
      })
  const list = async (query: Record<string, unknown>) => {
    const { partList, ...facts } = (await manager.call('listRolloutParts', { params, query })).body
    return [partList.map(({ zone, deviceType }) => `${zone}, ${deviceType}`), facts]
  }
  const all = ['Lab 100%, CR2700', 'Ward 1, A271/2', 'Ward 1, CR2700', 'ward 10, CR1500', 'ward 10, CR2700']
  expect(await list({})).toEqual([all, { pageNumber: 0, pageSize: 10, totalCount: 3 }])
  expect(await list({ PageSize: 2 })).toEqual([all.slice(0, 3), { pageNumber: 0, pageSize: 2, totalCount: 3 }])
  expect(await list({ PageSize: 2, PageNumber: 1 })).toEqual([all.slice(3), { pageNumber: 1, pageSize: 2, totalCount: 3 }])
  expect(await list({ textFilter: ' WARD ', PageSize: 1 })).toEqual([all.slice(1, 3), { pageNumber: 0, pageSize: 1, totalCount: 2 }])
  expect(await list({ textFilter: '%' })).toMatchObject([all.slice(0, 1), { totalCount: 1 }])
  expect(await list({ textFilter: 'none' })).toMatchObject([[], { totalCount: 0 }])
  await manager.call('deleteZone', { params: { organizationId: organization.id, location: others[0].id } })
  await server.zone('Ward 1', organization)
  expect(await list({ textFilter: 'ward 1' })).toMatchObject([all.slice(1), { totalCount: 2 }])
})

test('[PUB-15] what can be done to a rollout follows from what its zones still want', async () => {
  const { publish, detail, change, report } = await newZone(['A', 'B'])
  const first = await publish('1')
  const facts = async (id: string) => {
    const { models, current, isHalted, haltable, canRollBack } = await detail(id)
    return { models, current, isHalted, haltable, canRollBack }
  }
  const begun = { models: ['CR2700'], current: 1, isHalted: false, haltable: 2, canRollBack: true }
  expect(await facts(first.id)).toEqual(begun)
  await report(['A', 'applied'])
  await change('haltRollout', first.id)
  expect(await facts(first.id)).toEqual({ ...begun, isHalted: true, haltable: 0 })
  await change('resumeRollout', first.id)
  expect(await facts(first.id)).toEqual({ ...begun, haltable: 1 })
  const second = await publish('2')
  expect(await facts(first.id)).toEqual({ ...begun, current: 0, haltable: 0, canRollBack: false })
  await publish('3', { rollout: second.id }, 'CR1500')
  expect(await facts(second.id)).toEqual({ ...begun, models: ['CR1500', 'CR2700'], current: 2 })
})
