import type { Logger } from 'pino'
import { sqlState } from './database.ts'

/** Why the database does not respond. `retryAfter`: seconds after which the request may be sent again. */
export interface Outage {
  status: 503 | 507
  sentence: string
  retryAfter: number
}

const away: Outage = { status: 503, sentence: 'The database does not respond. Try again in a moment.', retryAfter: 2 }
const full: Outage = {
  status: 507,
  sentence: 'The database has no space left. Nothing was saved. Contact the administrator of the server.',
  retryAfter: 60,
}

/** SQLSTATEs of failed connections, of servers that start, stop or have become a standby, and of missing memory or connections. */
const awayStates = /^(08|57P|53[02]|25006$)/
const awayCodes = new Set(['ECONNREFUSED', 'ECONNRESET', 'EPIPE', 'ENOTFOUND', 'EAI_AGAIN', 'ETIMEDOUT', 'EHOSTUNREACH'])
const awayMessages = /^Connection terminated|timeout exceeded when trying to connect|is not queryable$/

/** Returns undefined where the statement itself failed. */
export function describeOutage(error: unknown): Outage | undefined {
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  const state = sqlState(error) ?? ''
  if (state === '53100' || (/^(XX000|58030)$/.test(state) && /No space left on device/.test(String(message)))) return full
  if (awayStates.test(state) || awayMessages.test(String(message))) return away
  return syscall === 'connect' || awayCodes.has(String(code)) ? away : undefined
}

/** @returns whether a line was written: one a second at most. */
export type OutageLog = (error: unknown) => boolean

const logEveryMs = 1_000

export function createOutageLog(log: Pick<Logger, 'error'>): OutageLog {
  let quietUntil = 0
  let omitted = 0
  return (error) => {
    if (performance.now() < quietUntil) {
      omitted += 1
      return false
    }
    const reason = error instanceof Error ? error.message || error.name : String(error)
    log.error({ reason, omitted }, 'The database does not respond')
    quietUntil = performance.now() + logEveryMs
    omitted = 0
    return true
  }
}
