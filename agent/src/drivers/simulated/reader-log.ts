import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportedConfiguration } from '@lectern/contract/hosts.ts'

/** A line of a reader's own log: the witness of what really happened to it. */
export type ReaderEvent = Handover | ByHand

/** What became of a configuration or a firmware that was handed over. */
export interface Handover {
  at: string
  event: 'begin' | 'complete' | 'cut' | 'refused'
  publication: string
  contentHash: string
  fileName: string | null
  /** Where it was a firmware: the version that the reader reports from its completion on; null where it does not come up well. */
  firmware?: string | null
  /** Bytes that had arrived. */
  bytes: number
  reason?: string
}

/** What somebody did to a reader who had it in their hand, and what it runs since. */
export type ByHand = { at: string } & (
  | { event: 'scan' | 'reset'; configuration: ReportedConfiguration | null }
  | { event: 'flash'; firmware: string | null }
)

export const readerLogFile = (folder: string, serialNumber: string): string => join(folder, `${serialNumber}.jsonl`)

/** All events of a reader, oldest first; a line that a power cut has torn is left out. */
export function readReaderLog(file: string): ReaderEvent[] {
  let text: string
  try {
    text = readFileSync(file, 'utf8')
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ENOENT') return []
    throw error
  }
  return text.split('\n').flatMap((line) => {
    try {
      return [JSON.parse(line) as ReaderEvent]
    } catch {
      return []
    }
  })
}

/**
 * Adds an event and flushes it. A line `complete`, `scan`, `reset` or `flash` is the moment a reader changes over: what it runs is what its last such line
 * says, so log and state cannot contradict each other.
 */
export function appendReaderEvent(file: string, event: ReaderEvent): void {
  const handle = openSync(file, 'a')
  try {
    // The leading newline ends a line that was torn; empty lines mean nothing.
    appendFileSync(handle, `\n${JSON.stringify(event)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
