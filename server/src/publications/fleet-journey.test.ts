import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { readRollout } from '../testing/rollout-zone.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
// A rollout with this id has some readers of each zone in its first phase, and not all.
const key = '0193a1b2-0000-7000-8000-000000000001'
const locked = 'The reader does not leave its locked mode.'

/** Zones of one organization, each with a host PC and ten readers whose serial numbers begin with the zone's name. */
async function newFleet(names: readonly string[]) {
  const first = await server.zone(names[0])
  const { organization, manager } = first
  const zones = [first, ...(await Promise.all(names.slice(1).map((name) => server.zone(name, organization))))]
  return Promise.all(
    zones.map(async ({ id, name }) => {
      const host = await server.host({ id, organization })
      const serials = Array.from({ length: 10 }, (_, index) => `${name}-${index}`)
      const runs = new Map(serials.map((serial) => [serial, reader(serial)]))
      const checkIn = () => host.checkIn([...runs.values()], { knowsPhases: true })
      await checkIn()
      const learn = async () => (await host.call('getDesired', { query: { knowsPhases: true, knowsReturns: true } })).body
      const desired = async () => (await learn()).commands ?? []
      const returned = async () => (await learn()).returns.configurations
      const report = async (outcome: 'applied' | 'failed', which: readonly string[], of = desired) => {
        const { publication, contentHash, fileName } = (await of())[0]!
        const common = { publication, outcome, reason: outcome === 'failed' ? locked : null, at: new Date().toISOString() }
        await host.call('reportOutcomes', { body: { outcomes: which.map((serialNumber) => ({ ...common, serialNumber })) } })
        if (outcome === 'failed') return
        for (const serial of which) runs.set(serial, reader(serial, { configuration: { contentHash, fileName }, publication }))
        await checkIn()
      }
      return { id, name, organization, manager, serials, desired, returned, report }
    }),
  )
}

test('[NAM-02 MNY-02 PHA-01 DRY-01] by API alone: saved, published to all zones with a tag in phases, halted by its gate, looked into, rolled back', async () => {
  const zones = await newFleet(['Aalen', 'Balve', 'Calw'])
  const [aalen, balve, calw] = zones as [(typeof zones)[0], (typeof zones)[0], (typeof zones)[0]]
  const { call } = aalen.manager
  const params = { organizationId: aalen.organization.id }
  await call('tagZones', { params, body: { zones: [aalen.id, balve.id], add: ['Stores'] } })
  const before = { kind: 'commands', commands: ['CFR', 'SYAZTCSEN0'] }
  const { id } = (await call('createLibraryEntry', { params, body: { name: 'Golden', device: 'CR2700', content: before } })).body
  const content = { kind: 'commands', commands: ['CFR', 'SYAZTCSEN1'] }
  expect((await call('addLibraryVersion', { params: { ...params, id }, body: { content } })).body).toMatchObject({ version: 2 })
  const ofVersion = (version: number) => ({
    key: uuidv7(),
    zones: { filter: { tags: ['stores'] } },
    expectedZones: 2,
    when: { now: true },
    parts: [{ model: 'CR2700', content: { kind: 'saved', configurationId: id, version } }],
  })
  await call('publishToZones', { params, body: ofVersion(1) })
  for (const zone of [aalen, balve]) await zone.report('applied', zone.serials)

  const gate = { maxFailedPercent: 10, maxSilentPercent: 50 }
  const body = { ...ofVersion(2), key, phases: [{ share: 60, soakMinutes: 0, gate }] }
  const preview = (await call('previewPublication', { params, body })).body
  expect(preview).toMatchObject({ totalCount: 2, parts: [{ model: 'CR2700', counts: { changes: 20, matches: 0, readers: 20 } }] })
  const { rolloutId, zones: reached } = (await call('publishToZones', { params, body })).body
  expect(reached.map(({ name }) => name)).toEqual(['Aalen', 'Balve'])
  const rollout = { ...params, id: rolloutId }
  const inFirst = (zone: typeof aalen) => zone.serials.filter((serial) => readerPosition(rolloutId, serial) < 6_000)
  expect(await aalen.desired()).toMatchObject([
    { fileName: 'Golden, version 2', halted: false, admitted: { rollout: rolloutId, end: 6_000 } },
  ])
  expect(await calw.desired()).toEqual([])

  await aalen.report('applied', inFirst(aalen))
  await balve.report('failed', inFirst(balve))
  expect(await readRollout({ call }, rollout)).toMatchObject({
    title: 'Golden, version 2',
    state: 'halted',
    isHalted: true,
    canRollBack: true,
    phases: [{ state: 'halted', haltedBy: 'failed', failed: inFirst(balve).length }, { state: 'waiting' }],
    parts: [{ zone: 'Aalen' }, { zone: 'Balve', haltedByGate: true }],
  })
  expect([...(await aalen.desired()), ...(await balve.desired())]).toMatchObject([{ halted: true }, { halted: true }])
  const { readerList } = (await call('listRolloutReaders', { params: rollout, query: { state: 'failed' } })).body
  expect(readerList.map(({ serialNumber, reason }) => [serialNumber, reason])).toEqual(inFirst(balve).map((serial) => [serial, locked]))

  const back = (await call('rollBackRollout', { params: rollout, body: { updateTime: null } })).body
  for (const zone of [aalen, balve])
    expect(await zone.desired()).toMatchObject([{ fileName: 'Golden, version 1', halted: false, admitted: null }])
  const given = inFirst(aalen)
  expect(await balve.returned()).toEqual([])
  expect(await aalen.returned()).toMatchObject([{ fileName: 'Golden, version 1', halted: false, readers: given }])
  await aalen.report('applied', given, aalen.returned)
  expect(await readRollout({ call }, { ...params, id: back.id })).toMatchObject({
    title: 'Golden, version 1',
    rollsBack: rolloutId,
    state: 'complete',
    phases: [],
    counts: { readers: given.length, applied: given.length, failed: 0 },
  })
  expect((await call('getRollout', { params: rollout })).body).toMatchObject({ rolledBackBy: back.id })
})
