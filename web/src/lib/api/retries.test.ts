import { expect, test } from 'vitest'
import { CallError } from './call-error.ts'
import { parseRetryAfter, pauseBeforeRetry } from './retries.ts'

const at = (retries: number, random: number, error = new CallError(503)) => pauseBeforeRetry(error, retries, 300, () => random)

test('[FET-05] the pauses double and are jittered between 40 and 140 %', () => {
  expect([0, 1, 2, 3, 4].map((retries) => at(retries, 0))).toEqual([120, 240, 480, 960, 1920])
  expect([0, 1, 2, 3, 4].map((retries) => at(retries, 1))).toEqual([420, 840, 1680, 3360, 6720])
  expect(at(0, 0.3)).not.toBe(at(0, 0.7))
})

test('[FET-05] there is no sixth repetition', () => {
  expect(at(5, 0)).toBeUndefined()
})

test.each([400, 401, 403, 404, 409, 422, 500, 'PARSING_ERROR'] as const)('[FET-05] %s is not worth a repetition', (status) => {
  expect(at(0, 0, new CallError(status))).toBeUndefined()
})

test('[FET-05] Retry-After counts instead of the back-off, up to a minute', () => {
  expect(at(0, 0, new CallError(429, { retryAfterMs: 5_000 }))).toBe(5_000)
  expect(at(0, 0, new CallError(429, { retryAfterMs: 3_600_000 }))).toBeUndefined()
})

test('Retry-After holds seconds or a date', () => {
  const now = Date.parse('2026-11-20T10:00:00Z')
  expect(parseRetryAfter('7', now)).toBe(7_000)
  expect(parseRetryAfter('Fri, 20 Nov 2026 10:00:09 GMT', now)).toBe(9_000)
  expect(parseRetryAfter('Fri, 20 Nov 2026 09:00:00 GMT', now)).toBe(0)
  expect([parseRetryAfter(null), parseRetryAfter(''), parseRetryAfter('soon')]).toEqual([undefined, undefined, undefined])
})
