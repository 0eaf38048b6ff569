import { execFile, spawn } from 'node:child_process'
import { closeSync, fstatSync, openSync, readFileSync, renameSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { promisify } from 'node:util'
import { type Account, spawnOptions } from './account.ts'
import { type Binaries, programIn } from './binaries.ts'
import { type Folders, giveToOwner } from './folders.ts'
import { type Listen, prepareListening } from './listening.ts'
import { isAlive, isServerFor } from './processes.ts'

const run = promisify(execFile)

const LARGEST_LOG = 10_000_000

// A process id that no system gives.
const NO_PROCESS = 2_147_483_646

/** Milliseconds for which the file of a server that starts may be empty. */
const writingMs = 5_000

export interface Postmaster {
  pid: number
  port: number
  /** The folder of its socket; empty where the server listens on loopback. */
  socket: string
  state: 'starting' | 'ready' | 'stopping'
}

/**
 * Reads which server runs on a data folder; undefined where none does. A file that a dead server left, while another program has its
 * process id now, is made harmless: PostgreSQL would refuse to start on it.
 */
export function readPostmaster(data: string): Postmaster | undefined {
  const file = join(data, 'postmaster.pid')
  const lines = readIfThere(file)?.split('\n')
  if (lines === undefined) return undefined
  const pid = Number(lines[0])
  if (pid === 0) {
    // The file of a server that is just starting must not be written. An empty file that a power cut left, though, stops every start.
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - changed > writingMs) writeFileSync(file, String(NO_PROCESS))
    return undefined
  }
  if (isServerFor(pid, data)) {
    const word = lines[7]?.trim() ?? ''
    return { pid, port: Number(lines[3]), socket: lines[4] ?? '', state: word === 'ready' || word === 'stopping' ? word : 'starting' }
  }
  if (pid !== NO_PROCESS && isAlive(pid)) {
    // The file is kept: by its other lines PostgreSQL finds processes of the old server that still hold its memory.
    writeFileSync(file, [NO_PROCESS, ...lines.slice(1)].join('\n'))
  }
  return undefined
}

function readIfThere(file: string): string | undefined {
  try {
    return readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return undefined
    throw error
  }
}

export interface Launch {
  binaries: Binaries
  folders: Folders
  account: Account
  listen: Listen
  /** The port on loopback that connection strings have already. The first start takes any free one. */
  port?: number
  durable: boolean
}

/**
 * Starts a server in a process group of its own, so that Ctrl-C reaches the caller first and the database last.
 * @param signal ends the wait for its connections
 * @returns its process id once it takes connections; where it gave up, none, and what its log says
 */
export async function startPostmaster(
  { binaries, folders, account, listen, port, durable }: Launch,
  signal?: AbortSignal,
): Promise<{ pid?: number; complaint: string }> {
  const program = programIn(binaries.folder, 'postgres')
  const listening = await prepareListening(listen, folders, account, port)
  const args = ['-D', folders.data, ...settings({ cluster_name: folders.name, ...listening }, durable)]
  // A connection string that exists already has the password.
  if (listen === 'loopback' && port === undefined) {
    const complaint = await setPassword(program, args, account, readFileSync(folders.password, 'utf8'))
    if (complaint !== '') return { complaint }
  }
  const log = openLog(folders.log)
  const logged = fstatSync(log).size
  const server = spawn(program, args, {
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
    if (now && now.pid === server.pid && (now.state === 'ready' || signal?.aborted)) return { pid: now.pid, complaint: '' }
    await pause(10)
  }
  return { complaint: lastWords(readFileSync(folders.log).subarray(logged).toString()) }
}

/**
 * Sets the password of the cluster's user in PostgreSQL's single-user mode, before any client can connect.
 * @returns what went wrong; undefined where nothing did
 */
async function setPassword(program: string, args: string[], account: Account, password: string): Promise<string> {
  const single = run(program, ['--single', ...args, '-c', 'password_encryption=scram-sha-256', 'postgres'], spawnOptions(account))
  // Where the program gave up before it read, its message says more than a broken pipe.
  single.child.stdin?.on('error', () => {}).end(`alter role lectern password '${password}'\n`)
  const failure = await single.then(
    ({ stderr }) => (stderr.includes('ERROR: ') ? stderr : ''),
    (error: Error & { stderr: string }) => error.stderr || error.message,
  )
  return lastWords(failure)
}

/** The sentence with which PostgreSQL gave up, and not one about a client that came too early. */
function lastWords(written: string): string {
  const lines = written.trimEnd().split('\n')
  return lines.findLast((line) => /(ERROR|FATAL|PANIC): {2}(?!the database system is )/.test(line)) ?? lines.at(-1) ?? ''
}

// Sized for two cores and little memory. All other settings are PostgreSQL's defaults.
function settings(own: Record<string, string>, durable: boolean): string[] {
  const chosen = {
    ...own,
    shared_buffers: '128MB',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    jit: 'off',
    // For disks without a moving head.
    random_page_cost: '1.1',
    // Bounds what a start after a crash reads again: it must end within 10 s (FLT-06), on a busy machine too.
    max_wal_size: '256MB',
    // After a crash, syncs all files with one call. Syncing a thousand files one by one takes seconds on a busy disk.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    // For tests, whose workers share a cluster.
    ...(!durable && { fsync: 'off', synchronous_commit: 'off', full_page_writes: 'off', max_connections: '200' }),
  }
  return Object.entries(chosen).flatMap(([name, value]) => ['-c', `${name}=${value}`])
}

function openLog(file: string): number {
  if ((statSync(file, { throwIfNoEntry: false })?.size ?? 0) > LARGEST_LOG) renameSync(file, `${file}.old`)
  const log = openSync(file, 'a', 0o600)
  giveToOwner(file)
  return log
}
