import { constants } from 'node:fs'
import { lstat, open, rm } from 'node:fs/promises'
import type { Log } from '../log.ts'
import { flushFolder, writeDurably } from '../state/durable-file.ts'
import { readEnrollment, type StoredEnrollment } from '../state/enrollment.ts'
import { asOwner, checkFolder, type Folder, folderAt, type Owner, refuseForeignWrites, sweepFolder } from '../state/folder.ts'
import { withRemedy } from '../state/folder-remedies.ts'
import { lockFolder } from '../state/lock.ts'
import { checkMachine, type ReadMachineId } from '../state/machine.ts'
import { Stop } from '../stop.ts'

// The enrollment is last: with it the new folder is whole. Contents are downloaded again.
const taken = ['vendorKeys', 'desired', 'journal', 'inProgress', 'given', 'status', 'enrollment'] as const

type Files = Map<(typeof taken)[number], Uint8Array>

/**
 * Takes the enrollment of an earlier state folder into the one of `state`. The earlier folder then has none, so that no second agent goes on
 * with it. Killed in between, the same command ends it. Throws `Stop`.
 */
export async function takeOver(from: string, state: string, readMachineId: ReadMachineId, log: Log): Promise<void> {
  const old = folderAt(from)
  const owner = await findOwner(old)
  const lock = await asOwner(owner, () => withRemedy(old, () => lockFolder(old)))
  try {
    const files = await asOwner(owner, () => withRemedy(old, () => readFiles(old)))
    const enrollment = await asOwner(owner, () => readEnrollment(old))
    if (!enrollment) throw new Stop('notEnrolled', `${old.path} has no enrollment.`)
    checkMachine(enrollment, await readMachineId())
    const { folder, owner: newOwner } = await checkFolder(state)
    await asOwner(newOwner, () => withRemedy(folder, () => putFiles(folder, enrollment, files)))
    await asOwner(owner, () => withRemedy(old, () => retire(old)))
    log.info(`${enrollment.hostName} in the zone ${enrollment.zoneName} goes on in ${folder.path}. ${old.path} is not used any more.`)
  } finally {
    await asOwner(owner, () => lock.release())
  }
}

async function findOwner(folder: Folder): Promise<Owner> {
  const found = await lstat(folder.path).catch(() => null)
  if (!found?.isDirectory()) throw new Stop('usage', `${folder.path} is no folder, or a link to another.`)
  await refuseForeignWrites(folder, found)
  return found
}

async function readFiles(folder: Folder): Promise<Files> {
  const files: Files = new Map()
  for (const name of taken) {
    const content = await readPlainFile(folder[name])
    if (content) files.set(name, content)
  }
  return files
}

/** Null where there is none. A link is refused. */
async function readPlainFile(path: string): Promise<Uint8Array | null> {
  const found = await lstat(path).catch(() => null)
  if (!found) return null
  if (!found.isFile()) throw new Stop('stateFolder', `${path} is no file. Nothing was taken over.`)
  // Windows knows no such flag.
  const handle = await open(path, constants.O_RDONLY | (constants.O_NOFOLLOW ?? 0))
  try {
    return await handle.readFile()
  } finally {
    await handle.close()
  }
}

async function putFiles(folder: Folder, enrollment: StoredEnrollment, files: Files): Promise<void> {
  const lock = await lockFolder(folder)
  try {
    await sweepFolder(folder)
    const present = await readEnrollment(folder)
    // Taken over before: this folder may be ahead of the earlier one.
    if (present?.credential === enrollment.credential) return
    if (present) throw new Stop('usage', `This PC is already enrolled in the zone ${present.zoneName} at ${present.server}.`)
    for (const [name, content] of files) await writeDurably(folder[name], content)
  } finally {
    await lock.release()
  }
}

async function retire(folder: Folder): Promise<void> {
  await rm(folder.enrollment, { force: true })
  await flushFolder(folder.path)
}
