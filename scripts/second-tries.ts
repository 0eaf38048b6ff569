import type { Reporter, TestCase } from 'vitest/node'

/** Names at the end every test that passed only when run again, so that a second try hides nothing. */
export class SecondTries implements Reporter {
  private readonly names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (test.diagnostic()?.flaky) this.names.push(`${test.module.relativeModuleId} > ${test.fullName}`)
  }

  onTestRunEnd(): void {
    if (this.names.length > 0)
      console.log(`\nPassed at the second try, to be looked into:\n${this.names.map((name) => `  ${name}`).join('\n')}`)
  }
}
