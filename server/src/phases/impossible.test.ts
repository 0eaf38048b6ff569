import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const gate = { maxFailedPercent: 20, maxSilentPercent: 50 }
const serials = Array.from({ length: 8 }, (_, index) => `R${index}`)
type Result = 'applied' | 'failed' | 'notPossible'

/** Publishes a rollout to two zones with eight readers each. `phases`: given the ids of the zones. */
async function rolloutOfZones(phases: (zones: readonly string[]) => object[]) {
  const first = await server.zone('Aachen')
  const zones = [first, await server.zone('Bonn', first.organization)]
  const hosts = await Promise.all(zones.map((zone) => server.host(zone)))
  for (const [index, host] of hosts.entries())
    await host.checkIn(
      serials.map((serial) => reader(`${index}${serial}`)),
      { knowsPhases: true },
    )
  const params = { organizationId: first.organization.id, id: uuidv7() }
  const parts = [{ model: 'CR2700', content: { kind: 'cfg', text: '<cfg>1</cfg>' } }]
  const of = phases(zones.map(({ id }) => id))
  await first.manager.call('publishToZones', {
    params,
    body: { key: params.id, zones: { filter: {} }, parts, when: { now: true }, ...(of.length > 0 && { phases: of }) },
  })
  /** Reports one result for each of the first readers of a zone. */
  const report = async (zone: 0 | 1, ...results: Result[]) => {
    const { configurations } = (await hosts[zone]!.call('getDesired', { query: { knowsPhases: true } })).body
    const { publication } = configurations[0]!
    const outcomes = results.map((result, index) => ({
      publication,
      serialNumber: `${zone}${serials[index]}`,
      at: new Date().toISOString(),
      ...(result === 'applied' ? { outcome: 'applied', reason: null } : { outcome: 'failed', reason: 'Locked.' }),
      ...(result === 'notPossible' && { code: 'notPossible' }),
    }))
    expect((await hosts[zone]!.call('reportOutcomes', { body: { outcomes } })).body.refused).toEqual([])
  }
  const read = async () => (await first.manager.call('getRollout', { params })).body
  return { ...first, hosts, params, report, read }
}

const some = (count: number, result: Result): Result[] => Array.from({ length: count }, () => result)

test('[SER-01 PUB-15] a safety limit counts no reader that no published command gives the content, neither as failed nor as a reader', async () => {
  const { manager, params, report, read } = await rolloutOfZones(() => [])
  await manager.call('setSafetyLimit', { params, body: { haltAbovePercent: 25, stopTime: null, forLater: false } })
  await report(0, ...some(4, 'notPossible'), 'failed')
  expect((await read()).safetyLimit.zones).toEqual([])
  await report(0, ...some(4, 'notPossible'), 'failed', 'failed')
  expect((await read()).safetyLimit.zones).toMatchObject([{ zone: 'Aachen', failed: 2, readers: 4 }])
})

test('[SER-01 PHA-01] a gate counts none either, and a phase whose other readers are done goes on', async () => {
  const { report, read } = await rolloutOfZones(([aachen]) => [{ zones: [aachen], soakMinutes: 0, gate }])
  await report(0, ...some(4, 'notPossible'), ...some(3, 'applied'))
  expect((await read()).phases).toMatchObject([{ state: 'running', failed: 4, notPossible: 4 }, { state: 'waiting' }])
  await report(0, ...some(4, 'notPossible'), ...some(4, 'applied'))
  await report(1, ...some(8, 'notPossible'))
  const { state, counts, phases } = await read()
  expect(phases).toMatchObject([
    { state: 'passed', failed: 4, notPossible: 4 },
    { state: 'done', failed: 8, notPossible: 8 },
  ])
  expect([state, counts]).toMatchObject(['complete', { readers: 16, applied: 4, failed: 12, waiting: 0 }])
})

test('[SER-01 PHA-01] a gate halts by the share of the readers that may take the content', async () => {
  const { report, read } = await rolloutOfZones(([aachen]) => [{ zones: [aachen], soakMinutes: 0, gate }])
  await report(0, ...some(4, 'notPossible'), 'failed')
  const { isHalted, phases } = await read()
  expect(isHalted).toBe(true)
  expect(phases[0]).toMatchObject({ state: 'halted', haltedBy: 'failed', haltedWith: { count: 1, readers: 4 } })
})

test('[SER-01 PHA-01] a phase of readers that cannot take the content alone has shown nothing, so a user begins the next', async () => {
  const { manager, params, report, read } = await rolloutOfZones(([aachen]) => [{ zones: [aachen], soakMinutes: 0, gate }])
  await report(0, ...some(8, 'notPossible'))
  expect((await read()).phases).toMatchObject([{ state: 'byHand', gate: 'by hand' }, { state: 'waiting' }])
  await manager.call('beginPhase', { params: { ...params, phase: 2 } })
  expect((await read()).phases).toMatchObject([{ state: 'passed' }, { state: 'running' }])
})

test('[SER-01 PHA-01] a share of such readers alone grows by the next that may take the content', async () => {
  const { hosts, params, manager } = await rolloutOfZones(() => [{ share: 1, soakMinutes: 0, gate }])
  const list = async () => (await manager.call('getRollout', { params })).body.phases
  const listOfFirst = async () =>
    (await manager.call('listRolloutReaders', { params, query: { phase: '1' } })).body.readerList.map(({ serialNumber }) => serialNumber)
  const [one] = await listOfFirst()
  expect((await list())[0]).toMatchObject({ readers: 1, state: 'running' })
  const host = hosts[Number(one![0])]!
  const { publication } = (await host.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
  const at = new Date().toISOString()
  const outcome = { publication, serialNumber: one!, outcome: 'failed', reason: 'None.', code: 'notPossible', at }
  await host.call('reportOutcomes', { body: { outcomes: [outcome] } })
  expect((await list())[0]).toMatchObject({ readers: 2, notPossible: 1, state: 'running' })
})

test('[SER-01 PUB-15] a retry of all failed readers leaves them out', async () => {
  const { manager, params, report, read } = await rolloutOfZones(() => [])
  await report(0, ...some(3, 'notPossible'))
  expect((await read()).retryable).toBe(0)
  await report(0, ...some(3, 'notPossible'), 'failed')
  expect((await read()).retryable).toBe(1)
  const { message } = (await manager.call('retryRollout', { params })).body
  expect(message).toMatch(/^Retrying 1 reader /)
  expect((await read()).counts).toMatchObject({ failed: 3, waiting: 13 })
})
