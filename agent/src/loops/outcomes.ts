import type { Outcome, OutcomesReply } from '@lectern/contract/hosts.ts'
import type { Log } from '../log.ts'
import type { Server } from '../server/client.ts'
import { Refusal } from '../server/errors.ts'
import type { Journal } from '../state/journal.ts'
import { batches } from './check-ins.ts'

/** Statuses by which a server says that the content of a report is the trouble, not its sender. */
const contentStatuses = [400, 413, 415, 422]

/** Sends outcomes until the server has acknowledged them. */
export interface Reports {
  /** Sends all that wait, oldest first. Throws what a call throws; what was not acknowledged then waits on. */
  send(signal: AbortSignal): Promise<void>
}

/**
 * An outcome that is refused is logged and not sent again, unless the server may only not know its reader yet: then it waits until
 * the reader has checked in. A report that is refused as a whole is sent again in halves, so that one bad outcome does not hold back the others.
 * @param isKnown whether the server has taken a reader since the agent started.
 */
export function reportsTo(server: Server, journal: Journal, log: Log, isKnown: (serialNumber: string) => boolean): Reports {
  const held = new Set<string>()
  const makeKey = ({ publication, serialNumber }: { publication: string; serialNumber: string }) => `${publication} ${serialNumber}`

  async function send(outcomes: Outcome[], signal: AbortSignal): Promise<void> {
    const known = new Set(outcomes.filter(({ serialNumber }) => isKnown(serialNumber)).map(makeKey))
    let refused: OutcomesReply['refused'] = []
    try {
      ;({ refused } = await server.call('reportOutcomes', { body: { outcomes } }, signal))
    } catch (error) {
      if (!(error instanceof Refusal && contentStatuses.includes(error.status))) throw error
      if (outcomes.length > 1) {
        const half = Math.ceil(outcomes.length / 2)
        await send(outcomes.slice(0, half), signal)
        return send(outcomes.slice(half), signal)
      }
      refused = outcomes.map(({ publication, serialNumber }) => ({ publication, serialNumber, reason: error.message }))
    }
    const waiting = new Set(refused.map(makeKey).filter((key) => !known.has(key)))
    for (const key of waiting) held.add(key)
    for (const { publication, serialNumber, reason } of refused) {
      if (known.has(makeKey({ publication, serialNumber })))
        log.warn(`The server does not take the outcome of reader ${serialNumber} for publication ${publication}: ${reason}`)
    }
    await journal.acknowledge(outcomes.filter((outcome) => !waiting.has(makeKey(outcome))))
  }

  return {
    async send(signal) {
      const all = journal.unsent().filter((outcome) => !held.has(makeKey(outcome)) || isKnown(outcome.serialNumber))
      for (const batch of batches(all)) if (!signal.aborted) await send(batch, signal)
    },
  }
}
