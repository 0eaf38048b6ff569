import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, readFile, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Server } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { flushFolder } from './durable-file.ts'

/** Milliseconds without a byte after which a download is given up, to be resumed. */
const longestSilence = 30_000

/** All bytes arrived, and they are not what the hash says. */
export class DamagedContent extends Error {}

/** The server answered, and the answer ended too early. What arrived is kept. */
export class CutOff extends Unavailable {}

/** Downloaded contents, by SHA-256. A file without the ending `.part` is complete and has been verified. */
export interface Contents {
  /** The bytes, verified once more as they are read; null where they are not here (any more). */
  load(hash: string): Promise<Uint8Array | null>
  /**
   * Makes the content be here, resuming what an earlier attempt has left.
   * Throws `DamagedContent` (what arrived is discarded), `Unavailable` or `Refusal`.
   */
  download(hash: string, size: number, signal: AbortSignal): Promise<{ received: number }>
  has(hash: string): Promise<boolean>
  /** Deletes all others. */
  keepOnly(hashes: ReadonlySet<string>): Promise<void>
}

const sha256 = (bytes: Uint8Array) => createHash('sha256').update(bytes).digest('hex')

export function contentsIn(folder: string, server: Server): Contents {
  const complete = (hash: string) => join(folder, hash)
  const partial = (hash: string) => join(folder, `${hash}.part`)
  const sizeOf = async (file: string) => (await stat(file).catch(() => null))?.size ?? 0

  /** Appends the missing bytes to the partial file; resolves with how many arrived. */
  async function fetchRest(hash: string, size: number, signal: AbortSignal): Promise<number> {
    const have = await sizeOf(partial(hash))
    if (have === size && size > 0) return 0
    if (have > size) await rm(partial(hash), { force: true })
    const from = have < size ? have : 0
    const silence = new AbortController()
    let timer = setTimeout(() => silence.abort(), longestSilence)
    // A content's ETag is its hash, so what is here is always a part of what is there.
    const headers: Record<string, string> = from > 0 ? { range: `bytes=${from}-`, 'if-range': `"${hash}"` } : {}
    let received = 0
    try {
      const answer = await server.open(
        'downloadContent',
        { params: { hash } },
        { headers, signal: AbortSignal.any([signal, silence.signal]) },
      )
      const resumes = answer.status === 206 && answer.headers.get('content-range')?.startsWith(`bytes ${from}-`)
      if (answer.status === 416 || (answer.status === 206 && !resumes)) {
        await rm(partial(hash), { force: true })
        throw new Unavailable('The server could not continue the download; it starts again.')
      }
      const file = await open(partial(hash), resumes ? 'a' : 'w', 0o600)
      try {
        for await (const bytes of answer.body ?? []) {
          clearTimeout(timer)
          timer = setTimeout(() => silence.abort(), longestSilence)
          await file.appendFile(bytes)
          received += bytes.length
          if ((resumes ? from : 0) + received > size) break
        }
        await file.sync()
      } finally {
        await file.close()
      }
    } catch (error) {
      if (error instanceof Refusal || error instanceof Unavailable) throw error
      throw new CutOff(`The download was cut off after ${await sizeOf(partial(hash))} of ${size} bytes.`, null, error)
    } finally {
      clearTimeout(timer)
    }
    return received
  }

  return {
    async load(hash) {
      const bytes = await readFile(complete(hash)).catch((error: NodeJS.ErrnoException) => {
        if (error.code === 'ENOENT') return null
        throw error
      })
      if (!bytes || sha256(bytes) === hash) return bytes
      await rm(complete(hash), { force: true })
      return null
    },

    async download(hash, size, signal) {
      const received = await fetchRest(hash, size, signal)
      const have = await sizeOf(partial(hash))
      if (have < size) throw new CutOff(`The download was cut off after ${have} of ${size} bytes.`)
      const digest = createHash('sha256')
      for await (const bytes of createReadStream(partial(hash))) digest.update(bytes)
      if (digest.digest('hex') !== hash) {
        await rm(partial(hash), { force: true })
        throw new DamagedContent('What arrived is not what was published: its SHA-256 differs.')
      }
      await rename(partial(hash), complete(hash))
      await flushFolder(folder)
      return { received }
    },

    has: async (hash) => (await stat(complete(hash)).catch(() => null)) !== null,

    async keepOnly(hashes) {
      for (const name of await readdir(folder)) if (!hashes.has(name.replace(/\.part$/, ''))) await rm(join(folder, name), { force: true })
    },
  }
}
