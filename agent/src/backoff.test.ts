import { expect, test } from 'vitest'
import { backoff } from './backoff.ts'

test('attempts come later and later, never more than a minute apart, and never all hosts at once', () => {
  expect([1, 2, 3, 4].map((failures) => backoff(failures, () => 1))).toEqual([1000, 2000, 4000, 8000])
  expect([1, 2, 3, 4].map((failures) => backoff(failures, () => 0))).toEqual([500, 1000, 2000, 4000])
  expect(backoff(1000, () => 1)).toBe(60_000)
})
