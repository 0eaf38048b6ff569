import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { connect, createServer, type Server } from 'node:net'
import { promisify } from 'node:util'
import type { Log } from '../log.ts'
import { Stop } from '../stop.ts'
import { pause } from '../wakeup.ts'
import type { Folder } from './folder.ts'

interface Holder {
  pid: number
  // '' where it is not known. `byPipe`: the process holds a pipe.
  start: string
  // The system's start of which the process is. '' where it is not known; absent in locks of older agents.
  boot?: string
  key: string
}

/** The pipe that an agent holds while it lives; null where the start of its process is known. */
type PipeOf = ((key: string) => string) | null

const byPipe = 'pipe'
// Milliseconds. A held pipe may be busy.
const pipeMilliseconds = 2000

// Windows shows only to administrators when a process of another account began.
const pipeHere: PipeOf = process.platform === 'win32' ? (key) => `\\\\.\\pipe\\lectern-agent-${key}` : null

export interface Lock {
  release(): Promise<void>
}

export async function runningAgent(folder: Folder, pipeOf = pipeHere): Promise<number | null> {
  const holder = await readHolder(folder.lock)
  return holder && (await isRunning(holder, pipeOf)) ? holder.pid : null
}

/** Takes over from a process that is gone. Throws `Stop` where another agent runs. */
export async function lockFolder(folder: Folder, pipeOf = pipeHere): Promise<Lock> {
  const key = randomUUID()
  const pipe = pipeOf && (await holdPipe(pipeOf(key)))
  const own: Holder = { pid: process.pid, start: pipe ? byPipe : ((await readStartTime(process.pid)) ?? ''), boot: await readBoot(), key }
  const draft = `${folder.lock}.${own.key}`
  let isLocked = false
  try {
    await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
    for (let attempt = 0; attempt < 20 && !isLocked; attempt += 1) {
      // A link appears with its whole content, so the lock is never empty.
      isLocked = (await tryLink(draft, folder.lock)) || (await takeOver(folder, draft, own, pipeOf))
    }
    if (!isLocked) throw alreadyRunning(folder, null)
  } finally {
    await rm(draft, { force: true })
    if (!isLocked) pipe?.close()
  }
  return {
    async release() {
      await release(folder.lock, own)
      pipe?.close()
    },
  }
}

/**
 * Of several processes that find a dead holder, only one can link the file named after the holder's key; it is the successor. One that dies
 * in between gets a successor in the same way. The files are deleted after the lock is replaced, so a late process sees a changed lock.
 */
async function takeOver(folder: Folder, draft: string, own: Holder, pipeOf: PipeOf): Promise<boolean> {
  const first = await readHolder(folder.lock)
  const files: string[] = []
  let last = first
  for (;;) {
    if (last && (await isRunning(last, pipeOf))) throw alreadyRunning(folder, last.pid)
    const file = `${folder.lock}.after-${last?.key ?? 'damaged'}`
    files.push(file)
    if (await tryLink(draft, file)) break
    last = await readHolder(file)
    if (!last) {
      // Another process has deleted it, or a power cut tore it.
      await rm(file, { force: true })
      return false
    }
  }
  const successor = files.at(-1)!
  if (!existsSync(folder.lock) || (await readHolder(folder.lock))?.key !== first?.key) {
    await rm(successor, { force: true })
    return false
  }
  await rename(draft, folder.lock)
  for (const file of files) await rm(file, { force: true })
  return (await readHolder(folder.lock))?.key === own.key
}

// Milliseconds. An agent that is ending lets its readers finish for 15 s.
const endsWithin = 20_000

/**
 * Does the work once no other agent holds its folder: one that is ending, or that enrolls, takes a moment. Throws `Stop` where one goes on.
 */
export async function whenFree(work: () => Promise<void>, log: Log, signal: AbortSignal): Promise<void> {
  const limit = Date.now() + endsWithin
  for (let attempt = 1; ; attempt += 1) {
    try {
      return await work()
    } catch (error) {
      const isBusy = error instanceof Stop && error.reason === 'alreadyRunning'
      if (!isBusy || Date.now() > limit || signal.aborted) throw error
      if (attempt === 1) log.warn(`${error.message} Waiting for it to end.`)
      await pause(250, signal)
    }
  }
}

const alreadyRunning = (folder: Folder, pid: number | null) =>
  new Stop('alreadyRunning', `Another lectern-agent ${pid === null ? '' : `(process ${pid}) `}already uses ${folder.path}.`)

async function isRunning(holder: Holder, pipeOf: PipeOf): Promise<boolean> {
  if (pipeOf && holder.start === byPipe) return isHeld(pipeOf(holder.key))
  // Where the start of another account's process is hidden, only this shows that its number is used again.
  const boot = await readBoot()
  if (boot !== '' && holder.boot && holder.boot !== boot) return false
  const start = await readStartTime(holder.pid)
  return start !== null && (start === '' || holder.start === '' || start === holder.start)
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    const holder = JSON.parse(await readFile(file, 'utf8')) as Holder
    // The key becomes part of a path.
    return Number.isInteger(holder.pid) && /^[\w-]{1,64}$/.test(holder.key) ? holder : null
  } catch {
    return null
  }
}

async function tryLink(draft: string, lock: string): Promise<boolean> {
  try {
    await link(draft, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function release(lock: string, own: Holder): Promise<void> {
  if ((await readHolder(lock))?.key === own.key) await rm(lock, { force: true })
}

// Null where the system refuses it.
function holdPipe(path: string): Promise<Server | null> {
  return new Promise((resolve) => {
    const server = createServer((asking) => asking.on('error', () => {}).destroy())
    server.on('error', () => resolve(null))
    server.listen(path, () => resolve(server.unref()))
  })
}

// The system takes the pipe back from a process that ends in any way.
function isHeld(path: string): Promise<boolean> {
  return new Promise((resolve) => {
    const asking = connect(path)
    const answer = (isHeld: boolean) => {
      asking.destroy()
      resolve(isHeld)
    }
    asking.setTimeout(pipeMilliseconds, () => answer(true))
    asking.on('connect', () => answer(true))
    // ECONNREFUSED: only a left socket, on systems without pipes.
    asking.on('error', ({ code }: NodeJS.ErrnoException) => answer(code !== 'ENOENT' && code !== 'ECONNREFUSED'))
  })
}

/** '' on systems that have none. */
async function readBoot(): Promise<string> {
  const boot = await readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => '')
  return boot.trim()
}

/** Differs between processes with the same id. Null where there is no such process; '' where the system does not say. */
async function readStartTime(pid: number): Promise<string | null> {
  if (!exists(pid)) return null
  if (process.platform === 'linux') {
    const [stat, boot] = await Promise.all([readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null), readBoot()])
    if (stat === null) return exists(pid) ? '' : null
    // Field 2, in brackets, may contain anything. Field 3 is the state, field 22 the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : `${boot} ${fields[19]}`
  }
  if (process.platform === 'win32') return ''
  const { stdout } = await promisify(execFile)('ps', ['-o', 'lstart=', '-p', String(pid)]).catch(() => ({ stdout: '' }))
  return stdout.trim()
}

function exists(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    // EPERM: a process of another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
