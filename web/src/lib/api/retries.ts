import type { CallError } from './call-error.ts'

/** How often a failed call is repeated (spec §7). */
export const maxRetries = 5

/** A server that asks for more patience than this is not waited for: a person is. */
const longestWaitMs = 60_000
const worthRepeating = new Set<CallError['status']>(['FETCH_ERROR', 'TIMEOUT_ERROR', 408, 429, 502, 503, 504])

/**
 * Milliseconds until a failed call is worth repeating, undefined when it is not: what the server asked for, else a back-off that
 * doubles from `firstMs` and is spread over 40 to 140 % of itself, so that many clients do not come back at once.
 */
export function pauseBeforeRetry(error: CallError, retries: number, firstMs: number, random = Math.random): number | undefined {
  if (retries >= maxRetries || !worthRepeating.has(error.status)) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs !== undefined) return retryAfterMs <= longestWaitMs ? retryAfterMs : undefined
  return firstMs * 2 ** retries * (0.4 + random())
}

/** The milliseconds of a Retry-After header, which holds seconds or a date; undefined when it holds neither. */
export function retryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}

/** Resolves after `ms`; rejects with the signal's reason as soon as it is aborted. */
export function pause(ms: number, signal?: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const stop = () => {
      clearTimeout(timer)
      reject(signal?.reason)
    }
    const timer = setTimeout(() => {
      signal?.removeEventListener('abort', stop)
      resolve()
    }, ms)
    if (signal?.aborted) stop()
    else signal?.addEventListener('abort', stop, { once: true })
  })
}
