import { createHash } from 'node:crypto'
import { createReadStream, type Stats } from 'node:fs'
import { type FileHandle, open, readdir, rename, rm, stat } from 'node:fs/promises'
import type { IncomingMessage } from 'node:http'
import { join } from 'node:path'
import type { Server } from '../server/client.ts'
import { Refusal, Unavailable } from '../server/errors.ts'
import { flushFolder } from './durable-file.ts'

/** The most bytes that a lost connection or a kill costs (decision 25). */
const pieceBytes = 64 * 1024

const longestSilence = 30_000

export class DamagedContent extends Error {}

/** What has arrived is kept. */
export class CutOff extends Unavailable {}

export interface Content {
  size: number
  /** From the first byte, at each call. */
  open(): AsyncIterable<Uint8Array>
}

async function sha256(file: string): Promise<string> {
  const digest = createHash('sha256')
  for await (const bytes of createReadStream(file, { highWaterMark: 1024 * 1024 })) digest.update(bytes)
  return digest.digest('hex')
}

const sizeInBytes = async (file: string) => (await stat(file).catch(() => null))?.size ?? 0
const fingerprint = ({ size, mtimeMs, ino }: Stats) => `${size} ${mtimeMs} ${ino}`

/** Contents by SHA-256. A file without `.part` is complete and verified. */
export class Contents {
  readonly #folder: string
  readonly #server: Server
  readonly #verified = new Map<string, string>()

  constructor(folder: string, server: Server) {
    this.#folder = folder
    this.#server = server
  }

  /** Null where it is not complete. A changed file is verified again. */
  async open(hash: string): Promise<Content | null> {
    const file = this.#complete(hash)
    const found = await stat(file).catch(() => null)
    if (!found) return null
    if (this.#verified.get(hash) !== fingerprint(found)) {
      if ((await sha256(file)) !== hash) {
        await rm(file, { force: true })
        return null
      }
      this.#verified.set(hash, fingerprint(found))
    }
    return { size: found.size, open: () => createReadStream(file, { highWaterMark: 256 * 1024 }) }
  }

  /**
   * Continues what an earlier attempt left. Throws `DamagedContent`, `Unavailable` or `Refusal`.
   * @param progress called with the number of bytes on this PC
   * @returns the bytes of this call
   */
  async download(hash: string, size: number, signal: AbortSignal, progress: (have: number) => void = () => {}): Promise<number> {
    const received = await this.#fetchRest(hash, size, signal, progress)
    const part = this.#partial(hash)
    const have = await sizeInBytes(part)
    if (have < size) throw new CutOff(`The download was cut off after ${have} of ${size} bytes.`)
    if ((await sha256(part)) !== hash) {
      await rm(part, { force: true })
      throw new DamagedContent('Its SHA-256 is not the published one.')
    }
    await rename(part, this.#complete(hash))
    await flushFolder(this.#folder)
    this.#verified.set(hash, fingerprint(await stat(this.#complete(hash))))
    return received
  }

  async has(hash: string): Promise<boolean> {
    return (await stat(this.#complete(hash)).catch(() => null)) !== null
  }

  async keepOnly(hashes: ReadonlySet<string>): Promise<void> {
    for (const name of await readdir(this.#folder))
      if (!hashes.has(name.replace(/\.part$/, ''))) await rm(join(this.#folder, name), { force: true })
  }

  #complete(hash: string): string {
    return join(this.#folder, hash)
  }

  #partial(hash: string): string {
    return join(this.#folder, `${hash}.part`)
  }

  async #fetchRest(hash: string, size: number, signal: AbortSignal, progress: (have: number) => void): Promise<number> {
    const part = this.#partial(hash)
    if ((await sizeInBytes(part)) > size) await rm(part, { force: true })
    const silence = new AbortController()
    const file = await open(part, 'a', 0o600)
    const timer = setTimeout(() => silence.abort(), longestSilence)
    let have = await sizeInBytes(part)
    let received = 0
    try {
      while (have < size) {
        const { answer, isWhole } = await this.#fetchPiece(hash, have, AbortSignal.any([signal, silence.signal]))
        if (isWhole) await file.truncate(0)
        const start = isWhole ? 0 : have
        have = await appendBody(answer, file, { start, size, timer, progress })
        received += have - start
        if (have === start) break
      }
      await file.sync()
    } catch (error) {
      if (error instanceof Refusal || error instanceof Unavailable) throw error
      throw new CutOff(`The download was cut off after ${await sizeInBytes(part)} of ${size} bytes.`, null, error)
    } finally {
      clearTimeout(timer)
      await file.close()
    }
    return received
  }

  /** `isWhole`: the server does not support ranges. */
  async #fetchPiece(hash: string, from: number, signal: AbortSignal): Promise<{ answer: IncomingMessage; isWhole: boolean }> {
    const headers = { range: `bytes=${from}-${from + pieceBytes - 1}`, 'if-range': `"${hash}"` }
    const answer = await this.#server.open('downloadContent', { params: { hash } }, { headers, signal })
    if (answer.statusCode === 200) return { answer, isWhole: true }
    if (answer.statusCode === 206 && answer.headers['content-range']?.startsWith(`bytes ${from}-`)) return { answer, isWhole: false }
    answer.destroy()
    await rm(this.#partial(hash), { force: true })
    throw new Unavailable('The server cannot continue the download. It starts again.')
  }
}

interface Append {
  start: number
  size: number
  timer: NodeJS.Timeout
  progress: (have: number) => void
}

async function appendBody(answer: IncomingMessage, file: FileHandle, { start, size, timer, progress }: Append): Promise<number> {
  let have = start
  for await (const bytes of answer) {
    timer.refresh()
    await file.appendFile(bytes)
    have += bytes.length
    if (have > size) break
    progress(have)
  }
  return have
}
