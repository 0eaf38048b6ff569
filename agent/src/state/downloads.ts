import { counted } from '@lectern/contract/text/numbers.ts'
import type { Log } from '../log.ts'
import { type Content, type Contents, CutOff, DamagedContent } from './contents.ts'
import type { DesiredContent } from './desired-state.ts'

/** After so many damaged downloads in a row the readers fail. */
export const damagedLimit = 3

export class Downloads {
  readonly #contents: Contents
  readonly #log: Log
  readonly #progress: (content: DesiredContent, percent: number) => void
  readonly #damaged = new Map<string, number>()
  readonly #cutOff = new Set<string>()

  constructor(contents: Contents, log: Log, progress: (content: DesiredContent, percent: number) => void = () => {}) {
    this.#contents = contents
    this.#log = log
    this.#progress = progress
  }

  /** Tries each, and deletes all other contents. Throws the first error. */
  async fetchAll(contents: readonly DesiredContent[], signal: AbortSignal): Promise<void> {
    const errors: unknown[] = []
    await this.#contents.keepOnly(new Set(contents.map(({ contentHash }) => contentHash)))
    for (const content of contents) {
      if (signal.aborted || (await this.has(content.contentHash))) continue
      await this.#fetch(content, signal).catch((error: unknown) => errors.push(error))
    }
    if (errors.length > 0) throw errors[0]
  }

  open(contentHash: string): Promise<Content | null> {
    return this.#contents.open(contentHash)
  }

  has(contentHash: string): Promise<boolean> {
    return this.#contents.has(contentHash)
  }

  isHopeless(contentHash: string): boolean {
    return (this.#damaged.get(contentHash) ?? 0) >= damagedLimit
  }

  async #fetch(content: DesiredContent, signal: AbortSignal): Promise<void> {
    const { contentHash, size, name } = content
    try {
      const received = await this.#contents.download(contentHash, size, signal, (have) =>
        this.#progress(content, Math.floor((100 * have) / size)),
      )
      this.#damaged.delete(contentHash)
      this.#cutOff.delete(contentHash)
      const resumed = received < size ? `, ${received} of them now` : ''
      this.#log.info(`Downloaded ${name}: ${size} bytes${resumed}, SHA-256 verified.`)
      this.#progress(content, 100)
    } catch (error) {
      if (error instanceof DamagedContent) {
        const times = (this.#damaged.get(contentHash) ?? 0) + 1
        this.#damaged.set(contentHash, times)
        if (times <= damagedLimit) this.#log.warn(`${name} arrived damaged (${counted(times, 'time')}). ${error.message}`)
      }
      if (error instanceof CutOff && !this.#cutOff.has(contentHash)) {
        this.#cutOff.add(contentHash)
        this.#log.warn(`${name}: ${error.message} It continues from there.`)
      }
      throw error
    }
  }
}
