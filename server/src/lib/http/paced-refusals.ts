import { setTimeout as pause } from 'node:timers/promises'
import type { FastifyInstance, FastifyRequest } from 'fastify'
import { LRUCache } from 'lru-cache'
import { toCallerKey } from './caller.ts'

/** How many refusals of a second cost a caller no time. */
const free = 100
const mostDelayMs = 1_000
const mostCallers = 10_000

/**
 * Delays in milliseconds for refusals, by caller: none for the first hundred of a second, and one more for each that follows. People and
 * programs that work do not come to it.
 */
export function createRefusalDelays(): (caller: string) => number {
  const refused = new LRUCache<string, { count: number }>({ max: mostCallers, ttl: 1_000 })
  return (caller) => {
    const known = refused.get(caller) ?? { count: 0 }
    if (known.count === 0) refused.set(caller, known)
    known.count += 1
    return Math.max(0, Math.min(known.count - free, mostDelayMs))
  }
}

/**
 * Sends refusals later where a caller gets hundreds in a second (FAI-02): they cost it next to nothing, and the server the time of others. A
 * connection has one request at a time, so a delay holds back all that follow on it.
 */
export function paceRefusals(app: FastifyInstance): void {
  const findDelay = createRefusalDelays()
  app.addHook('onSend', async (request: FastifyRequest, reply) => {
    if (reply.statusCode < 400 || reply.statusCode >= 500) return
    const delay = findDelay(toCallerKey(request.caller ?? null) || `address ${request.ip}`)
    if (delay > 0) await pause(delay)
  })
}
