import type { Progress } from '@lectern/contract/hosts.ts'
import type { Server } from '../server/client.ts'
import { pause } from '../wakeup.ts'
import { batches } from './check-ins.ts'

/** Milliseconds in which progress is gathered into one report. */
const gathering = 1_000

/** Tells the server how far publications have come. It is for somebody who watches, so what cannot be told now is not told later. */
export interface ProgressReports {
  /** @param serialNumber null: on its way to this PC. */
  tell(publication: string, serialNumber: string | null, percent: number): void
  /** A reader is done: its outcome says the rest. */
  forget(publication: string, serialNumber: string): void
  send(signal: AbortSignal): Promise<void>
}

export function progressTo(server: Server): ProgressReports {
  const waiting = new Map<string, Progress>()
  const makeKey = (publication: string, serialNumber: string | null) => `${publication} ${serialNumber ?? ''}`
  return {
    tell(publication, serialNumber, percent) {
      waiting.set(makeKey(publication, serialNumber), { publication, serialNumber, percent })
    },
    forget: (publication, serialNumber) => void waiting.delete(makeKey(publication, serialNumber)),
    async send(signal) {
      if (waiting.size === 0) return
      await pause(gathering, signal)
      const progress = [...waiting.values()]
      waiting.clear()
      for (const batch of batches(progress)) await server.call('reportProgress', { body: { progress: batch } }, signal).catch(() => {})
    },
  }
}
