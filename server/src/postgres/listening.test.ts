import { spawn } from 'node:child_process'
import { existsSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import pg from 'pg'
import { expect, onTestFinished, test } from 'vitest'
import { parseSettings } from '../lib/settings.ts'
import { openDatabase } from '../open-database.ts'
import { ask, clusterMaker, findSocket, leave, newWatch, open, openElsewhere, readServerPid } from '../testing/database/clusters.ts'
import { until } from '../testing/until.ts'
import type { Cluster } from './cluster.ts'

const madeCluster = clusterMaker()

/** Tries to connect with a part of a connection string. Returns the refusal; undefined where there is none. */
async function refusal(url: URL): Promise<string | undefined> {
  const client = new pg.Client({ connectionString: url.href })
  client.on('error', () => {})
  return client.connect().then(
    () => client.end().then(() => undefined),
    (error: NodeJS.ErrnoException) => error.code ?? error.message,
  )
}

const changed = ({ url }: Pick<Cluster, 'url'>, change: (url: URL) => void): URL => {
  const other = new URL(url)
  change(other)
  return other
}

test('[FRE-03] a setting has the database listen on 127.0.0.1 alone, with a password made for it', async () => {
  const dataDir = dirname(await madeCluster())
  const database = await openDatabase(parseSettings({ DATA_DIR: dataDir, EMBEDDED_DATABASE: 'loopback' }))
  onTestFinished(database.release)
  const folder = join(dataDir, 'postgres')
  const { owner, server, crossing } = database.urls
  expect(new URL(owner!)).toMatchObject({ hostname: '127.0.0.1', password: expect.stringMatching(/^[\w-]{43}$/) })
  for (const url of [owner!, server, crossing]) {
    expect(await refusal(new URL(url))).toBeUndefined()
    expect(await refusal(changed({ url }, (address) => (address.password = '')))).toMatch(/password must be/)
  }
  expect(await refusal(changed({ url: server }, (url) => (url.password = 'wrong')))).toBe('28P01')
  // On Linux all of 127.0.0.0/8 is this machine.
  const elsewhere = process.platform === 'linux' ? '127.0.0.2' : '[::1]'
  expect(await refusal(changed({ url: server }, (url) => (url.hostname = elsewhere)))).toBe('ECONNREFUSED')
  expect(statSync(join(folder, 'password')).mode & 0o777).toBe(0o600)
  expect(readdirSync(folder, { recursive: true }).filter((name) => String(name).includes('PGSQL'))).toEqual([])
})

test('[FRE-03] data made for a socket opens on loopback, and the other way round', async () => {
  const dataDir = await madeCluster()
  const socket = await open({ dataDir })
  await ask(socket, `create table kept as select 'here' as word`)
  await socket.stop()
  const loopback = await open({ dataDir, listen: 'loopback' })
  expect(await ask(loopback, 'select word, host(inet_server_addr()) from kept')).toEqual([['here', '127.0.0.1']])
  expect(await refusal(changed(loopback, (url) => (url.password = 'wrong')))).toBe('28P01')
  await loopback.stop()
  const again = await open({ dataDir, listen: 'socket' })
  expect(await ask(again, `select word, inet_server_addr(), current_setting('listen_addresses') from kept`)).toEqual([['here', null, '']])
})

test('[FRE-03] whoever comes later joins a server the way it listens, and starts it again so', async () => {
  const dataDir = await madeCluster()
  const [one, two] = await Promise.all([openElsewhere({ dataDir, listen: 'loopback' }), open({ dataDir, listen: 'loopback' })])
  expect(one.cluster.url).toBe(two.url)
  const watch = newWatch()
  expect(await open({ dataDir, listen: 'socket', watch })).toMatchObject({ adopted: true, url: two.url })
  process.kill(readServerPid(two), 'SIGKILL')
  await until(() => watch.heard.length > 1)
  expect(await ask(two, 'select 1')).toEqual([[1]])
})

test('[FRE-03] killed on loopback it comes back at the same address, for everybody who watches it, time after time', async () => {
  const dataDir = await madeCluster()
  const [watch, other] = [newWatch(), newWatch()]
  const cluster = await open({ dataDir, listen: 'loopback', watch })
  await open({ dataDir, listen: 'loopback', watch: other })
  for (let kill = 1; kill <= 3; kill += 1) {
    process.kill(readServerPid(cluster), 'SIGKILL')
    await until(() => watch.heard.length === 2 * kill && other.heard.length === 2 * kill)
    expect(await ask(cluster, 'select 1')).toEqual([[1]])
  }
})

test('a program that has the process id of a killed server is not taken for it at its socket', async () => {
  const dataDir = await madeCluster()
  const { cluster, child } = await openElsewhere({ dataDir })
  process.kill(readServerPid(cluster), 'SIGKILL')
  await leave(child, 'SIGKILL')
  const { uid, gid } = statSync(join(dataDir, 'data'))
  const program = spawn('sleep', ['60'], process.getuid?.() === 0 ? { uid, gid } : {})
  onTestFinished(() => void program.kill())
  const lock = join(findSocket(cluster), '.s.PGSQL.5432.lock')
  expect(existsSync(lock)).toBe(true)
  rmSync(lock)
  writeFileSync(lock, `${program.pid}\n`)
  expect(await ask(await open({ dataDir }), 'select 1')).toEqual([[1]])
})
