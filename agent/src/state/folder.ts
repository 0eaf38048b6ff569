import type { Stats } from 'node:fs'
import { lstat, mkdir, readdir, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { exitCodes } from '@lectern/contract/exit-codes.ts'
import { findInstalled } from '../installed.ts'
import { Stop } from '../stop.ts'
import { askService } from '../windows-service.ts'
import { withRemedy } from './folder-remedies.ts'

/** The names of the first version, so that every version opens the folders of earlier ones. */
export const fileNames = {
  enrollment: 'enrolment.json',
  enrolling: 'enrolling.json',
  vendorKeys: 'vendor-keys.json',
  desired: 'desired.json',
  journal: 'journal.jsonl',
  inProgress: 'begun.json',
  given: 'given.json',
  status: 'status.json',
  refusal: 'refusal.json',
  lock: 'lock',
  contents: 'contents',
  readers: 'readers',
} as const

declare global {
  namespace NodeJS {
    interface Process {
      /** Missing in Node's types. */
      initgroups?(user: number, extraGroup: number): void
    }
  }
}

/** Paths. */
export interface Folder extends Readonly<Record<keyof typeof fileNames, string>> {
  readonly path: string
}

export function defaultStateFolder(platform = process.platform, environment = process.env): string {
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'lectern-agent')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'lectern-agent')
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'lectern-agent')
}

export function folderAt(path: string): Folder {
  const files = Object.entries(fileNames).map(([file, name]) => [file, join(resolve(path), name)])
  return { path: resolve(path), ...Object.fromEntries(files) }
}

export interface Owner {
  uid: number
  gid: number
}

const isRootFor = ({ uid }: Owner): boolean => process.geteuid?.() === 0 && uid !== 0

/**
 * An administrator works in a service's folder as that service: it could not read the administrator's files. Its groups, such as that of
 * serial ports, are taken too.
 */
function becomeOwner(owner: Owner): void {
  if (!isRootFor(owner)) return
  const { uid, gid } = owner
  process.initgroups!(uid, gid)
  process.setgid!(gid)
  process.setuid!(uid)
}

/**
 * Null where there is none. Throws `Stop` for a symbolic link of another account than this one, root and the owner of the folder: that account
 * would choose whose folder is used.
 */
async function findFolder({ path }: Folder): Promise<Stats | null> {
  const link = await lstat(path).catch((error: NodeJS.ErrnoException) => {
    if (error.code === 'ENOENT') return null
    throw error
  })
  if (!link?.isSymbolicLink()) return link
  const found = await stat(path)
  if (![0, process.geteuid?.() ?? 0, found.uid].includes(link.uid))
    throw new Stop('stateFolder', `${path} is a symbolic link of another account. Name the folder itself with --state.`)
  return found
}

/**
 * For commands that make no folder. Nothing in it is read before the agent is its owner: root would follow the owner's links to files that
 * only root may read. Throws `Stop`.
 */
export async function openFolder(path: string): Promise<Folder> {
  const folder = folderAt(path)
  await withRemedy(folder, async () => {
    const found = await findFolder(folder)
    if (found) becomeOwner(found)
  })
  return folder
}

/** As `becomeOwner`, for one work: a link in the owner's folder leads only where the owner may go. */
export async function asOwner<T>(owner: Owner, work: () => Promise<T>): Promise<T> {
  if (!isRootFor(owner)) return await work()
  const groups = process.getgroups!()
  process.setgroups!([owner.gid])
  process.setegid!(owner.gid)
  process.seteuid!(owner.uid)
  try {
    return await work()
  } finally {
    process.seteuid!(0)
    process.setegid!(0)
    process.setgroups!(groups)
  }
}

async function checkAccessList(path: string): Promise<void> {
  const answer = await askService('check-folder', path)
  if (!answer && findInstalled()) throw new Stop('service', 'lectern-agent-service.exe is missing. Install the agent again.')
  if (answer && answer.code !== exitCodes.ok.code) throw new Stop('stateFolder', answer.text)
}

/** Makes it where it is missing, readable by this account only. Throws `Stop` where others may write to it. */
export async function checkFolder(path: string): Promise<{ folder: Folder; owner: Owner }> {
  const folder = folderAt(path)
  const owner = await withRemedy(folder, async () => {
    await findFolder(folder)
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    return await stat(folder.path)
  })
  await refuseForeignWrites(folder, owner)
  return { folder, owner }
}

/** Throws `Stop` where others may write to it. */
export async function refuseForeignWrites({ path }: Folder, { mode }: Stats): Promise<void> {
  // Windows has access lists in place of modes, which the program of its service reads.
  if (process.platform === 'win32') await checkAccessList(path)
  else if ((mode & 0o022) !== 0) throw new Stop('stateFolder', `Others may write to ${path}. Take that from them first: chmod go-w ${path}`)
}

/** As `checkFolder`, for a program that works only there. */
export async function makeFolder(path: string): Promise<Folder> {
  const { folder, owner } = await checkFolder(path)
  becomeOwner(owner)
  await withRemedy(folder, () => mkdir(folder.contents, { recursive: true, mode: 0o700 }))
  return folder
}

/** Deletes files that were left half-written. The caller holds the lock. */
export async function sweepFolder(folder: Folder): Promise<void> {
  const halfWritten = /^(enrolment|enrolling|vendor-keys|desired|status|refusal|begun|given)\.json\.\d+$|^journal\.jsonl\.\d+$/
  for (const name of await readdir(folder.path)) if (halfWritten.test(name)) await rm(join(folder.path, name), { force: true })
}
