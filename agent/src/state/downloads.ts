import type { Log } from '../log.ts'
import { type Content, type Contents, CutOff, DamagedContent } from './contents.ts'
import type { Wanted } from './desired-state.ts'

/** Damaged downloads in a row after which the readers are told to have failed, once the update time has come. */
export const damagedLimit = 3

export interface Downloads {
  /** Makes every content of `wanted` be here, and no other. Throws what the first failing download threw. */
  fetchAll(wanted: readonly Wanted[], signal: AbortSignal): Promise<void>
  /** The verified content, or null where it is not here yet. */
  open(contentHash: string): Promise<Content | null>
  /** Whether a content keeps arriving damaged. */
  isHopeless(contentHash: string): boolean
}

/** Keeps exactly the contents that are wanted, and says what happens to them. `progress` is told how far a content is here, in per cent. */
export function downloadsInto(contents: Contents, log: Log, progress: (wanted: Wanted, percent: number) => void = () => {}): Downloads {
  const damaged = new Map<string, number>()

  async function fetchOne(wanted: Wanted, signal: AbortSignal): Promise<void> {
    const { contentHash, size, name } = wanted
    try {
      const { received } = await contents.download(contentHash, size, signal, (have) => progress(wanted, Math.floor((100 * have) / size)))
      damaged.delete(contentHash)
      const resumed = received < size ? `, ${received} of them now` : ''
      log.info(`Downloaded ${name}: ${size} bytes${resumed}, SHA-256 as published.`)
      progress(wanted, 100)
    } catch (error) {
      if (error instanceof DamagedContent) {
        const times = (damaged.get(contentHash) ?? 0) + 1
        damaged.set(contentHash, times)
        log.warn(`${name} arrived damaged (${times} ${times === 1 ? 'time' : 'times'}). ${error.message}`)
      }
      if (error instanceof CutOff) log.warn(`${name}: ${error.message} It will go on from there.`)
      throw error
    }
  }

  return {
    async fetchAll(wanted, signal) {
      const failures: unknown[] = []
      await contents.keepOnly(new Set(wanted.map(({ contentHash }) => contentHash)))
      for (const one of wanted) {
        if (signal.aborted || (await contents.has(one.contentHash))) continue
        await fetchOne(one, signal).catch((error: unknown) => failures.push(error))
      }
      if (failures.length > 0) throw failures[0]
    },
    open: (contentHash) => contents.open(contentHash),
    isHopeless: (contentHash) => (damaged.get(contentHash) ?? 0) >= damagedLimit,
  }
}
