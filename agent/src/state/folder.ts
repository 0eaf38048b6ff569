import { mkdir, readdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Stop } from '../exit-codes.ts'
import { sentence } from '../sentence.ts'

export interface Folder {
  readonly path: string
  readonly enrollment: string
  readonly enrolling: string
  readonly vendorKeys: string
  readonly desired: string
  readonly journal: string
  readonly inProgress: string
  readonly status: string
  readonly lock: string
  readonly contents: string
  readonly readers: string
}

export function defaultStateFolder(platform = process.platform, environment = process.env): string {
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'lectern-agent')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'lectern-agent')
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'lectern-agent')
}

export function folderAt(path: string): Folder {
  const at = (name: string) => join(resolve(path), name)
  // Names of the first version, so that every version opens the folders of all before.
  return {
    path: resolve(path),
    enrollment: at('enrolment.json'),
    enrolling: at('enrolling.json'),
    vendorKeys: at('vendor-keys.json'),
    desired: at('desired.json'),
    journal: at('journal.jsonl'),
    inProgress: at('begun.json'),
    status: at('status.json'),
    lock: at('lock'),
    contents: at('contents'),
    readers: at('readers'),
  }
}

/** For this account only. Throws `Stop`. */
export async function makeFolder(path: string): Promise<Folder> {
  const folder = folderAt(path)
  try {
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    await mkdir(folder.contents, { recursive: true, mode: 0o700 })
  } catch (error) {
    throw new Stop('usage', `The state folder ${folder.path} cannot be used: ${sentence(error)}`, error)
  }
  return folder
}

/** Deletes what was left half-written. The caller holds the lock. */
export async function sweepFolder(folder: Folder): Promise<void> {
  const halfWritten = /^(enrolment|enrolling|vendor-keys|desired|status|begun)\.json\.\d+$|^journal\.jsonl\.\d+$/
  for (const name of await readdir(folder.path)) if (halfWritten.test(name)) await rm(join(folder.path, name), { force: true })
}
