import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync, realpathSync, renameSync, rmSync } from 'node:fs'
import { basename, dirname, join, resolve } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import pg from 'pg'
import { type Account, chooseAccount, spawnOptions } from './account.ts'
import { type Binaries, findBinaries } from './binaries.ts'
import { chooseFolders, clusterMajor, type Folders, keptFolder, makeFolders, makePrivate } from './folders.ts'
import { registerOpener } from './openers.ts'
import { isServerFor, type Postmaster, readPostmaster, startPostmaster } from './postmaster.ts'

const run = promisify(execFile)

/** How long a start may take: recovery after a power cut reads the whole write-ahead log. */
const PATIENCE = 120_000

const DUPLICATE_DATABASE = '42P04'
const UNIQUE_VIOLATION = '23505'
const SHUTTING_DOWN = new Set(['57P01', '57P03', 'ECONNREFUSED', 'ECONNRESET', 'ENOENT'])

export interface ClusterOptions {
  /** A folder of the cluster's own; made when missing. */
  dataDir: string
  /** Whose PostgreSQL programs to use; `auto` takes the system's when it has them. */
  binaries?: 'system' | 'package' | 'auto'
  /** False trades the data's safety in a power cut for speed: for tests. */
  durable?: boolean
}

export interface Cluster {
  /** Connection string of its database `lectern`, for `pg` and libpq alike. */
  url: string
  binaries: 'system' | 'package'
  major: number
  /** Where it lives: `dataDir`, or a folder under /var/tmp when PostgreSQL's user cannot reach that. */
  folder: string
  /** True when a server was found running. */
  adopted: boolean
  /**
   * Lets go of the cluster. The last living process to do so stops the server, whoever started it; a killed process
   * counts as gone.
   */
  stop(): Promise<void>
}

/**
 * Opens the project's own PostgreSQL: makes it when missing, starts it when stopped, joins it when running. Only this
 * machine's user gets in: it listens on a Unix socket in a private folder and nowhere else.
 * @throws Error with a sentence for the operator: no PostgreSQL, another major version's data, a folder out of reach
 */
export async function openCluster({ dataDir, binaries: choice = 'auto', durable = true }: ClusterOptions): Promise<Cluster> {
  const wanted = realPath(resolve(dataDir))
  const account = await chooseAccount([wanted, keptFolder(wanted)].map((folder) => join(folder, 'data')))
  const folders = chooseFolders(wanted, account)
  makeFolders(folders, account)
  const unregister = registerOpener(folders.openers)
  try {
    const binaries = await findBinaries({ choice, major: clusterMajor(folders.data), account })
    if (clusterMajor(folders.data) === undefined) await initialize(binaries, folders, account, durable)
    const { server, adopted, url } = await joinOrStart(binaries, folders, account, durable)
    const stop = stopper(folders, server.pid, unregister)
    return { url, binaries: binaries.origin, major: binaries.major, folder: folders.folder, adopted, stop }
  } catch (error) {
    unregister()
    throw error
  }
}

/** The path without symbolic links, as far as it exists: one cluster must not be opened under two names. */
function realPath(path: string): string {
  return existsSync(path) ? realpathSync(path) : join(realPath(dirname(path)), basename(path))
}

/** Makes the cluster under a name of its own, so that a power cut leaves none, and of two makers one wins. */
async function initialize(binaries: Binaries, folders: Folders, account: Account, durable: boolean): Promise<void> {
  const making = `${folders.data}.${randomUUID()}`
  const clear = () => {
    rmSync(making, { recursive: true, force: true })
    makePrivate(making, account)
  }
  const fixed = ['-D', making, '-U', 'lectern', '-E', 'UTF8', '--auth=trust', '--data-checksums', ...(durable ? [] : ['--no-sync'])]
  // From 17 on PostgreSQL brings its own Unicode rules; before, the system's, and where it has none, plain bytes.
  const builtin = binaries.major >= 17 ? ['--locale-provider=builtin', '--builtin-locale=C.UTF-8'] : []
  const attempt = (locale: string) => run(`${binaries.folder}/initdb`, [...fixed, `--locale=${locale}`, ...builtin], spawnOptions(account))
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

async function joinOrStart(
  binaries: Binaries,
  folders: Folders,
  account: Account,
  durable: boolean,
): Promise<{ server: Postmaster; adopted: boolean; url: string }> {
  const deadline = Date.now() + PATIENCE
  let started: number | undefined
  while (Date.now() < deadline) {
    const server = readPostmaster(folders.data)
    if (server) {
      const url = server.state === 'ready' && (await openDatabase(server.socket))
      if (url) return { server, adopted: server.pid !== started, url }
      await pause(20)
      continue
    }
    const attempt = await startPostmaster(binaries, folders, account, durable)
    started = attempt.pid
    // Another process was faster, or the last server's processes have not all left: look again.
    const passing = /lock file|shared memory block/.test(attempt.complaint)
    if (started === undefined && !passing) throw new Error(`PostgreSQL did not start: ${attempt.complaint}`)
  }
  throw new Error(`PostgreSQL was not ready after ${PATIENCE / 1000} seconds; its log is ${folders.log}.`)
}

/**
 * Answers the connection string of the cluster's database, which it makes when missing; undefined where the server has
 * just begun to stop.
 */
async function openDatabase(socket: string): Promise<string | undefined> {
  const address = (database: string) => `postgresql://lectern@/${database}?host=${encodeURIComponent(socket)}`
  const client = new pg.Client({ connectionString: address('postgres'), connectionTimeoutMillis: 10_000 })
  client.on('error', () => {})
  try {
    await client.connect()
    const { rowCount } = await client.query(`select from pg_database where datname = 'lectern'`)
    if (rowCount === 0) await client.query('create database lectern')
    return address('lectern')
  } catch (error) {
    const code = (error as NodeJS.ErrnoException).code ?? ''
    // The other of two openers made it in between.
    if (code === DUPLICATE_DATABASE || code === UNIQUE_VIOLATION) return address('lectern')
    if (SHUTTING_DOWN.has(code)) return undefined
    throw error
  } finally {
    await client.end()
  }
}

function stopper(folders: Folders, server: number, unregister: () => boolean): () => Promise<void> {
  const send = () => {
    if (!unregister() || !isServerFor(server, folders.data)) return false
    process.kill(server, 'SIGINT')
    return true
  }
  // A process that ends without stop() counts as well; only a killed one leaves the server for the next to adopt.
  process.once('exit', send)
  return async () => {
    if (!process.listeners('exit').includes(send)) return
    process.off('exit', send)
    if (!send()) return
    const deadline = Date.now() + PATIENCE
    while (isServerFor(server, folders.data)) {
      if (Date.now() > deadline) throw new Error(`PostgreSQL did not stop in ${PATIENCE / 1000} seconds; its log is ${folders.log}.`)
      await pause(10)
    }
  }
}
