import { mkdir, readdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
import { Stop } from '../exit-codes.ts'
import { sentence } from '../sentence.ts'

/** Where each thing the agent must not forget is kept. */
export interface Folder {
  readonly path: string
  readonly enrolment: string
  /** The credential of an enrolment that has begun and whose answer has not been kept yet. */
  readonly enrolling: string
  /** The vendor's keys, which licence files are verified with. */
  readonly vendorKeys: string
  readonly desired: string
  readonly journal: string
  readonly begun: string
  readonly status: string
  readonly lock: string
  readonly contents: string
  readonly readers: string
}

/** The folder of the person the agent runs as. */
export function defaultStateFolder(platform = process.platform, environment = process.env): string {
  if (platform === 'win32') return join(environment.LOCALAPPDATA ?? join(homedir(), 'AppData', 'Local'), 'lectern-agent')
  if (platform === 'darwin') return join(homedir(), 'Library', 'Application Support', 'lectern-agent')
  return join(environment.XDG_STATE_HOME || join(homedir(), '.local', 'state'), 'lectern-agent')
}

/** The names in a state folder; nothing is read or made. */
export function folderAt(path: string): Folder {
  const at = (name: string) => join(resolve(path), name)
  return {
    path: resolve(path),
    enrolment: at('enrolment.json'),
    enrolling: at('enrolling.json'),
    vendorKeys: at('vendor-keys.json'),
    desired: at('desired.json'),
    journal: at('journal.jsonl'),
    begun: at('begun.json'),
    status: at('status.json'),
    lock: at('lock'),
    contents: at('contents'),
    readers: at('readers'),
  }
}

/** Makes the state folder where it is missing, for this account only. Stops with a sentence where that is not possible. */
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

/** Takes away what a killed agent has left half-written. Only the holder of the lock may call it. */
export async function sweepFolder(folder: Folder): Promise<void> {
  const halfWritten = /^(enrolment|enrolling|vendor-keys|desired|status|begun)\.json\.\d+$|^journal\.jsonl\.\d+$/
  for (const name of await readdir(folder.path)) if (halfWritten.test(name)) await rm(join(folder.path, name), { force: true })
}
