import { expect, test } from 'vitest'
import { formatClockAhead } from './clock-ahead.ts'

test.each([
  [61, '1 minute ahead'],
  [301, '5 minutes ahead'],
  [-3_600, '1 hour behind'],
  [-22_021, '6 hours and 7 minutes behind'],
  [400 * 86_400 + 3_700, '400 days and 1 hour ahead'],
])('[INP-05 AGT-09] a clock that is %d seconds ahead of the portal is said to be %s', (seconds, words) => {
  expect(formatClockAhead(seconds)).toBe(words)
})
