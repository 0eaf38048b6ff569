import { existsSync } from 'node:fs'
import { join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { ask, clusterMaker, leave, newWatch, open, openElsewhere, readServerPid } from '../testing/database/clusters.ts'
import { until } from '../testing/until.ts'
import type { Cluster } from './cluster.ts'

const madeCluster = clusterMaker()

/** Opens a cluster and notes what its watch says. */
async function openWatched(dataDir: string) {
  const watch = newWatch()
  return { cluster: await open({ dataDir, watch }), heard: watch.heard }
}

const died = 'PostgreSQL died; it is started again'
const back = expect.stringMatching(/^PostgreSQL responds again, after \d+ ms$/)

const kill = (cluster: Cluster) => process.kill(readServerPid(cluster), 'SIGKILL')

test('a server that another process started and left is started again under the same address', async () => {
  const dataDir = await madeCluster()
  const { child } = await openElsewhere({ dataDir })
  const { cluster, heard } = await openWatched(dataDir)
  await leave(child, 'SIGKILL')
  kill(cluster)
  await until(() => heard.length > 1)
  expect(heard).toEqual([died, back])
  expect(await ask(cluster, 'select 1')).toEqual([[1]])
  await cluster.stop()
  expect(existsSync(join(cluster.folder, 'data/postmaster.pid'))).toBe(false)
})

test('two that watch the same server get one new server between them', async () => {
  const dataDir = await madeCluster()
  const [one, two] = [await openWatched(dataDir), await openWatched(dataDir)]
  kill(one.cluster)
  await until(() => one.heard.length > 1 && two.heard.length > 1)
  expect([one.heard, two.heard]).toEqual([
    [died, back],
    [died, back],
  ])
  await one.cluster.stop()
  expect(await ask(two.cluster, 'select 1')).toEqual([[1]])
})

test('a query that outlives its server does not hold up the next one', async () => {
  const { cluster, heard } = await openWatched(await madeCluster())
  const client = new pg.Client({ connectionString: cluster.url })
  client.on('error', () => {})
  await client.connect()
  onTestFinished(() => client.end())
  await client.query(`set statement_timeout = '1min'`)
  const endless = client.query('do $$ begin loop perform 1; end loop; end $$').catch((error: Error) => error.message)
  await until(async () => (await ask(cluster, `select from pg_stat_activity where query like 'do $$%' and state = 'active'`)).length === 1)
  kill(cluster)
  await until(() => heard.length > 1)
  expect(await endless).toBe('Connection terminated unexpectedly')
})

test('a process of the server that is killed is no death: PostgreSQL recovers by itself', async () => {
  const { cluster, heard } = await openWatched(await madeCluster())
  const server = readServerPid(cluster)
  const client = new pg.Client({ connectionString: cluster.url })
  client.on('error', () => {})
  await client.connect()
  const { rows } = await client.query<{ pid: number }>('select pg_backend_pid() as pid')
  process.kill(rows[0]!.pid, 'SIGKILL')
  await until(() =>
    ask(cluster, 'select 1').then(
      () => true,
      () => false,
    ),
  )
  expect(readServerPid(cluster)).toBe(server)
  expect(heard).toEqual([])
})

test('a wanted stop is no death, and one that comes while the server is started again leaves none', async () => {
  const dataDir = await madeCluster()
  const first = await openWatched(dataDir)
  await first.cluster.stop()
  const { cluster, heard } = await openWatched(dataDir)
  kill(cluster)
  await until(() => heard.length > 0)
  await cluster.stop()
  expect(existsSync(join(cluster.folder, 'data/postmaster.pid'))).toBe(false)
  expect([first.heard, heard]).toEqual([[], [died]])
})
