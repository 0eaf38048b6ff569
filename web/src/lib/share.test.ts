import { expect, test } from 'vitest'
import { formatShare } from './share.ts'

test.each([
  [163, 4218, '3.9%'],
  [512, 642, '79.8%'],
  [0, 4218, '0%'],
  [0, 0, '0%'],
  [1, 100_000, '<0.1%'],
  [99_999, 100_000, '>99.9%'],
  [4, 4, '100%'],
  [1, 4, '25%'],
])('%i of %i is %s: never all while somebody is missing, never none while there is somebody', (count, all, text) => {
  expect(formatShare(count, all)).toBe(text)
})
