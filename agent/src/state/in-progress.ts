import type { ReportedConfiguration } from '@lectern/contract/hosts.ts'
import * as z from 'zod/mini'
import { readJson, writeJson } from './durable-file.ts'

export interface ReaderBefore {
  publication: string
  firmware: string | null
  configuration: ReportedConfiguration | null
  /** What has been wrong since the update; null where nothing is. */
  trouble: string | null
}

const File = z.record(
  z.string(),
  z.object({
    publication: z.string(),
    firmware: z.nullable(z.string()),
    configuration: z.nullable(z.object({ contentHash: z.string(), fileName: z.nullable(z.string()) })),
    trouble: z.nullable(z.string()),
  }),
)

/**
 * By serial number, what readers ran before their update. After a kill it shows which readers have changed over, and what to return them to
 * (decision 20). Flushed before a promise resolves.
 */
export class InProgress {
  readonly #file: string
  #readers: ReadonlyMap<string, ReaderBefore>
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: string, readers: Record<string, ReaderBefore>) {
    this.#file = file
    this.#readers = new Map(Object.entries(readers))
  }

  static async open(file: string): Promise<InProgress> {
    return new InProgress(file, (await readJson(file, File)) ?? {})
  }

  find(serialNumber: string, publication: string): ReaderBefore | undefined {
    const found = this.#readers.get(serialNumber)
    return found?.publication === publication ? found : undefined
  }

  /** Keeps what was recorded for the same publication. */
  start(serialNumber: string, before: Omit<ReaderBefore, 'trouble'>): Promise<void> {
    return this.#change((readers) => {
      if (readers.get(serialNumber)?.publication !== before.publication) readers.set(serialNumber, { ...before, trouble: null })
    })
  }

  recordTrouble(serialNumber: string, trouble: string): Promise<void> {
    return this.#change((readers) => {
      const before = readers.get(serialNumber)
      if (before) readers.set(serialNumber, { ...before, trouble })
    })
  }

  end(serialNumber: string): Promise<void> {
    return this.#change((readers) => void readers.delete(serialNumber))
  }

  /** A change that cannot be written has not happened. */
  #change(change: (readers: Map<string, ReaderBefore>) => void): Promise<void> {
    const done = this.#writing.then(async () => {
      const next = new Map(this.#readers)
      change(next)
      await writeJson(this.#file, Object.fromEntries(next))
      this.#readers = next
    })
    this.#writing = done.catch(() => {})
    return done
  }
}
