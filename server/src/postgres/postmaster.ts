import { execFileSync, spawn } from 'node:child_process'
import { closeSync, existsSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { type Account, spawnOptions } from './account.ts'
import type { Binaries } from './binaries.ts'
import { type Folders, giveToOwner } from './folders.ts'

const LARGEST_LOG = 10_000_000

/** No system gives a process this id. */
const NOBODY = 2_147_483_646

/** What PostgreSQL writes about itself into its `postmaster.pid`. */
export interface Postmaster {
  pid: number
  socket: string
  state: 'starting' | 'ready' | 'stopping'
}

/**
 * The server that runs on a data folder, if one does. A file left by a server that is gone, its process id since given
 * to another program, is made harmless: PostgreSQL would refuse to start on it.
 */
export function readPostmaster(data: string): Postmaster | undefined {
  const file = join(data, 'postmaster.pid')
  const lines = readIfThere(file)?.split('\n')
  if (lines === undefined) return undefined
  const pid = Number(lines[0])
  if (isServerFor(pid, data)) {
    const word = lines[7]?.trim() ?? ''
    return { pid, socket: lines[4] ?? '', state: word === 'ready' || word === 'stopping' ? word : 'starting' }
  }
  if (pid !== NOBODY && isAlive(pid)) {
    // Not deleted: the other lines let PostgreSQL find processes of the old server that still hold its memory.
    writeFileSync(file, [NOBODY, ...lines.slice(1)].join('\n'))
  }
  return undefined
}

/** A server that stops takes its file along at any moment. */
function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

/**
 * Starts a server, apart from this process' own group so that Ctrl-C reaches the caller first and the database last.
 * @returns its process id once it takes connections; none when it gave up, with what its log says about it
 */
export async function startPostmaster(
  binaries: Binaries,
  folders: Folders,
  account: Account,
  durable: boolean,
): Promise<{ pid?: number; complaint: string }> {
  const log = openLog(folders.log)
  const logged = fstatSync(log).size
  const server = spawn(join(binaries.folder, 'postgres'), ['-D', folders.data, ...settings(folders, durable)], {
    ...spawnOptions(account),
    detached: true,
    stdio: ['ignore', log, log],
  })
  closeSync(log)
  let failure: Error | undefined
  server.once('error', (error) => {
    failure = error
  })
  server.unref()
  while (server.exitCode === null && server.signalCode === null) {
    if (failure) return { complaint: failure.message }
    const now = readPostmaster(folders.data)
    if (now && now.pid === server.pid && now.state === 'ready') return { pid: now.pid, complaint: '' }
    await pause(10)
  }
  return { complaint: lastWords(folders.log, logged) }
}

/** The sentence the server gave up with, in what it wrote after `from`. */
function lastWords(log: string, from: number): string {
  const lines = readFileSync(log).subarray(from).toString().trimEnd().split('\n')
  return lines.findLast((line) => line.includes('FATAL')) ?? lines.at(-1) ?? ''
}

/** Sized for a machine of two cores and little memory; everything else is PostgreSQL's own default. */
function settings(folders: Folders, durable: boolean): string[] {
  const chosen = {
    cluster_name: 'lectern',
    listen_addresses: '',
    unix_socket_directories: `"${folders.socket}"`,
    unix_socket_permissions: '0700',
    port: '5432',
    shared_buffers: '128MB',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    jit: 'off',
    // Nobody keeps a cluster on a disk whose head has to move.
    random_page_cost: '1.1',
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off' }),
  }
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

/** The server's log, appended to; one old one is kept when it has grown large. */
function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(file, `${file}.old`)
  const log = openSync(file, 'a', 0o600)
  giveToOwner(file)
  return log
}

/** Whether a process is the server of that folder: ids are used again, so only its command line can tell. */
export function isServerFor(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  try {
    if (existsSync('/proc/self/cmdline')) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(data)
  } catch {
    return false
  }
}

/** Whether a process has this id, anybody's. */
export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
