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

// No system gives a process this id.
const NO_PROCESS = 2_147_483_646

/** How long a server's file is empty at most, until the server has written into it. */
const writingMs = 5_000

export interface Postmaster {
  pid: number
  port: number
  /** The folder of its socket; empty where it listens on loopback. */
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
  if (pid === 0) {
    // The file of a server that is just starting is not ours to write; one that a power cut left stops every start.
    const changed = statSync(file, { throwIfNoEntry: false })?.mtimeMs ?? Date.now()
    if (Date.now() - changed > writingMs) writeFileSync(file, String(NO_PROCESS))
    return undefined
  }
  if (isServerFor(pid, data)) {
    const word = lines[7]?.trim() ?? ''
    return { pid, port: Number(lines[3]), socket: lines[4] ?? '', state: word === 'ready' || word === 'stopping' ? word : 'starting' }
  }
  if (pid !== NO_PROCESS && isAlive(pid)) {
    // Not deleted: the other lines let PostgreSQL find processes of the old server that still hold its memory.
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
  /** On loopback the port that connection strings have already; the first of them is made with any that is free. */
  port?: number
  durable: boolean
}

/**
 * Starts a server, apart from this process' own group so that Ctrl-C reaches the caller first and the database last.
 * @param signal ends the wait for its connections
 * @returns its process id once it takes connections; none when it gave up, with what its log says about it
 */
export async function startPostmaster(
  { binaries, folders, account, listen, port, durable }: Launch,
  signal?: AbortSignal,
): Promise<{ pid?: number; complaint: string }> {
  const program = programIn(binaries.folder, 'postgres')
  const listening = await prepareListening(listen, folders, account, port)
  const args = ['-D', folders.data, ...settings({ cluster_name: folders.name, ...listening }, durable)]
  // Whoever has a connection string already has the password too.
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
 * Gives the cluster's user the password, before any server listens: in PostgreSQL's single-user mode no client can connect.
 * @returns what went wrong, or nothing
 */
async function setPassword(program: string, args: string[], account: Account, password: string): Promise<string> {
  const single = run(program, ['--single', ...args, '-c', 'password_encryption=scram-sha-256', 'postgres'], spawnOptions(account))
  // It may have given up before it reads; its message is of more use than a broken pipe.
  single.child.stdin?.on('error', () => {}).end(`alter role lectern password '${password}'\n`)
  const failure = await single.then(
    ({ stderr }) => (stderr.includes('ERROR: ') ? stderr : ''),
    (error: Error & { stderr: string }) => error.stderr || error.message,
  )
  return lastWords(failure)
}

/** The sentence PostgreSQL gave up with; not one for a client that came too early. */
function lastWords(written: string): string {
  const lines = written.trimEnd().split('\n')
  return lines.findLast((line) => /(ERROR|FATAL|PANIC): {2}(?!the database system is )/.test(line)) ?? lines.at(-1) ?? ''
}

// Sized for a machine of two cores and little memory; everything else is PostgreSQL's own default.
function settings(own: Record<string, string>, durable: boolean): string[] {
  const chosen = {
    ...own,
    shared_buffers: '128MB',
    max_connections: '100',
    timezone: 'UTC',
    log_timezone: 'UTC',
    log_checkpoints: 'off',
    jit: 'off',
    // For a disk without a moving head.
    random_page_cost: '1.1',
    // What a start after a crash reads again at most, to be done within 10 s (FLT-06) on a busy machine too.
    max_wal_size: '256MB',
    // After a crash: one call where otherwise each of a thousand files is synced by itself, which takes seconds on a busy disk.
    ...(process.platform === 'linux' && { recovery_init_sync_method: 'syncfs' }),
    // The tests', whose workers share a cluster.
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
