import { join } from 'node:path'
import { expect, test } from 'vitest'

/** Plain JavaScript, which has no types here. */
const { countTests } = await import(join(import.meta.dirname, 'test-counts.mjs'))

const file = (status: string, ...tests: string[]) => ({
  name: '/project/web/src/zones/zone.test.ts',
  status,
  assertionResults: tests.map((one) => ({ status: one })),
})
const good = { numPassedTests: 5, numFailedTests: 0, testResults: [file('passed', 'passed')] }

test.each([
  ['all is well', good, 0, [], { passed: 5, failed: 0, unmatched: [] }],
  [
    'a test fails',
    { numPassedTests: 4, numFailedTests: 1, testResults: [file('failed', 'passed', 'failed')] },
    1,
    [],
    { passed: 4, failed: 1, unmatched: [] },
  ],
  ['a file cannot be read', { ...good, testResults: [file('failed')] }, 1, [], { passed: 5, failed: 1, unmatched: [] }],
  ['an error belongs to no test', { ...good, testResults: [] }, 1, [], { passed: 5, failed: 1, unmatched: [] }],
  [
    'filters match',
    good,
    0,
    ['--project', 'unit', './web/src/zones/zone.test.ts:12', '-t', 'zone'],
    { passed: 5, failed: 0, unmatched: [] },
  ],
  ['a filter does not', good, 0, ['zone.test', 'zzz'], { passed: 5, failed: 1, unmatched: ['No test file matches zzz.'] }],
  [
    'no title matches',
    { numPassedTests: 0, numFailedTests: 0, testResults: [file('passed', 'skipped')] },
    0,
    ['-t', 'zzz'],
    { passed: 0, failed: 1, unmatched: ['No test was run: no title matches, or all are skipped.'] },
  ],
])('counts when %s', (_, report, exitCode, args, counts) => {
  expect(countTests(report, exitCode, args)).toEqual(counts)
})
