import { setTimeout } from 'node:timers/promises'
import { readerPosition } from '@lectern/contract/publications/reader-position.ts'
import { type RawBuilder, sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { expect, test } from 'vitest'
import { whileWaiting } from '../testing/database/held.ts'
import { statementsDuring } from '../testing/database/statements.ts'
import { reader } from '../testing/makers.ts'
import { serverForFile } from '../testing/server.ts'

const server = await serverForFile()
const gate = { maxFailedPercent: 20, maxSilentPercent: 50 }

/** Publishes a rollout in phases to a zone with so many readers. */
async function phasedRollout(phases: object[], readers = 20) {
  const zone = await server.zone()
  const host = await server.host(zone)
  const serials = Array.from({ length: readers }, (_, index) => `R${index}`)
  const checkIn = (which: readonly string[]) =>
    host.checkIn(
      which.map((serial) => reader(serial)),
      { knowsPhases: true },
    )
  await checkIn(serials)
  const params = { organizationId: zone.organization.id, id: uuidv7() }
  await zone.manager.call('publishCfg', {
    params: { organizationId: params.organizationId, location: zone.id, device: 'CR2700' },
    body: { cfg: '<cfg>1</cfg>', when: 'now', rollout: params.id, phases },
  })
  const { publication } = (await host.call('getDesired', { query: { knowsPhases: true } })).body.configurations[0]!
  const report = (which: readonly string[], outcome: 'applied' | 'failed' = 'applied') => {
    const common = { publication, outcome, reason: outcome === 'failed' ? 'Locked.' : null, at: new Date().toISOString() }
    return host.call('reportOutcomes', { body: { outcomes: which.map((serialNumber) => ({ ...common, serialNumber })) } })
  }
  const listPhases = async (as: Pick<typeof zone.manager, 'call'> = zone.manager) => (await as.call('getRollout', { params })).body.phases
  const [inFirst, others] = [
    serials.filter((serial) => readerPosition(params.id, serial) < 4000),
    serials.filter((serial) => readerPosition(params.id, serial) >= 4000),
  ]
  return { zone, params, checkIn, report, listPhases, inFirst, others }
}

const isCount = (statement: string): boolean => statement.includes("(where o.outcome = 'applied')")

/** Counts the statements during `ask` that read every reader of a rollout. */
const countsDuring = async (ask: () => Promise<unknown>): Promise<number> =>
  (await statementsDuring(ask)).filter(({ sql }) => isCount(sql)).length

const first = { share: 40, soakMinutes: 0, gate }

test('[PHA-01] reports after all readers are done do not count the readers of the rollout again', async () => {
  const { report, listPhases, inFirst, others } = await phasedRollout([first])
  expect(await countsDuring(() => report(inFirst))).toBe(1)
  await report(others.slice(1))
  await report(others.slice(0, 1), 'failed')
  expect(await listPhases()).toMatchObject([{ state: 'passed' }, { state: 'done', failed: 1 }])
  expect(await countsDuring(() => report(others.slice(0, 1)))).toBe(0)
  expect(await listPhases()).toMatchObject([{ state: 'passed' }, { state: 'done', failed: 0 }])
})

const setBack = (column: 'counted_at' | 'done_at', { id }: { id: string }) =>
  sql`update rollout_phase set ${sql.ref(column)} = ${sql.ref(column)} - interval '61 minutes' where rollout_id = ${id}`.execute(
    server.app.db,
  )

const goSilent = (zone: { key: number }, serial: string) =>
  sql`update device set last_seen_at = now() - interval '31 minutes' where zone_id = ${zone.key} and serial_number = ${serial}`.execute(
    server.app.db,
  )

test('[PHA-01] readers that come, and those that go silent, are counted once an hour in the last phase', async () => {
  const { zone, params, checkIn, report, listPhases, inFirst, others } = await phasedRollout([first])
  await report(inFirst)
  const added = Array.from({ length: 9 }, (_, index) => `New${index}`)
  await checkIn([...inFirst, ...others.slice(1), ...added])
  await goSilent(zone, others[0]!)
  expect(await countsDuring(server.app.sweep)).toBe(0)
  await setBack('counted_at', params)
  await server.app.sweep()
  const { readers, silent, state } = (await listPhases())[1]!
  const addedToRest = added.filter((serial) => readerPosition(params.id, serial) >= 4000).length
  expect([readers, silent, state]).toEqual([others.length + addedToRest, 1, 'running'])
  expect(await countsDuring(server.app.sweep)).toBe(0)
})

test('[PHA-01] a gate that waits for a person is counted once an hour, one that decides by itself once a minute, before its phases are held', async () => {
  const byHand = await phasedRollout([{ ...first, gate: 'by hand' }])
  await byHand.report(byHand.inFirst)
  expect(await byHand.listPhases()).toMatchObject([{ state: 'byHand' }, { state: 'waiting' }])
  expect(await countsDuring(server.app.sweep)).toBe(0)
  await setBack('counted_at', byHand.params)
  expect(await countsDuring(server.app.sweep)).toBe(1)
  expect(await countsDuring(server.app.sweep)).toBe(0)
  const soaking = await phasedRollout([{ ...first, soakMinutes: 60 }])
  await soaking.report(soaking.inFirst)
  const statements = (await statementsDuring(server.app.sweep)).map(({ sql }) => sql).filter((sql) => sql.includes('rollout_phase f'))
  expect(statements.findIndex(isCount)).toBe(1)
  expect(statements.findIndex((sql) => sql.includes('for no key update'))).toBe(2)
  await setBack('done_at', soaking.params)
  await server.app.sweep()
  expect(await soaking.listPhases()).toMatchObject([{ state: 'passed' }, { state: 'running' }])
})

test('[PHA-01] what reports add while a sweep counts is not lost, and what another server has counted meanwhile is not counted twice', async () => {
  const { params, listPhases, inFirst } = await phasedRollout([first])
  const change = (set: RawBuilder<unknown>) => sql`update rollout_phase set ${set} where rollout_id = ${params.id} and number = 1`
  const sweepDuring = (write: RawBuilder<unknown>) =>
    whileWaiting(
      server.app.db,
      sql`select from rollout_phase where rollout_id = ${params.id} for no key update`,
      server.app.sweep,
      (other) => change(write).execute(other),
    )
  await sweepDuring(sql`applied = applied + 2`)
  expect((await listPhases())[0]).toMatchObject({ readers: inFirst.length, applied: 2 })
  await change(sql`readers = readers + 5`).execute(server.app.db)
  await sweepDuring(sql`readers = readers - 5, applied = 0, counted_at = clock_timestamp()`)
  expect((await listPhases())[0]).toMatchObject({ readers: inFirst.length, applied: 0 })
})

test('[PHA-01] a report that decides nothing waits for no phase but that of its readers', async () => {
  const { params, report, inFirst, listPhases } = await phasedRollout([first])
  const other = await server.app.db.startTransaction().execute()
  await sql`select from rollout_phase where rollout_id = ${params.id} and number = 2 for no key update`.execute(other)
  const reported = report(inFirst.slice(1)).then(({ status }) => status)
  expect(await Promise.race([reported, setTimeout(30_000, 'waits')])).toBe(200)
  await other.commit().execute()
  await report(inFirst)
  expect(await listPhases()).toMatchObject([{ state: 'passed' }, { state: 'running' }])
})

test('[PHA-01 PPL-04] a role limited to zones has figures of its readers that are counted at each look where there are few, and else once a minute', async () => {
  for (const [readers, counts] of [
    [20, 1],
    [220, 0],
  ] as const) {
    const { zone, report, listPhases, inFirst } = await phasedRollout([first], readers)
    const limited = await server.limitedPerson(zone.organization, [zone], ['manage:cfg'])
    expect((await listPhases(limited))[0]).toMatchObject({ readers: inFirst.length, applied: 0 })
    await report(inFirst.slice(1))
    expect(await countsDuring(() => listPhases(limited))).toBe(counts)
    expect((await listPhases())[0]!.applied).toBe(inFirst.length - 1)
  }
})
