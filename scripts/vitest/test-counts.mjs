/**
 * Counts a Vitest run from its JSON report. A file that failed outside its tests counts as one failure, and so does a
 * run that failed for a reason no test has (an error nobody caught).
 * @param {{ numPassedTests: number, numFailedTests: number, testResults: { status: string, assertionResults: { status: string }[] }[] }} report
 * @param {number} exitCode
 * @returns {{ passed: number, failed: number }}
 */
export function countTests(report, exitCode) {
  const broken = report.testResults.filter(
    (file) => file.status === 'failed' && !file.assertionResults.some((test) => test.status === 'failed'),
  ).length
  const failed = report.numFailedTests + broken
  return { passed: report.numPassedTests, failed: failed === 0 && exitCode !== 0 ? 1 : failed }
}
