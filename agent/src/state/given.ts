import { ReportedConfiguration } from '@lectern/contract/hosts.ts'
import * as z from 'zod/mini'
import type { Driver, Reader } from '../drivers/driver.ts'
import { readJson, writeJson } from './durable-file.ts'

const File = z.record(z.string(), z.object({ reports: ReportedConfiguration, given: ReportedConfiguration }))
type Entry = z.infer<typeof File>[string]

const isSame = (one: ReportedConfiguration | null, other: ReportedConfiguration): boolean =>
  one?.contentHash === other.contentHash && one.fileName === other.fileName

/**
 * By serial number, what readers report once they run what they were given: of commands a reader knows only the settings afterwards, and of
 * a CFG not its name. While a reader reports that, it runs what it was given (decision 57). Flushed before a promise resolves.
 */
export class Given {
  readonly #file: string
  #entries: ReadonlyMap<string, Entry>
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: string, entries: Record<string, Entry>) {
    this.#file = file
    this.#entries = new Map(Object.entries(entries))
  }

  static async open(file: string): Promise<Given> {
    return new Given(file, (await readJson(file, File)) ?? {})
  }

  name(reader: Reader): Reader {
    const entry = this.#entries.get(reader.serialNumber)
    return entry && isSame(reader.configuration, entry.reports) ? { ...reader, configuration: entry.given } : reader
  }

  record(serialNumber: string, reports: ReportedConfiguration | null, given: ReportedConfiguration): Promise<void> {
    const done = this.#writing.then(async () => {
      const next = new Map(this.#entries)
      next.delete(serialNumber)
      if (reports && !isSame(reports, given)) next.set(serialNumber, { reports, given })
      if (next.size === this.#entries.size && next.get(serialNumber) === this.#entries.get(serialNumber)) return
      await writeJson(this.#file, Object.fromEntries(next))
      this.#entries = next
    })
    this.#writing = done.catch(() => {})
    return done
  }
}

/** A driver whose readers report what they were given. An update has not happened until that is recorded. */
export const namingDriver = (driver: Driver, given: Given): Driver => ({
  name: driver.name,
  list: async (signal) => (await driver.list(signal)).map((reader) => given.name(reader)),
  read: async (serialNumber, signal) => given.name(await driver.read(serialNumber, signal)),
  async apply(serialNumber, content, signal, progress) {
    await driver.apply(serialNumber, content, signal, progress)
    if (content.kind === 'firmware') return
    const { configuration } = await driver.read(serialNumber, signal)
    const { contentHash, fileName, kind } = content
    // A reader that runs another CFG or script than it was given has a fault.
    if (kind === 'commands' || configuration?.contentHash === contentHash)
      await given.record(serialNumber, configuration, { contentHash, fileName })
  },
  ...(driver.attached && { attached: () => driver.attached!() }),
  close: () => driver.close(),
})
