/** Options of Vitest whose value is the next argument. */
const withValue = new Set(['-t', '--testNamePattern', '--project', '--reporter', '--shard', '--maxWorkers', '--bail', '--config', '-c'])

/**
 * Counts a Vitest run from its JSON report. A file that failed outside its tests counts as one failure, and so does a
 * run that failed for a reason no test has (an uncaught error), and a filter that nothing matches.
 * @param {{ numPassedTests: number, numFailedTests: number, testResults: { name: string, status: string, assertionResults: { status: string }[] }[] }} report
 * @param {number} exitCode
 * @param {string[]} [args] of Vitest
 * @returns {{ passed: number, failed: number, unmatched: string[] }} `unmatched`: a sentence for each filter that nothing matches
 */
export function countTests(report, exitCode, args = []) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const unmatched = findUnmatched(report, args)
  const failed = report.numFailedTests + broken + unmatched.length
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed, unmatched }
}

/**
 * What of Vitest's arguments names test files.
 * @param {string[]} args
 * @returns {string[]}
 */
export function listFileFilters(args) {
  return args.filter((arg, place) => !arg.startsWith('-') && !withValue.has(args[place - 1]))
}

function findUnmatched({ numPassedTests, numFailedTests, testResults }, args) {
  const files = listFileFilters(args).filter(
    (filter) => !testResults.some(({ name }) => name.includes(filter.replace(/^\.\//, '').replace(/:\d+$/, ''))),
  )
  const isEmpty = files.length === 0 && numPassedTests + numFailedTests === 0
  return [
    ...files.map((filter) => `No test file matches ${filter}.`),
    ...(isEmpty ? ['No test was run: no title matches, or all are skipped.'] : []),
  ]
}
