import { execFile } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { promisify } from 'node:util'
import { Stop } from '../exit-codes.ts'
import type { Folder } from './folder.ts'

interface Holder {
  pid: number
  start: string
  key: string
}

export interface Lock {
  release(): Promise<void>
}

export async function runningAgent(folder: Folder): Promise<number | null> {
  const holder = await readHolder(folder.lock)
  return holder && (await isRunning(holder)) ? holder.pid : null
}

/** Takes over from a process that is gone. Throws `Stop` where another agent runs. */
export async function lockFolder(folder: Folder): Promise<Lock> {
  const own: Holder = { pid: process.pid, start: (await readStartTime(process.pid)) ?? '', key: randomUUID() }
  const draft = `${folder.lock}.${own.key}`
  await writeFile(draft, JSON.stringify(own), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      // A link has its whole content at once: the lock is never empty.
      if ((await tryLink(draft, folder.lock)) || (await takeOver(folder, draft, own))) {
        return { release: () => release(folder.lock, own) }
      }
    }
    throw alreadyRunning(folder, null)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * One process can link the file named after a dead holder's key: its successor. One that dies in between gets a successor in the same way.
 * The files are deleted after the lock is replaced, so a late process sees a changed lock.
 */
async function takeOver(folder: Folder, draft: string, own: Holder): Promise<boolean> {
  const first = await readHolder(folder.lock)
  const files: string[] = []
  let last = first
  for (;;) {
    if (last && (await isRunning(last))) throw alreadyRunning(folder, last.pid)
    const file = `${folder.lock}.after-${last?.key ?? 'damaged'}`
    files.push(file)
    if (await tryLink(draft, file)) break
    last = await readHolder(file)
    if (!last) {
      // Another process deleted it, or a power cut tore it.
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

const alreadyRunning = (folder: Folder, pid: number | null) =>
  new Stop('alreadyRunning', `Another lectern-agent ${pid === null ? '' : `(process ${pid}) `}already uses ${folder.path}.`)

async function isRunning(holder: Holder): Promise<boolean> {
  const start = await readStartTime(holder.pid)
  return start !== null && (start === '' || holder.start === '' || start === holder.start)
}

async function readHolder(file: string): Promise<Holder | null> {
  try {
    const holder = JSON.parse(await readFile(file, 'utf8')) as Holder
    return Number.isInteger(holder.pid) ? holder : null
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

/** Differs between processes of one number. Null: no such process; '': the system does not say. */
async function readStartTime(pid: number): Promise<string | null> {
  if (!exists(pid)) return null
  if (process.platform === 'linux') {
    const [stat, boot] = await Promise.all([
      readFile(`/proc/${pid}/stat`, 'utf8').catch(() => null),
      readFile('/proc/sys/kernel/random/boot_id', 'utf8').catch(() => ''),
    ])
    if (stat === null) return exists(pid) ? '' : null
    // Field 2, in brackets, may hold anything. Field 3 is the state, 22 the start time.
    const fields = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
    return fields[0] === 'Z' ? null : `${boot.trim()} ${fields[19]}`
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
    // EPERM: the process of another account.
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}
