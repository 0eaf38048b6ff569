import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Account } from './account.ts'
import { type Binaries, programIn } from './binaries.ts'

// Linux has its processes as files: cheaper than a program, and in every container.
const onLinux = existsSync('/proc/self/cmdline')
const onWindows = process.platform === 'win32'

export function isAlive(pid: number): boolean {
  try {
    process.kill(pid, 0)
    return true
  } catch (error) {
    return (error as NodeJS.ErrnoException).code === 'EPERM'
  }
}

/**
 * Whether a process is the server of that folder: ids are used again, so its command line decides; on Windows,
 * where that takes long to find out, its name has to do.
 * @throws Error when it cannot be read for now, as with too many open files
 */
export function isServerFor(pid: number, data: string): boolean {
  if (!isAlive(pid)) return false
  try {
    if (onLinux) return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0').includes(data)
    if (onWindows)
      return execFileSync('tasklist', ['/FI', `PID eq ${pid}`, '/FO', 'CSV', '/NH'], { encoding: 'utf8' }).includes('postgres.exe')
    return execFileSync('ps', ['-o', 'args=', '-p', String(pid)], { encoding: 'utf8' }).includes(data)
  } catch (error) {
    const { code, status } = error as { code?: string; status?: number }
    if (code === 'ENOENT' || code === 'ESRCH' || status === 1) return false
    throw error
  }
}

/**
 * Whether the server of that folder, seen alive a moment ago, has ended. Cheap enough to ask all the time. On Linux a
 * process that ended and whose parent does not wait for it (in a container without an init) still has its id, but no command line.
 */
export function hasEnded(pid: number, data: string): boolean {
  try {
    return onLinux ? !isServerFor(pid, data) : !isAlive(pid)
  } catch {
    return false
  }
}

/** Stops a server without waiting for its clients. Windows has no signals; PostgreSQL brings a program that acts for them. */
export function interrupt(pid: number, binaries: Binaries): void {
  if (onWindows) execFileSync(programIn(binaries.folder, 'pg_ctl'), ['kill', 'INT', String(pid)], { windowsHide: true })
  else process.kill(pid, 'SIGINT')
}

/**
 * Kills what a killed server left behind: processes that finish a query first and hold the shared memory until then, on
 * which no new server starts. Like a crash of the machine it loses nothing that was committed. A process whose parent
 * is a server is no orphan: another opener has just started that one.
 * @param name the cluster's name, with which PostgreSQL's processes begin their titles
 */
export function killOrphans(name: string, data: string, { uid }: Account): void {
  for (const { pid, parent, owner } of processesTitled(`postgres: ${name}: `)) {
    if (owner !== uid || isServerFor(parent, data)) continue
    try {
      process.kill(pid, 'SIGKILL')
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'ESRCH') throw error
    }
  }
}

interface Process {
  pid: number
  parent: number
  owner: number
}

function processesTitled(title: string): Process[] {
  if (onWindows) return []
  if (onLinux) return readdirSync('/proc').flatMap((name) => (/^\d+$/.test(name) ? (readProcess(name, title) ?? []) : []))
  const lines = execFileSync('ps', ['-axo', 'pid=,ppid=,uid=,args='], { encoding: 'utf8', maxBuffer: 2 ** 26 }).split('\n')
  return lines.flatMap((line) => {
    const [, pid, parent, owner, args] = /^\s*(\d+)\s+(\d+)\s+(\d+)\s(.*)$/.exec(line) ?? []
    return args?.startsWith(title) ? { pid: Number(pid), parent: Number(parent), owner: Number(owner) } : []
  })
}

function readProcess(pid: string, title: string): Process | undefined {
  try {
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').startsWith(title)) return undefined
    const status = readFileSync(`/proc/${pid}/status`, 'utf8')
    return { pid: Number(pid), parent: Number(/^PPid:\t(\d+)/m.exec(status)?.[1]), owner: Number(/^Uid:\t(\d+)/m.exec(status)?.[1]) }
  } catch {
    // It has ended since, or belongs to a user whose processes are hidden.
    return undefined
  }
}
