import { execFileSync } from 'node:child_process'
import { existsSync, readdirSync, readFileSync } from 'node:fs'
import type { Account } from './account.ts'
import { type Binaries, programIn } from './binaries.ts'

// Linux shows processes as files: cheaper than starting a program, and there in every container.
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
 * Whether a process is the server of that folder. Ids are used again, so its command line decides; on Windows, where reading that takes
 * long, its name.
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
 * Whether the server of that folder, which was alive a moment ago, has ended. Cheap enough to ask all the time. On Linux an ended process
 * whose parent does not wait for it (in a container without an init) keeps its id, but has no command line.
 */
export function hasEnded(pid: number, data: string): boolean {
  try {
    return onLinux ? !isServerFor(pid, data) : !isAlive(pid)
  } catch {
    return false
  }
}

/** Stops a server without waiting for its clients. Windows has no signals; a program of PostgreSQL stops it there. */
export function interrupt(pid: number, binaries: Binaries): void {
  if (onWindows) execFileSync(programIn(binaries.folder, 'pg_ctl'), ['kill', 'INT', String(pid)], { windowsHide: true })
  else process.kill(pid, 'SIGINT')
}

/**
 * Kills what a killed server left behind: processes that first finish a query and hold the shared memory until then, so that no new server
 * can start. As after a crash of the machine, nothing committed is lost. A process with a server as its parent is no orphan: another opener
 * has just started it.
 * @param name the cluster's name, with which titles of PostgreSQL's processes begin
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
    // The process has ended since, or belongs to a user whose processes are hidden.
    return undefined
  }
}
