import type { DesiredConfiguration } from '@lectern/contract/hosts.ts'
import type { Log } from './log.ts'
import { type Contents, CutOff, DamagedContent } from './state/contents.ts'

/** Damaged downloads in a row after which the readers are told to have failed, once the update time has come. */
export const damagedLimit = 3

export interface Downloads {
  /** Makes every content of `configurations` be here. Throws what the first failing download threw. */
  fetchAll(configurations: readonly DesiredConfiguration[], signal: AbortSignal): Promise<void>
  /** The verified bytes, or null where they are not here yet. */
  load(contentHash: string): Promise<Uint8Array | null>
  /** Whether a content keeps arriving damaged. */
  isHopeless(contentHash: string): boolean
}

const nameOf = ({ fileName, deviceType }: DesiredConfiguration) => `${fileName ?? 'the CFG'} for ${deviceType}`

/** Keeps exactly the contents that are desired, and says what happens to them. */
export function downloadsInto(contents: Contents, log: Log): Downloads {
  const damaged = new Map<string, number>()
  return {
    async fetchAll(configurations, signal) {
      let failure: unknown = null
      await contents.keepOnly(new Set(configurations.map(({ contentHash }) => contentHash)))
      for (const configuration of configurations) {
        const { contentHash, size } = configuration
        if (signal.aborted || (await contents.has(contentHash))) continue
        try {
          const { received } = await contents.download(contentHash, size, signal)
          damaged.delete(contentHash)
          const resumed = received < size ? `, ${received} of them now` : ''
          log.info(`Downloaded ${nameOf(configuration)}: ${size} bytes${resumed}, SHA-256 as published.`)
        } catch (error) {
          if (error instanceof DamagedContent) {
            const times = (damaged.get(contentHash) ?? 0) + 1
            damaged.set(contentHash, times)
            log.warn(`${nameOf(configuration)} arrived damaged (${times} ${times === 1 ? 'time' : 'times'}). ${error.message}`)
          }
          if (error instanceof CutOff) log.warn(`${nameOf(configuration)}: ${error.message} It will go on from there.`)
          failure ??= error
        }
      }
      if (failure) throw failure
    },
    load: (contentHash) => contents.load(contentHash),
    isHopeless: (contentHash) => (damaged.get(contentHash) ?? 0) >= damagedLimit,
  }
}
