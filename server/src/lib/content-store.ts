import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { copyFile, link, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { formatFileSize } from '@lectern/contract/text/file-size.ts'
import { Problem } from './http/problem.ts'
import { giveBackSpent } from './spent-buffers.ts'

/**
 * A complete upload that is not stored yet. `hash`: its SHA-256 in hexadecimal. `size`: bytes. `store` may be called again, as by a
 * transaction that is retried. `discard` leaves what was stored.
 */
export interface ReceivedFile {
  name: string
  hash: string
  size: number
  read(): Promise<Buffer>
  store(): Promise<void>
  discard(): Promise<void>
}

/** Published bytes, addressed by their SHA-256, never changed. */
export interface ContentStore {
  /** Throws a Problem 413 above `maxBytes`, 507 on a full disk; then nothing of the stream remains. */
  receive(source: AsyncIterable<Buffer>, name: string, maxBytes: number): Promise<ReceivedFile>
  size(hash: string): Promise<number | null>
  /** `start` and `end` are inclusive. */
  read(hash: string, range?: { start: number; end: number }): Readable
  list(): Promise<string[]>
  remove(hash: string): Promise<void>
  removeAbandoned(): Promise<void>
}

// A file that was not written to for so long was left by a killed process. A younger one may belong to another server that uses this
// folder.
const abandonedAfterMs = 15 * 60 * 1000

export async function openContentStore(folder: string): Promise<ContentStore> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  const toPath = (hash: string) => join(folder, hash.slice(0, 2), hash)

  const receive: ContentStore['receive'] = async (source, name, maxBytes) => {
    const path = join(incoming, randomUUID())
    const digest = createHash('sha256')
    let size = 0
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of source) {
        size += chunk.length
        if (size > maxBytes) throw new Problem(413, `The file is larger than ${formatFileSize(maxBytes)}.`)
        digest.update(chunk)
        await file.writeFile(chunk)
        giveBackSpent(chunk.length)
      }
      await file.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw isDiskFull(error) ? noSpace(error) : error
    } finally {
      await file.close()
    }
    const hash = digest.digest('hex')
    return {
      name,
      hash,
      size,
      read: async () => Buffer.concat(await createReadStream(path).toArray()),
      store: async () => {
        const parent = join(folder, hash.slice(0, 2))
        await mkdir(parent, { recursive: true, mode: 0o700 })
        await putBeside(path, toPath(hash))
        await syncFolder(parent)
      },
      discard: () => rm(path, { force: true }),
    }
  }

  return {
    receive,
    size: (hash) =>
      stat(toPath(hash)).then(
        ({ size }) => size,
        () => null,
      ),
    read: (hash, range) => Readable.from(readChunks(toPath(hash), range), { objectMode: false }),
    list: async () => (await readdir(folder, { recursive: true })).map((path) => basename(path)).filter((name) => isHash.test(name)),
    remove: (hash) => rm(toPath(hash), { force: true }),
    removeAbandoned: () => removeAbandoned(incoming),
  }
}

async function* readChunks(path: string, range?: { start: number; end: number }): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, range)) {
    yield chunk
    giveBackSpent(chunk.length)
  }
}

const isHash = /^[0-9a-f]{64}$/

const isDiskFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException | null)?.code ?? '')

const noSpace = (cause: unknown): Problem =>
  new Problem(507, 'The server has no space left for this file. Nothing was saved. Contact the administrator of the server.', { cause })

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true })
  }
}

// Leaves the file where it is too, for a transaction that is retried.
async function putBeside(path: string, target: string): Promise<void> {
  const error: NodeJS.ErrnoException | undefined = await link(path, target).catch((reason) => reason)
  if (!error || error.code === 'EEXIST') return
  // For file systems without hard links.
  const copy = `${path}-copy`
  await copyFile(path, copy)
  await rename(copy, target)
}

// A rename survives a power cut only once its folder is synced too.
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
