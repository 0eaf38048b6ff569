import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createShares } from './gate.ts'

/** Connections to the database that find out who calls. */
export const lookupConnections = 4

const lookupGate = {
  atOnce: lookupConnections / 2,
  waiting: 1_000,
  retryAfter: 1,
  sentence: 'Too many calls ask at once who they are. Try again in a moment.',
}
const seenForMs = 60_000
const mostSeen = 100_000

export type Lookups = ReturnType<typeof createLookups>

/**
 * Finds out who calls; one caller cannot take all the places (FAI-02). A credential that was good within the last minute uses the places of
 * its account; all others from one address share that address's places.
 */
export function createLookups() {
  const places = createShares(lookupGate)
  // Accounts by a hash of the credential.
  const accounts = new LRUCache<string, string>({ max: mostSeen, ttl: seenForMs })
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<unknown>>()

  // Callers do not leave the line: a look-up is short, and other calls may wait for it too.
  async function within<Result>(payer: string, work: () => Promise<Result>): Promise<Result> {
    const leave = await places(payer, { closed: false, once: () => undefined })
    try {
      return await work()
    } finally {
      leave()
    }
  }

  async function begin<Result>(key: string, address: string, find: () => Promise<Result>, toAccount: (found: Result) => string) {
    let hasStarted = false
    try {
      await running.get(key)?.catch(() => undefined)
      return await within(accounts.get(key) ?? `address ${address}`, async () => {
        // A call that comes from now on starts another look-up: this one may read older data.
        hasStarted = true
        waiting.delete(key)
        const finding = find()
        running.set(key, finding)
        const found = await finding.finally(() => running.delete(key))
        accounts.set(key, toAccount(found))
        return found
      })
    } finally {
      // Otherwise the callers that wait by now have started the next look-up.
      if (!hasStarted) waiting.delete(key)
    }
  }

  return {
    /**
     * Calls that wait with one credential share one look-up.
     * @param kind of credential
     * @throws Problem 429 where too many wait
     */
    find<Result>(
      { kind, credential, address }: { kind: string; credential: string; address: string },
      find: () => Promise<Result>,
      toAccount: (found: Result) => string,
    ): Promise<Result> {
      const key = createHash('sha256').update(`${kind} ${credential}`).digest('base64')
      const joined = (waiting.get(key) as Promise<Result> | undefined) ?? begin(key, address, find, toAccount)
      waiting.set(key, joined)
      return joined
    },
    /** Runs another look-up for an account, before its call is counted. */
    within,
  }
}
