import { mkdir, readdir, rm } from 'node:fs/promises'
import { homedir } from 'node:os'
import { join, resolve } from 'node:path'
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

/** Readable by this account only. Throws `Stop`. */
export async function makeFolder(path: string): Promise<Folder> {
  const folder = folderAt(path)
  await withRemedy(folder, async () => {
    await mkdir(folder.path, { recursive: true, mode: 0o700 })
    await mkdir(folder.contents, { recursive: true, mode: 0o700 })
  })
  return folder
}

/** Deletes files that were left half-written. The caller holds the lock. */
export async function sweepFolder(folder: Folder): Promise<void> {
  const halfWritten = /^(enrolment|enrolling|vendor-keys|desired|status|refusal|begun|given)\.json\.\d+$|^journal\.jsonl\.\d+$/
  for (const name of await readdir(folder.path)) if (halfWritten.test(name)) await rm(join(folder.path, name), { force: true })
}
