import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, readFileSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { chooseAccount, spawnOptions } from './account.ts'
import { findBinaries, programIn } from './binaries.ts'
import { chooseFolders, clusterMajor, type Folders, keptFolder, makeFolders, makePrivate } from './folders.ts'
import { defaultListen, formatAddress, type Listen } from './listening.ts'
import { logins, makeLogins } from './logins.ts'
import { registerOpener } from './openers.ts'
import { type Launch, type Postmaster, readPostmaster, startPostmaster } from './postmaster.ts'
import { hasEnded, interrupt, killOrphans } from './processes.ts'
import { type Watch, watchServer } from './watch.ts'

const run = promisify(execFile)

/** Milliseconds. A start may take long: recovery after a power cut reads the whole write-ahead log. */
const PATIENCE = 120_000

const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'
const SHUTTING_DOWN = new Set(['57P01', '57P02', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOENT'])

export interface ClusterOptions {
  dataDir: string
  binaries?: 'system' | 'package' | 'auto'
  /** False: for tests, gives up the data's safety in a power cut for speed. */
  durable?: boolean
  /** How a server that does not run yet is to be reached. One that runs is joined however it listens. */
  listen?: Listen
  /** Starts the server again whenever it dies before `stop()`; absent: it stays dead. */
  watch?: Watch
}

export interface Cluster {
  /** Connection string of the database `lectern` as the owner, for `pg` and libpq alike. */
  url: string
  /** Connection strings with the roles of a server (decision 51). */
  urls: { server: string; crossing: string; identity: string; owner: string }
  binaries: 'system' | 'package'
  major: number
  /** The cluster's folder: `dataDir`, or one under /var/tmp where PostgreSQL's user cannot reach that. */
  folder: string
  adopted: boolean
  /** Gives up the cluster. The last living process to do so stops the server, whoever started it; a killed process counts as gone. */
  stop(): Promise<void>
}

/**
 * Opens the project's own PostgreSQL: creates it when missing, starts it when stopped, joins it when running. Only this machine's user has
 * access: it listens on a Unix socket in a private folder, or on loopback with a password in a private file.
 * @throws Error with a sentence for the operator: no PostgreSQL, another major version's data, a folder out of reach
 */
export async function openCluster(options: ClusterOptions): Promise<Cluster> {
  const { dataDir, binaries: choice = 'auto', durable = true, listen = defaultListen, watch } = options
  const requested = realPath(resolve(dataDir))
  const account = await chooseAccount([requested, keptFolder(requested)].map((folder) => join(folder, 'data')))
  const folders = chooseFolders(requested, account)
  makeFolders(folders, account)
  const unregister = registerOpener(folders.openers)
  try {
    const binaries = await findBinaries({ choice, major: clusterMajor(folders.data), account })
    const launch = { binaries, folders, account, listen, durable }
    if (clusterMajor(folders.data) === undefined) await initialize(launch)
    const { server, adopted, url } = await joinOrStart(launch)
    const unwatch = keepAlive(launch, server, url, watch)
    const stop = stopper(launch, unregister, unwatch)
    const as = (login: string) => url.replace(/(?<=\/\/)lectern(?=[:@])/, login)
    const urls = { server: as(logins.server), crossing: as(logins.crossing), identity: as(logins.identity), owner: url }
    return { url, urls, binaries: binaries.origin, major: binaries.major, folder: folders.folder, adopted, stop }
  } catch (error) {
    unregister()
    throw error
  }
}

/**
 * Watches the server. Of several openers that see it die, one starts it and the others join.
 * @returns a function that ends the watch, and a start that is under way
 */
function keepAlive(first: Launch, { pid, port, socket }: Postmaster, url: string, watch: Watch | undefined): () => Promise<void> {
  if (!watch) return async () => {}
  // The server may have been started by another process, which chose how it listens.
  const launch: Launch = { ...first, listen: socket === '' ? 'loopback' : 'socket', port }
  const stopping = new AbortController()
  const signal = AbortSignal.any([watch.signal, stopping.signal])
  const watching = watchServer(pid, launch.folders.data, { ...watch, signal }, async () => {
    const again = await joinOrStart(launch, signal)
    // The connection string is in use, so the server must come back under the same one.
    if (again.url !== url) throw new Error(`The server of ${launch.folders.folder} listens elsewhere now.`)
    return again.server.pid
  })
  return () => {
    stopping.abort()
    return watching
  }
}

// The path without symbolic links, as far as it exists: one cluster must not be opened under two names.
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path))
}

