import type { CallError } from './call-error.ts'

/** How often a failed call is repeated (spec §7). */
export const maxRetries = 5

/** In ms. If the server asks for a longer wait, the call is not repeated, and the user decides. */
const longestWaitMs = 60_000
const worthRepeating = new Set<CallError['status']>(['FETCH_ERROR', 'TIMEOUT_ERROR', 408, 429, 502, 503, 504])

/**
 * Milliseconds until the next attempt; undefined where there is none. What the server asked for, else a pause that doubles from `firstMs`,
 * spread over 40 to 140 % so that clients do not all come back at once.
 */
export function pauseBeforeRetry(error: CallError, retries: number, firstMs: number, random = Math.random): number | undefined {
  if (retries >= maxRetries || !worthRepeating.has(error.status)) return undefined
  const { retryAfterMs } = error
  if (retryAfterMs !== undefined) return retryAfterMs <= longestWaitMs ? retryAfterMs : undefined
  return firstMs * 2 ** retries * (0.4 + random())
}

/** Milliseconds of a Retry-After header (seconds or a date); undefined for anything else. */
export function parseRetryAfter(header: string | null, now = Date.now()): number | undefined {
  if (header === null || header.trim() === '') return undefined
  const milliseconds = /^\d+$/.test(header.trim()) ? Number(header) * 1_000 : Date.parse(header) - now
  return Number.isNaN(milliseconds) ? undefined : Math.max(0, milliseconds)
}

/** Rejects with the signal's reason as soon as it is aborted. */
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
