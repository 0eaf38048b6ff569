import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, expect, test } from 'vitest'
import { foreigner, northfield, startLoneStack } from './support/processes/stack.ts'

const dataDir = await mkdtemp(join(tmpdir(), 'lectern-demo-'))
const stack = await startLoneStack({ env: { DATA_DIR: dataDir }, hasFleet: true })
afterAll(async () => {
  await stack.stop()
  await rm(dataDir, { recursive: true, force: true })
})

const harborline = '0198c0de-0002-7000-8000-000000000002'
const waiting = { timeout: 60_000, interval: 250 }

/** Running processes that use a state folder of the demo. */
async function listAgents(): Promise<number[]> {
  const folders = await readdir(join(dataDir, 'demo'), { withFileTypes: true })
  const locks = folders.filter((folder) => folder.isDirectory()).map(({ name }) => join(dataDir, 'demo', name, 'lock'))
  const holders = await Promise.all(locks.map((lock) => readFile(lock, 'utf8').catch(() => null)))
  const pids = holders.flatMap((holder) => (holder === null ? [] : [(JSON.parse(holder) as { pid: number }).pid]))
  return [...new Set(pids)].filter(isRunning)
}

const countOnline = async () => {
  const { online } = (
    await stack.sql<{ online: number }>("select count(*)::int as online from host where last_seen_at > now() - interval '30 minutes'")
  )[0]!
  return online
}

const isRunning = (pid: number): boolean => {
  try {
    return process.kill(pid, 0)
  } catch {
    return false
  }
}

test('every zone of the demo has one host PC, which a single process keeps online, and its readers stay the same', async () => {
  await expect.poll(async () => (await listAgents()).length, waiting).toBe(1)
  await stack.signal('SIGTERM')
  // As it would be if no agent had these hosts.
  await stack.sql("update host set last_seen_at = now() - interval '1 hour'")
  const before = await stack.sql(
    "select serial_number from device where zone_id = (select id from zone where name = 'ED Triage') order by 1",
  )
  await stack.start()
  await expect.poll(countOnline, waiting).toBe(42)
  expect(await listAgents()).toHaveLength(1)
  for (const [account, organizationId, zones] of [
    [undefined, northfield, 40],
    [foreigner, harborline, 2],
  ] as const) {
    const api = await stack.api(account)
    const overviews = await api('listZoneOverviews', { params: { organizationId } })
    expect(overviews.map(({ hosts }) => hosts.map(({ isOnline, driver }) => ({ isOnline, driver })))).toEqual(
      Array.from({ length: zones }, () => [{ isOnline: true, driver: 'simulated' }]),
    )
  }
  expect(
    await stack.sql("select serial_number from device where zone_id = (select id from zone where name = 'ED Triage') order by 1"),
  ).toEqual(before)
})

test('the agents of the demo end with their server, also when it is killed, and start again with it', async () => {
  await expect.poll(countOnline, waiting).toBe(42)
  const [first] = await listAgents()
  await stack.crash()
  await expect.poll(() => isRunning(first!), waiting).toBe(false)
  await stack.start()
  await expect.poll(async () => (await listAgents()).length, waiting).toBe(1)
  const [second] = await listAgents()
  expect(second).not.toBe(first)
  await stack.signal('SIGTERM')
  expect(isRunning(second!)).toBe(false)
  await stack.start()
})

test('the demo has a fleet with tags; its host PCs carry a rollout to the phase that waits for a user, and into a gate; started again, nothing is added', async () => {
  const api = await stack.api()
  const params = { organizationId: northfield }
  const tags = await api('listTags', { params })
  expect(Object.fromEntries(tags.map(({ tag, zones }) => [tag, zones]))).toEqual({
    Hospital: 12,
    Clinic: 7,
    Laboratory: 7,
    Pharmacy: 7,
    'Urgent Care': 7,
    Boise: 4,
    Eugene: 4,
    Portland: 16,
    Sacramento: 4,
    'Salt Lake City': 4,
    Seattle: 4,
    Spokane: 4,
  })
  const hosts = (await api('listZoneOverviews', { params })).flatMap((zone) => zone.hosts)
  expect(hosts.filter(({ timeZone }) => timeZone === 'America/Denver')).toHaveLength(8)
  const rollouts = async () => (await api('listRollouts', { params })).rolloutList
  const read = async () => {
    const [inPhases, halted] = (await rollouts()).map(({ id }) => id)
    const phases = await Promise.all(
      [inPhases!, halted!].map(async (id) => (await api('getRollout', { params: { ...params, id } })).phases.map(toFigures)),
    )
    return phases
  }
  const toFigures = ({ state, readers, failed }: { state: string; readers: number; failed: number }) => [state, readers, failed]
  await expect
    .poll(async () => (await rollouts()).map(({ title, state }) => [title, state]), waiting)
    .toEqual([
      ['Wristband, version 3', 'underWay'],
      ['Firmware 3.9.0', 'halted'],
      ['Firmware 2.2.0', 'scheduled'],
      ['Quiet desk, version 1', 'scheduled'],
      ['Firmware 2.0.0', 'scheduled'],
    ])
  await expect.poll(read, waiting).toEqual([
    [
      ['passed', 10, 0],
      ['byHand', 32, 0],
      ['waiting', 49, 0],
    ],
    [
      ['halted', 9, 3],
      ['waiting', 19, 0],
    ],
  ])
  const library = await api('listLibrary', { params })
  expect(library.map(({ name, version }) => [name, version]).toSorted()).toEqual([
    ['Quiet desk', 1],
    ['Wristband', 3],
  ])
  const { days } = await api('getCalendar', { params, query: { from: new Date().toISOString().slice(0, 10) } })
  // Runs of one night are on two days where only one of the time zones has had it.
  expect([...new Set(days.flatMap(({ runs }) => runs.map(({ title }) => title)))]).toEqual([
    'Firmware 2.2.0',
    'Quiet desk, version 1',
    'Firmware 2.0.0',
  ])
})
