import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/** A line of a simulated reader's own log; what was done by hand has neither content nor bytes. */
export interface ReaderEvent {
  serialNumber: string
  event: 'begin' | 'complete' | 'cut' | 'refused' | 'scan' | 'reset' | 'flash'
  publication?: string
  contentHash?: string
  firmware?: string | null
  bytes?: number
}

/** The log of a host PC's readers, whatever its agent reports. */
export function readerEvents(state: string): ReaderEvent[] {
  const folder = join(state, 'readers', 'readers')
  let names: string[]
  try {
    names = readdirSync(folder)
  } catch {
    return []
  }
  return names.flatMap((name) =>
    readFileSync(join(folder, name), 'utf8')
      .split('\n')
      .filter((line) => line !== '')
      .flatMap((line) => {
        try {
          return [{ ...(JSON.parse(line) as ReaderEvent), serialNumber: name.replace(/\.jsonl$/, '') }]
        } catch {
          // It is being written at this moment.
          return []
        }
      }),
  )
}