// Creates the cluster under a temporary name, so that a power cut leaves none, and of two makers one wins.
async function initialize({ binaries, folders, account, durable }: Launch): Promise<void> {
  const making = `${folders.data}.${randomUUID()}`
  const clear = () => {
    rmSync(making, { recursive: true, force: true })
    makePrivate(making, account)
  }
  const fixed = ['-D', making, '-U', 'lectern', '-E', 'UTF8', '--auth=trust', '--data-checksums', ...(durable ? [] : ['--no-sync'])]
  // PostgreSQL has Unicode rules of its own from 17 on. Before, the system's are used; where it has none, plain bytes.
  const builtin = binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  const attempt = (locale: string) =>
    run(programIn(binaries.folder, 'initdb'), [...fixed, `--locale=${locale}`, ...builtin], spawnOptions(account))
  clear()
  await attempt('C.UTF-8').catch(() => {
    clear()
    return attempt('C')
  })
  try {
    renameSync(making, folders.data)
  } catch (error) {
    rmSync(making, { recursive: true, force: true })
    if (clusterMajor(folders.data) === undefined) throw error
  }
}

async function joinOrStart(launch: Launch, signal?: AbortSignal): Promise<{ server: Postmaster; adopted: boolean; url: string }> {
  const { folders, account, port } = launch
  const deadline = Date.now() + PATIENCE
  let started: number | undefined
  while (Date.now() < deadline) {
    signal?.throwIfAborted()
    const server = readPostmaster(folders.data)
    if (server) {
      const url = server.state === 'ready' && (await openDatabase(server, folders))
      if (url) return { server, adopted: server.pid !== started, url }
      await pause(20)
      continue
    }
    killOrphans(folders.name, folders.data, account)
    const attempt = await startPostmaster(launch, signal)
    started = attempt.pid
    if (started !== undefined) continue
    // The start failed as another process was faster, another program took the port, or processes of the last server are still leaving: try
    // again. The log may end with the last words of a server that is stopping.
    const always = 'lock file|shared memory block|system is shut down'
    const passing = new RegExp(port === undefined ? `${always}|TCP/IP sockets` : always)
    if (!passing.test(attempt.complaint)) throw new Error(`PostgreSQL did not start: ${attempt.complaint}`)
    // A random pause, so that two openers do not go on getting in each other's way.
    await pause(50 + 200 * Math.random())
  }
  throw new Error(`PostgreSQL was not ready after ${PATIENCE / 1000} seconds; its log is ${folders.log}.`)
}

/** Creates the cluster's database when missing and returns its connection string; undefined where the server is just stopping. */
async function openDatabase(server: Postmaster, folders: Folders): Promise<string | undefined> {
  const address = formatAddress(server, folders, 'lectern')
  const client = new pg.Client({ connectionString: formatAddress(server, folders, 'postgres'), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(`select from pg_database where datname = 'lectern'`)
    await client.query(makeLogins(server.socket === '' ? readFileSync(folders.password, 'utf8') : undefined))
    if (rowCount === 0) await client.query('create database lectern')
    return address
  } catch (error) {
    const { code = '', message } = error as NodeJS.ErrnoException
    // Another opener created it in the same moment.
    if (code === DUPLICATE_DATABASE || code === UNIQUE_VIOLATION) return address
    if (SHUTTING_DOWN.has(code) || message.startsWith('Connection terminated')) return undefined
    throw error
  } finally {
    await client.end()
  }
}

function stopper({ binaries, folders }: Launch, unregister: () => boolean, unwatch: () => Promise<void>): () => Promise<void> {
  const send = () => {
    const server = unregister() ? readPostmaster(folders.data) : undefined
    if (server) interrupt(server.pid, binaries)
    return server?.pid
  }
  const stop = async () => {
    await unwatch()
    process.off('exit', send)
    const server = send()
    const deadline = Date.now() + PATIENCE
    while (server !== undefined && !hasEnded(server, folders.data)) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL did not stop in ${PATIENCE / 1000} seconds; its log is ${folders.log}.`)
      await pause(10)
    }
  }
  // Also for a process that ends without stop(). Only a killed one leaves the server for the next to adopt.
  process.once('exit', send)
  let stopped: Promise<void> | undefined
  return () => {
    stopped ??= stop()
    return stopped
  }
}
