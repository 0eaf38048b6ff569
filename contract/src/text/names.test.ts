import { expect, test } from 'vitest'
import { formatNames } from './names.ts'

test.for([
  [['ICU'], 3, undefined, 'ICU'],
  [['ICU', 'Lab', 'Ward'], 3, undefined, 'ICU, Lab and Ward'],
  [['ICU', 'Lab', 'Ward', 'Hall'], 3, undefined, 'ICU, Lab, Ward and 1 more'],
  [['ICU', 'Lab'], 3, 12, 'ICU, Lab and 10 more'],
  [[], 3, undefined, ''],
] as const)('%j, at most %i of %s: %s', ([names, most, count, text]) => {
  expect(formatNames(names, most, count)).toBe(text)
})
