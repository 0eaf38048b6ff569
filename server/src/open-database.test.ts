import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { appendFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test, vi } from 'vitest'
import { parseSettings } from './lib/settings.ts'
import { openDatabase } from './open-database.ts'
import { clusterMaker, newWatch, readServerPid } from './testing/database/clusters.ts'
import { startServer, type TestServer } from './testing/server.ts'
import { until } from './testing/until.ts'

const madeCluster = clusterMaker()

/** Each kill takes a second or two under the test's load. `LECTERN_POSTGRES_KILLS=20 npm test -- open-database` makes more. */
const kills = Number(process.env.LECTERN_POSTGRES_KILLS ?? 4)
/** What FLT-06 grants. */
const answersWithinMs = 10_000

async function startOnOwnCluster() {
  const dataDir = dirname(await madeCluster())
  const watch = newWatch()
  const database = await openDatabase(parseSettings({ DATA_DIR: dataDir }), watch)
  onTestFinished(database.release)
  const server = await startServer({ databaseUrl: database.urls.owner!, environment: { RATE_LIMIT: '1000000' } })
  onTestFinished(server.stop)
  return { server, heard: watch.heard, postmaster: () => readServerPid({ folder: join(dataDir, 'postgres') }) }
}

/** Makes and lists zones over and over until `end`. */
async function startLoad(server: TestServer) {
  const { organization, manager } = await server.zone()
  const params = { organizationId: organization.id }
  const statuses = new Set<number>()
  const acknowledged: string[] = []
  let ending = false
  const repeat = async (work: (round: number) => Promise<number>) => {
    for (let round = 0; !ending; round += 1) statuses.add(await work(round))
  }
  const write = (name: string) => async (round: number) => {
    const location = `${name} ${round}`
    const { status } = await manager.call('createZone', { params: { ...params, location } })
    if (status === 200) acknowledged.push(location)
    return status
  }
  const read = async () => (await manager.call('listZones', { params })).status
  const running = Promise.all([repeat(write('North')), repeat(write('South')), repeat(read)])
  const end = () => {
    ending = true
    return running
  }
  return { statuses, acknowledged, end }
}

test('[FLT-06 FLT-07] a PostgreSQL that is killed under load answers again each time, with every zone that was acknowledged', {
  timeout: 60_000 + kills * answersWithinMs,
}, async () => {
  const { server, heard, postmaster } = await startOnOwnCluster()
  const host = await server.host(await server.zone())
  const events = await server.fetch('/api/agent/events', { headers: { authorization: `Bearer ${host.credential}` } })
  const { statuses, acknowledged, end } = await startLoad(server)
  const times: number[] = []
  for (let kill = 1; kill <= kills; kill += 1) {
    const before = acknowledged.length
    await until(() => acknowledged.length > before)
    process.kill(postmaster(), 'SIGKILL')
    const died = performance.now()
    const answers = async () => heard.length === 2 * kill && (await server.call('getReadiness')).status === 200
    await vi.waitUntil(answers, { timeout: answersWithinMs, interval: 10 })
    times.push(Math.round(performance.now() - died))
  }
  await end()
  times.sort((a, b) => a - b)
  console.log(`${kills} kills: median ${times[Math.floor(kills / 2)]} ms, longest ${times.at(-1)} ms until it answered again`)

  const { rows } = await sql<{ name: string }>`select name from zone`.execute(server.app.db)
  expect(acknowledged.filter((name) => !rows.some((row) => row.name === name))).toEqual([])
  expect(statuses).toContain(503)
  expect([...statuses].filter((status) => ![200, 503].includes(status))).toEqual([])
  // The first event has the id 0, and so has the first one whenever the server listens again.
  let said = ''
  for await (const text of events.body!.pipeThrough(new TextDecoderStream())) {
    said += text
    if (said.split('id: 0').length > 2) break
  }
})

test('[FLT-06] the server ends with the reason when PostgreSQL does not start three times running', async () => {
  const dataDir = dirname(await madeCluster())
  const settings = {
    DATA_DIR: dataDir,
    PORT: '0',
    DEMO: 'off',
    LOG_LEVEL: 'warn',
    DATABASE_URL: '',
    CROSSING_DATABASE_URL: '',
    IDENTITY_DATABASE_URL: '',
    MIGRATION_DATABASE_URL: '',
  }
  const child = spawn(process.execPath, [join(import.meta.dirname, 'main.ts')], { env: { ...process.env, ...settings } })
  onTestFinished(() => void child.kill('SIGKILL'))
  const printed = { stdout: '', stderr: '' }
  child.stdout.on('data', (chunk) => (printed.stdout += chunk))
  child.stderr.on('data', (chunk) => (printed.stderr += chunk))
  const ended = once(child, 'exit')
  while (!printed.stdout.includes('Lectern is ready')) await once(child.stdout, 'data')
  const folder = join(dataDir, 'postgres')
  appendFileSync(join(folder, 'data/postgresql.conf'), 'no such setting\n')
  process.kill(readServerPid({ folder }), 'SIGKILL')
  expect(await ended).toEqual([1, null])
  const reason = `PostgreSQL did not start: .*configuration file "${folder}/data/postgresql.conf" contains errors`
  expect(printed.stderr).toMatch(
    new RegExp(`^Lectern stops.\nPostgreSQL died and did not start again, three times running.\n${reason}$`, 'm'),
  )
  expect(printed.stdout).toMatch(/"level":60.*three times running/)
})
