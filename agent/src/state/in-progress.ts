import type { ReportedConfiguration } from '@lectern/contract/hosts.ts'
import * as z from 'zod/mini'
import { readJson, writeJson } from './durable-file.ts'

/** What a reader ran when it was begun to be given a publication. */
export interface Before {
  publication: string
  firmware: string | null
  configuration: ReportedConfiguration | null
  /** What was wrong with the reader afterwards, so that it is to return; null while nothing is. */
  trouble: string | null
}

const Kept = z.record(
  z.string(),
  z.object({
    publication: z.string(),
    firmware: z.nullable(z.string()),
    configuration: z.nullable(z.object({ contentHash: z.string(), fileName: z.nullable(z.string()) })),
    trouble: z.nullable(z.string()),
  }),
)

/**
 * The readers that are being written to, and what they ran before: an agent that was killed meanwhile knows by it whether a reader has changed
 * over, also where a firmware has no version that could be compared, and what to return it to.
 */
export interface Begun {
  /** What a reader ran when it was begun to be given this publication; undefined where it was not. */
  before(serialNumber: string, publication: string): Before | undefined
  /** Notes it before anything is written to the reader; what was noted for the same publication earlier stands. Answers what is noted. */
  begin(serialNumber: string, before: Omit<Before, 'trouble'>): Promise<Before>
  /** Notes that the reader is not well with the publication. */
  trouble(serialNumber: string, trouble: string): Promise<void>
  /** The reader is done with it, for better or worse. */
  end(serialNumber: string): Promise<void>
}

export async function openBegun(file: string): Promise<Begun> {
  const kept = new Map<string, Before>(Object.entries((await readJson(file, Kept)) ?? {}))
  let writing: Promise<void> = Promise.resolve()
  const write = () => {
    writing = writing.catch(() => {}).then(() => writeJson(file, Object.fromEntries(kept)))
    return writing
  }
  const before = (serialNumber: string, publication: string) => {
    const found = kept.get(serialNumber)
    return found?.publication === publication ? found : undefined
  }
  return {
    before,
    async begin(serialNumber, noted) {
      const known = before(serialNumber, noted.publication)
      if (known) return known
      const first = { ...noted, trouble: null }
      kept.set(serialNumber, first)
      await write()
      return first
    },
    async trouble(serialNumber, trouble) {
      const known = kept.get(serialNumber)
      if (!known) return
      kept.set(serialNumber, { ...known, trouble })
      await write()
    },
    async end(serialNumber) {
      if (kept.delete(serialNumber)) await write()
    },
  }
}
