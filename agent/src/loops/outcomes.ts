import type { Outcome, OutcomesReply } from '@lectern/contract/hosts.ts'
import type { Log } from '../log.ts'
import type { Server } from '../server/client.ts'
import { Refusal } from '../server/errors.ts'
import { type Journal, makeKey } from '../state/journal.ts'
import { toBatches } from './batches.ts'

const contentStatuses = [400, 413, 415, 422]

/**
 * Reports outcomes. A refused one is logged and dropped; where the server may not know its reader yet, it waits for the reader's check-in.
 * A report that is refused as a whole is sent again in halves.
 */
export class OutcomeReports {
  readonly #server: Server
  readonly #journal: Journal
  readonly #log: Log
  readonly #now: () => Date
  readonly #isKnown: (serialNumber: string) => boolean
  readonly #held = new Set<string>()

  constructor(server: Server, journal: Journal, log: Log, now: () => Date, isKnown: (serialNumber: string) => boolean) {
    this.#server = server
    this.#journal = journal
    this.#log = log
    this.#now = now
    this.#isKnown = isKnown
  }

  async send(signal: AbortSignal): Promise<void> {
    const ready = this.#journal.unsent().filter((outcome) => !this.#held.has(makeKey(outcome)) || this.#isKnown(outcome.serialNumber))
    for (const batch of toBatches(ready)) if (!signal.aborted) await this.#sendBatch(batch, signal)
  }

  async #sendBatch(outcomes: Outcome[], signal: AbortSignal): Promise<void> {
    const known = new Set(outcomes.filter(({ serialNumber }) => this.#isKnown(serialNumber)).map(makeKey))
    let refused: OutcomesReply['refused'] = []
    try {
      ;({ refused } = await this.#server.call('reportOutcomes', { body: { sentAt: this.#now().toISOString(), outcomes } }, signal))
    } catch (error) {
      if (!(error instanceof Refusal && contentStatuses.includes(error.status))) throw error
      if (outcomes.length > 1) {
        const half = Math.ceil(outcomes.length / 2)
        await this.#sendBatch(outcomes.slice(0, half), signal)
        return this.#sendBatch(outcomes.slice(half), signal)
      }
      refused = outcomes.map(({ publication, serialNumber }) => ({ publication, serialNumber, reason: error.message }))
    }
    const waiting = new Set(refused.map(makeKey).filter((key) => !known.has(key)))
    for (const key of waiting) this.#held.add(key)
    for (const { publication, serialNumber, reason } of refused) {
      if (known.has(makeKey({ publication, serialNumber })))
        this.#log.warn(`The server refuses the outcome of reader ${serialNumber} for publication ${publication}: ${reason}`)
    }
    await this.#journal.acknowledge(outcomes.filter((outcome) => !waiting.has(makeKey(outcome))))
  }
}
