import { createHash } from 'node:crypto'
import { createReadStream } from 'node:fs'
import { open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import type { Server } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { flushFolder } from './durable-file.ts'

/**
 * Bytes that are asked for at once. What is under way when a connection is cut or this program killed is lost, and that is at most one piece, however
 * much a network in between would have taken.
 */
const pieceBytes = 64 * 1024

/** Milliseconds without a byte after which a download is given up, to be resumed. */
const longestSilence = 30_000

/** All bytes arrived, and they are not what the hash says. */
export class DamagedContent extends Error {}

/** The server answered, and the answer ended too early. What arrived is kept. */
export class CutOff extends Unavailable {}

/** A content that is here and is what its hash says. */
export interface Content {
  /** Bytes. */
  size: number
  /** The bytes from the first on; can be asked for again. */
  open(): AsyncIterable<Uint8Array>
}

/** Downloaded contents, by SHA-256. A file without the ending `.part` is complete and has been verified. */
export interface Contents {
  /** The content, verified anew when its file is not as it was when it was verified last; null where it is not here (any more). */
  open(hash: string): Promise<Content | null>
  /**
   * Makes the content be here, resuming what an earlier attempt has left. Throws `DamagedContent` (what arrived is discarded), `Unavailable` or `Refusal`.
   * @param progress told the bytes that are here so far.
   */
  download(hash: string, size: number, signal: AbortSignal, progress?: (have: number) => void): Promise<{ received: number }>
  has(hash: string): Promise<boolean>
  /** Deletes all others. */
  keepOnly(hashes: ReadonlySet<string>): Promise<void>
}

async function sha256(file: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const bytes of createReadStream(file, { highWaterMark: 1024 * 1024 })) digest.update(bytes)
  return digest.digest('hex')
}

export function contentsIn(folder: string, server: Server): Contents {
  const complete = (hash: string) => join(folder, hash)
  const partial = (hash: string) => join(folder, `${hash}.part`)
  /** How files looked when they were verified. */
  const verified = new Map<string, string>()
  const looks = ({ size, mtimeMs, ino }: { size: number; mtimeMs: number; ino: number }) => `${size} ${mtimeMs} ${ino}`
  const measureChoices = async (file: string) => (await stat(file).catch(() => null))?.size ?? 0

  /** Asks for the next piece. A content's ETag is its hash, so what is here is always a part of what is there. */
  async function askFor(hash: string, from: number, signal: AbortSignal): Promise<{ answer: Response; isWhole: boolean }> {
    const headers = { range: `bytes=${from}-${from + pieceBytes - 1}`, 'if-range': `"${hash}"` }
    const answer = await server.open('downloadContent', { params: { hash } }, { headers, signal })
    if (answer.status === 200) return { answer, isWhole: true }
    if (answer.status === 206 && answer.headers.get('content-range')?.startsWith(`bytes ${from}-`)) return { answer, isWhole: false }
    await rm(partial(hash), { force: true })
    throw new Unavailable('The server could not continue the download; it starts again.')
  }

  /** Appends the missing bytes to the partial file; resolves with how many arrived. */
  async function fetchRest(hash: string, size: number, signal: AbortSignal, progress: (have: number) => void): Promise<number> {
    let have = await measureChoices(partial(hash))
    if (have > size) await rm(partial(hash), { force: true })
    if (have > size) have = 0
    let received = 0
    const silence = new AbortController()
    const file = await open(partial(hash), 'a', 0o600)
    const timer = setTimeout(() => silence.abort(), longestSilence)
    try {
      while (have < size) {
        const { answer, isWhole } = await askFor(hash, have, AbortSignal.any([signal, silence.signal]))
        const before = received
        if (isWhole) {
          await file.truncate(0)
          have = 0
        }
        for await (const bytes of answer.body ?? []) {
          timer.refresh()
          await file.appendFile(bytes)
          received += bytes.length
          have += bytes.length
          if (have > size) break
          progress(have)
        }
        if (received === before) break
      }
      await file.sync()
    } catch (error) {
      if (error instanceof Refusal || error instanceof Unavailable) throw error
      throw new CutOff(`The download was cut off after ${await measureChoices(partial(hash))} of ${size} bytes.`, null, error)
    } finally {
      clearTimeout(timer)
      await file.close()
    }
    return received
  }

  return {
    async open(hash) {
      const file = complete(hash)
      const found = await stat(file).catch(() => null)
      if (!found) return null
      if (verified.get(hash) !== looks(found)) {
        if ((await sha256(file)) !== hash) {
          await rm(file, { force: true })
          return null
        }
        verified.set(hash, looks(found))
      }
      return { size: found.size, open: () => createReadStream(file, { highWaterMark: 256 * 1024 }) }
    },

    async download(hash, size, signal, progress = () => {}) {
      const received = await fetchRest(hash, size, signal, progress)
      const have = await measureChoices(partial(hash))
      if (have < size) throw new CutOff(`The download was cut off after ${have} of ${size} bytes.`)
      if ((await sha256(partial(hash))) !== hash) {
        await rm(partial(hash), { force: true })
        throw new DamagedContent('What arrived is not what was published: its SHA-256 differs.')
      }
      await rename(partial(hash), complete(hash))
      await flushFolder(folder)
      verified.set(hash, looks(await stat(complete(hash))))
      return { received }
    },

    has: async (hash) => (await stat(complete(hash)).catch(() => null)) !== null,

    async keepOnly(hashes) {
      for (const name of await readdir(folder)) if (!hashes.has(name.replace(/\.part$/, ''))) await rm(join(folder, name), { force: true })
    },
  }
}
