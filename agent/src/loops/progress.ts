import type { Progress } from '@lectern/contract/hosts.ts'
import type { Server } from '../server/client.ts'
import { makeKey } from '../state/journal.ts'
import { pause } from '../wakeup.ts'
import { toBatches } from './batches.ts'

/** Milliseconds for which progress is gathered. */
const gathering = 1_000

/** For display alone, so failed reports are not repeated. */
export class ProgressReports {
  readonly #server: Server
  readonly #waiting = new Map<string, Progress>()

  constructor(server: Server) {
    this.#server = server
  }

  /** @param serialNumber null for the download to this PC */
  add(publication: string, serialNumber: string | null, percent: number): void {
    this.#waiting.set(makeKey({ publication, serialNumber }), { publication, serialNumber, percent })
  }

  remove(publication: string, serialNumber: string): void {
    this.#waiting.delete(makeKey({ publication, serialNumber }))
  }

  async send(signal: AbortSignal): Promise<void> {
    if (this.#waiting.size === 0) return
    await pause(gathering, signal)
    const progress = [...this.#waiting.values()]
    this.#waiting.clear()
    for (const batch of toBatches(progress))
      await this.#server.call('reportProgress', { body: { progress: batch } }, signal).catch(() => {})
  }
}
