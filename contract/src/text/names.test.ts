import { expect, test } from 'vitest'
import { formatNames } from './names.ts'

test.for([
  [['ICU'], 3, undefined, 'ICU'],
  [['ICU', 'Lab', 'Ward'], 3, undefined, 'ICU, Lab and Ward'],
  [['ICU', 'Lab', 'Ward', 'Hall'], 3, undefined, 'ICU, Lab, Ward and 1 more'],
  [['ICU', 'Lab'], 3, 12, 'ICU, Lab and 10 more'],
  [['ICU', 'Lab'], 1, 1235, 'ICU and 1,234 more'],
  [['ICU', 'Lab', 'Ward'], undefined, undefined, 'ICU, Lab and Ward'],
  [[], 3, undefined, ''],
] as const)('%j, at most %s of %s: %s', ([names, most, count, text]) => {
  expect(formatNames(names, most, count)).toBe(text)
})
