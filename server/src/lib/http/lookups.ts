import { createHash } from 'node:crypto'
import { LRUCache } from 'lru-cache'
import { createShares } from './gate.ts'

/** Connections of the database for finding out who calls. */
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
 * Finding out who calls, of which one caller cannot take all (FAI-02). A credential that was good in the last minute has the places of its account; the
 * others of one address share those of that address.
 */
export function createLookups() {
  const places = createShares(lookupGate)
  // By a hash of the credential.
  const accounts = new LRUCache<string, string>({ max: mostSeen, ttl: seenForMs })
  const running = new Map<string, Promise<unknown>>()
  const waiting = new Map<string, Promise<unknown>>()

  // No call leaves the line: a look-up is short, and may be another call's too.
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
        // A call that comes from now on must not get what is read now: it may be older than the call.
        hasStarted = true
        waiting.delete(key)
        const finding = find()
        running.set(key, finding)
        const found = await finding.finally(() => running.delete(key))
        accounts.set(key, toAccount(found))
        return found
      })
    } finally {
      // Else what waits by now is the next look-up.
      if (!hasStarted) waiting.delete(key)
    }
  }

  return {
    /** The calls with one credential that wait share one look-up. @param kind of credential. Throws a Problem 429 where too many wait. */
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
    /** Something else that is looked up for an account before its call is counted. */
    within,
  }
}
