import { appendFileSync, closeSync, fsyncSync, openSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { ReportedConfiguration } from '@lectern/contract/hosts.ts'

export type ReaderEvent = Handover | ByHand

export interface Handover {
  at: string
  event: 'begin' | 'complete' | 'cut' | 'refused'
  publication: string
  contentHash: string
  fileName: string | null
  /** What the reader reports afterwards; null where it does not start properly. */
  firmware?: string | null
  bytes: number
  commands?: string[]
  reason?: string
}

export type ByHand = { at: string } & (
  | { event: 'scan' | 'reset'; configuration: ReportedConfiguration | null }
  | { event: 'flash'; firmware: string | null }
)

export const readerLogFile = (folder: string, serialNumber: string): string => join(folder, `${serialNumber}.jsonl`)

/** Oldest first, without torn lines. */
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

/** Flushed. A reader runs what its log has, so the two cannot differ. */
export function appendReaderEvent(file: string, event: ReaderEvent): void {
  const handle = openSync(file, 'a')
  try {
    // The newline in front ends a torn line.
    appendFileSync(handle, `\n${JSON.stringify(event)}\n`)
    fsyncSync(handle)
  } finally {
    closeSync(handle)
  }
}
