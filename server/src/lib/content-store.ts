import { createHash, randomUUID } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { basename, join } from 'node:path'
import { Readable } from 'node:stream'
import { Problem } from './http/problem.ts'
import { giveBackSpent } from './spent-buffers.ts'

/** A file as it came in: complete, hashed, not yet kept. A second `keep`, and `discard` after `keep`, do nothing. */
export interface ReceivedFile {
  name: string
  /** SHA-256, hexadecimal. */
  hash: string
  /** Bytes. */
  size: number
  read(): Promise<Buffer>
  keep(): Promise<void>
  discard(): Promise<void>
}

/** Where published bytes live: addressed by their SHA-256, stored once, never changed. */
export interface ContentStore {
  /** Streams `source` in. Throws a Problem 413 above `maxBytes`, 507 on a full disk; nothing of a refused or broken stream stays. */
  receive(source: AsyncIterable<Buffer>, name: string, maxBytes: number): Promise<ReceivedFile>
  /** Size in bytes, or null where there is no such content. */
  size(hash: string): Promise<number | null>
  /** The bytes from `start` to `end`, both inclusive. */
  read(hash: string, range?: { start: number; end: number }): Readable
  /** The hashes of all contents. */
  list(): Promise<string[]>
  /** Removes a content. One that is not there is no mistake; who reads it at this moment may read on. */
  remove(hash: string): Promise<void>
}

/** What lies half received for this long was left by a process that was killed; replicas may share the folder. */
const abandonedAfterMs = 60 * 60 * 1000

/** A content store in a folder. */
export async function openContentStore(folder: string): Promise<ContentStore> {
  const incoming = join(folder, 'incoming')
  await mkdir(incoming, { recursive: true, mode: 0o700 })
  await removeAbandoned(incoming)
  const place = (hash: string) => join(folder, hash.slice(0, 2), hash)

  const receive: ContentStore['receive'] = async (source, name, maxBytes) => {
    const path = join(incoming, randomUUID())
    const digest = createHash('sha256')
    let size = 0
    const file = await open(path, 'wx', 0o600)
    try {
      for await (const chunk of source) {
        size += chunk.length
        if (size > maxBytes) throw new Problem(413, `The file is larger than ${maxBytes} bytes.`)
        digest.update(chunk)
        await file.writeFile(chunk)
        giveBackSpent(chunk.length)
      }
      await file.sync()
    } catch (error) {
      await rm(path, { force: true })
      throw isFull(error) ? noSpace(error) : error
    } finally {
      await file.close()
    }
    const hash = digest.digest('hex')
    let kept = false
    return {
      name,
      hash,
      size,
      read: async () => Buffer.concat(await createReadStream(path).toArray()),
      keep: async () => {
        if (kept) return
        await mkdir(join(folder, hash.slice(0, 2)), { recursive: true, mode: 0o700 })
        await rename(path, place(hash))
        kept = true
        await syncFolder(join(folder, hash.slice(0, 2)))
      },
      discard: () => rm(path, { force: true }),
    }
  }

  return {
    receive,
    size: (hash) =>
      stat(place(hash)).then(
        ({ size }) => size,
        () => null,
      ),
    read: (hash, range) => Readable.from(readChunks(place(hash), range), { objectMode: false }),
    list: async () => (await readdir(folder, { recursive: true })).map((path) => basename(path)).filter((name) => isHash.test(name)),
    remove: (hash) => rm(place(hash), { force: true }),
  }
}

async function* readChunks(path: string, range?: { start: number; end: number }): AsyncGenerator<Buffer> {
  for await (const chunk of createReadStream(path, range)) {
    yield chunk
    giveBackSpent(chunk.length)
  }
}

const isHash = /^[0-9a-f]{64}$/

/** The disk is full, the quota used up, or the file larger than this file system takes. */
const isFull = (error: unknown): boolean => ['ENOSPC', 'EDQUOT', 'EFBIG'].includes((error as NodeJS.ErrnoException | null)?.code ?? '')

const noSpace = (cause: unknown): Problem =>
  new Problem(507, 'The server has no space left for this file. Nothing of it was kept. Tell whoever runs the server.', { cause })

async function removeAbandoned(incoming: string): Promise<void> {
  for (const name of await readdir(incoming)) {
    const path = join(incoming, name)
    const { mtimeMs } = await stat(path).catch(() => ({ mtimeMs: Number.POSITIVE_INFINITY }))
    if (Date.now() - mtimeMs > abandonedAfterMs) await rm(path, { force: true })
  }
}

/** A rename survives a power cut only once its folder was written too. */
async function syncFolder(folder: string): Promise<void> {
  const handle = await open(folder, 'r')
  try {
    await handle.sync()
  } finally {
    await handle.close()
  }
}
