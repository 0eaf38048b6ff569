import { type FileHandle, open } from 'node:fs/promises'
import { Outcome } from '@lectern/contract/hosts.ts'
import { readText, writeDurably } from './durable-file.ts'

interface Entry extends Outcome {
  /** The server has it, or has said that it never takes it. */
  sent?: boolean
}

const key = (publication: string, serialNumber: string) => `${publication} ${serialNumber}`

/**
 * What became of publications on readers: one line an entry, written and flushed before anybody relies on it. An outcome is sent until
 * the server has acknowledged it; after that it still tells that its reader is done with the publication.
 */
export class Journal {
  readonly #file: string
  #entries = new Map<string, Entry>()
  #handle: FileHandle | null = null
  #waiting: Entry[] = []
  #writing: Promise<void> = Promise.resolve()

  private constructor(file: string) {
    this.#file = file
  }

  /** Reads the journal and leaves out a line that a power cut has torn. */
  static async open(file: string): Promise<Journal> {
    const journal = new Journal(file)
    journal.#entries = await readEntries(file)
    await journal.#rewrite()
    return journal
  }

  /** What a journal holds that another process may be writing to. */
  static async peek(file: string): Promise<{ unsent: number; settled: Map<string, { applied: number; failed: number }> }> {
    const entries = await readEntries(file)
    const settled = new Map<string, { applied: number; failed: number }>()
    for (const { publication, outcome } of entries.values()) {
      const count = settled.get(publication) ?? { applied: 0, failed: 0 }
      count[outcome] += 1
      settled.set(publication, count)
    }
    return { unsent: [...entries.values()].filter((entry) => !entry.sent).length, settled }
  }

  /** Whether a reader is done with a publication, for better or worse. */
  isSettled(publication: string, serialNumber: string): boolean {
    return this.#entries.has(key(publication, serialNumber))
  }

  /** The readers that have been brought to publications. */
  applied(): Pick<Outcome, 'publication' | 'serialNumber'>[] {
    return [...this.#entries.values()].filter(({ outcome }) => outcome === 'applied')
  }

  /** Keeps an outcome; resolved means that a power cut does not lose it. The first outcome of a reader and publication stands. */
  async record(outcome: Outcome): Promise<void> {
    if (!this.isSettled(outcome.publication, outcome.serialNumber)) await this.#write([outcome])
  }

  /** Outcomes that the server has not acknowledged, oldest first. */
  unsent(): Outcome[] {
    return [...this.#entries.values()].filter(({ sent }) => !sent).map(({ sent: _, ...outcome }) => outcome)
  }

  /** Marks outcomes that need not be sent again. */
  async acknowledge(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length > 0) await this.#write(outcomes.map((outcome) => ({ ...outcome, sent: true })))
  }

  /** Forgets publications that nobody desires any more, except for outcomes still to be sent. */
  async keepOnly(publications: ReadonlySet<string>): Promise<void> {
    await this.#inTurn(async () => {
      const kept = [...this.#entries].filter(([, entry]) => !entry.sent || publications.has(entry.publication))
      if (kept.length === this.#entries.size) return
      this.#entries = new Map(kept)
      await this.#rewrite()
    })
  }

  async close(): Promise<void> {
    await this.#writing.catch(() => {})
    await this.#handle?.close()
    this.#handle = null
  }

  /** All that is asked for while a flush is under way goes out with the next one. */
  async #write(entries: Entry[]): Promise<void> {
    this.#waiting.push(...entries)
    await this.#inTurn(() => this.#flush())
    const lost = entries.some(({ publication, serialNumber }) => !this.isSettled(publication, serialNumber))
    if (lost) throw new Error('The journal could not be written.')
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(work)
    return this.#writing
  }

  async #flush(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    if (entries.length === 0) return
    // After a write that failed half-way (a full disk) the file is written anew, lest the next line hang on to a torn one.
    if (!this.#handle) await this.#rewrite()
    try {
      await this.#handle!.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      await this.#handle!.datasync()
    } catch (error) {
      await this.#handle?.close().catch(() => {})
      this.#handle = null
      throw error
    }
    for (const entry of entries) this.#entries.set(key(entry.publication, entry.serialNumber), entry)
  }

  async #rewrite(): Promise<void> {
    await this.#handle?.close()
    this.#handle = null
    await writeDurably(this.#file, [...this.#entries.values()].map((entry) => `${JSON.stringify(entry)}\n`).join(''))
    this.#handle = await open(this.#file, 'a')
  }
}

async function readEntries(file: string): Promise<Map<string, Entry>> {
  const entries = new Map<string, Entry>()
  for (const line of ((await readText(file)) ?? '').split('\n')) {
    const entry = parse(line)
    if (entry) entries.set(key(entry.publication, entry.serialNumber), entry)
  }
  return entries
}

function parse(line: string): Entry | null {
  try {
    const value: unknown = JSON.parse(line)
    const outcome = Outcome.safeParse(value)
    return outcome.success ? { ...outcome.data, ...((value as Entry).sent === true && { sent: true }) } : null
  } catch {
    return null
  }
}
