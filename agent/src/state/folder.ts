import { mkdir, readdir, rm, stat } from 'node:fs/promises'
import { homedir } from 'node:os'
import { dirname, join, resolve } from 'node:path'
import { Stop } from '../stop.ts'
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

/** Where the Debian package puts the program, and its state. */
const installedProgram = '/usr/lib/lectern-agent'
export const installedState = '/var/lib/lectern-agent'

export function defaultStateFolder(platform = process.platform, environment = process.env, program = process.execPath): string {
  if (dirname(program) === installedProgram) return installedState
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'lectern-agent')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'lectern-agent')
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'lectern-agent')
}

export function folderAt(path: string): Folder {
  const files = Object.entries(fileNames).map(([file, name]) => [file, join(resolve(path), name)])
  return { path: resolve(path), ...Object.fromEntries(files) }
}

/**
 * An administrator works in a service's folder as that service: it could not read the administrator's files. Its groups, such as that of
 * serial ports, are taken too.
 */
function becomeOwner({ uid, gid }: { uid: number; gid: number }): void {
  if (process.geteuid?.() !== 0 || uid === 0) return
  process.initgroups!(uid, gid)
  process.setgid!(gid)
  process.setuid!(uid)
}

/** Readable by this account only. Throws `Stop`, also where others may write to it. */
export async function makeFolder(path: string): Promise<Folder> {
  const folder = folderAt(path)
  await withRemedy(folder, async () => {
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    const found = await stat(folder.path)
    // Windows has access lists in place of modes.
    if (process.platform !== 'win32' && (found.mode & 0o022) !== 0)
      throw new Stop('stateFolder', `Others may write to ${folder.path}. Take that from them first: chmod go-w ${folder.path}`)
    becomeOwner(found)
    await mkdir(folder.contents, { recursive: true, mode: 0o700 })
  })
  return folder
}

/** Deletes files that were left half-written. The caller holds the lock. */
export async function sweepFolder(folder: Folder): Promise<void> {
  const halfWritten = /^(enrolment|enrolling|vendor-keys|desired|status|refusal|begun|given)\.json\.\d+$|^journal\.jsonl\.\d+$/
  for (const name of await readdir(folder.path)) if (halfWritten.test(name)) await rm(join(folder.path, name), { force: true })
}
