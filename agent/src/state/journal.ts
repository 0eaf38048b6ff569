import { type FileHandle, open } from 'node:fs/promises'
import { Outcome } from '@lectern/contract/hosts.ts'
import { readText, writeDurably } from './durable-file.ts'

interface Entry extends Outcome {
  /** Whether the server has accepted or refused it. */
  sent?: boolean
}

/** The key of an update; without a reader, of the download of its content. */
export const makeKey = ({ publication, serialNumber }: { publication: string; serialNumber: string | null }): string =>
  `${publication} ${serialNumber ?? ''}`

/**
 * Flushed before a promise resolves. An outcome is kept after the server has acknowledged it, as its reader is done with the publication.
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

  /** Leaves torn lines out. */
  static async open(file: string): Promise<Journal> {
    const journal = new Journal(file)
    journal.#entries = await readEntries(file)
    await journal.#rewrite()
    return journal
  }

  /** Also while the agent runs. `outcomes`: by publication. */
  static async peek(file: string): Promise<{ unsent: number; outcomes: Map<string, { applied: number; failed: number }> }> {
    const entries = await readEntries(file)
    const outcomes = new Map<string, { applied: number; failed: number }>()
    for (const { publication, outcome } of entries.values()) {
      const count = outcomes.get(publication) ?? { applied: 0, failed: 0 }
      count[outcome] += 1
      outcomes.set(publication, count)
    }
    return { unsent: [...entries.values()].filter((entry) => !entry.sent).length, outcomes }
  }

  hasOutcome(publication: string, serialNumber: string): boolean {
    return this.#entries.has(makeKey({ publication, serialNumber }))
  }

  applied(): Pick<Outcome, 'publication' | 'serialNumber'>[] {
    return [...this.#entries.values()].filter(({ outcome }) => outcome === 'applied')
  }

  /** Only the first outcome of a reader and publication counts. */
  async record(outcome: Outcome): Promise<void> {
    if (!this.hasOutcome(outcome.publication, outcome.serialNumber)) await this.#write([outcome])
  }

  unsent(): Outcome[] {
    return [...this.#entries.values()].filter(({ sent }) => !sent).map(({ sent: _, ...outcome }) => outcome)
  }

  async acknowledge(outcomes: readonly Outcome[]): Promise<void> {
    if (outcomes.length > 0) await this.#write(outcomes.map((outcome) => ({ ...outcome, sent: true })))
  }

  /** Keeps unsent outcomes too. */
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

  async #write(entries: Entry[]): Promise<void> {
    this.#waiting.push(...entries)
    await this.#inTurn(() => this.#flush())
    const isLost = entries.some(({ publication, serialNumber }) => !this.hasOutcome(publication, serialNumber))
    if (isLost) throw new Error('The journal could not be written.')
  }

  #inTurn(work: () => Promise<void>): Promise<void> {
    this.#writing = this.#writing.catch(() => {}).then(work)
    return this.#writing
  }

  async #flush(): Promise<void> {
    const entries = this.#waiting
    this.#waiting = []
    if (entries.length === 0) return
    // A failed write, as on a full disk, leaves a torn line.
    if (!this.#handle) await this.#rewrite()
    try {
      await this.#handle!.appendFile(entries.map((entry) => `${JSON.stringify(entry)}\n`).join(''))
      await this.#handle!.datasync()
    } catch (error) {
      await this.#handle?.close().catch(() => {})
      this.#handle = null
      throw error
    }
    for (const entry of entries) this.#entries.set(makeKey(entry), entry)
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
    const entry = parseEntry(line)
    if (entry) entries.set(makeKey(entry), entry)
  }
  return entries
}

function parseEntry(line: string): Entry | null {
  try {
    const value: unknown = JSON.parse(line)
    const outcome = Outcome.safeParse(value)
    return outcome.success ? { ...outcome.data, ...((value as Entry).sent === true && { sent: true }) } : null
  } catch {
    return null
  }
}
