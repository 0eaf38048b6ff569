import { randomUUID } from 'node:crypto'
import { existsSync } from 'node:fs'
import { link, readFile, rename, rm, writeFile } from 'node:fs/promises'
import { Stop } from '../exit-codes.ts'
import type { Folder } from './folder.ts'
import { computeStart } from './process-identity.ts'

interface Holder {
  pid: number
  start: string
  key: string
}

/** Holds a state folder for one agent. */
export interface Lock {
  release(): Promise<void>
}

/** The process number of the agent that works on the folder now, or null. */
export async function runningAgent(folder: Folder): Promise<number | null> {
  const holder = await readHolder(folder.lock)
  return holder && (await lives(holder)) ? holder.pid : null
}

/**
 * Takes the folder for this process. What a killed agent has left behind is taken over: its process is gone, or another one
 * has its number now. Stops where another agent works on the folder.
 */
export async function lockFolder(folder: Folder): Promise<Lock> {
  const mine: Holder = { pid: process.pid, start: (await computeStart(process.pid)) ?? '', key: randomUUID() }
  const draft = `${folder.lock}.${mine.key}`
  await writeFile(draft, JSON.stringify(mine), { mode: 0o600 })
  try {
    for (let attempt = 0; attempt < 20; attempt += 1) {
      // A link either makes the lock with all its content or fails: there is no moment at which the lock is empty.
      if ((await linked(draft, folder.lock)) || (await succeed(folder, draft, mine))) {
        return { release: () => release(folder.lock, mine) }
      }
    }
    throw busy(folder, null)
  } finally {
    await rm(draft, { force: true })
  }
}

/**
 * Takes over from a dead holder. Its successor is whoever makes the file named after it, and only one can; a successor that died before it
 * had replaced the lock has a successor of its own. The lock is replaced before those files go, so a taker who comes late sees that it changed.
 */
async function succeed(folder: Folder, draft: string, mine: Holder): Promise<boolean> {
  const first = await readHolder(folder.lock)
  const files: string[] = []
  let last = first
  for (;;) {
    if (last && (await lives(last))) throw busy(folder, last.pid)
    const file = `${folder.lock}.after-${last?.key ?? 'damaged'}`
    files.push(file)
    if (await linked(draft, file)) break
    last = await readHolder(file)
    if (!last) {
      // Gone meanwhile, or torn by a power cut: either way nobody's.
      await rm(file, { force: true })
      return false
    }
  }
  const own = files.at(-1)!
  if (!existsSync(folder.lock) || (await readHolder(folder.lock))?.key !== first?.key) {
    await rm(own, { force: true })
    return false
  }
  await rename(draft, folder.lock)
  for (const file of files) await rm(file, { force: true })
  return (await readHolder(folder.lock))?.key === mine.key
}

const busy = (folder: Folder, pid: number | null) =>
  new Stop('alreadyRunning', `Another lectern-agent ${pid === null ? '' : `(process ${pid}) `}is already working on ${folder.path}.`)

async function lives(holder: Holder): Promise<boolean> {
  const start = await computeStart(holder.pid)
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

async function linked(draft: string, lock: string): Promise<boolean> {
  try {
    await link(draft, lock)
    return true
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'EEXIST') return false
    throw error
  }
}

async function release(lock: string, mine: Holder): Promise<void> {
  if ((await readHolder(lock))?.key === mine.key) await rm(lock, { force: true })
}
