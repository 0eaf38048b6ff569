import { expect, test } from 'vitest'
import { fleetShare } from './fleet-share.ts'

test.each([
  [163, 4218, '3.9%'],
  [0, 4218, '0%'],
  [0, 0, '0%'],
  [1, 100_000, '<0.1%'],
  [99_999, 100_000, '>99.9%'],
  [4, 4, '100%'],
  [1, 4, '25%'],
])('%d of %d are %s of fleet', (count, all, share) => {
  expect(fleetShare(count, all)).toBe(`${share} of fleet`)
})
