import type { Reporter, TestCase } from 'vitest/node'

/** Names at the end every test that passed only when run again and what the first try met, so that a second try hides nothing. */
export class SecondTries implements Reporter {
  private readonly names: string[] = []

  onTestCaseResult(test: TestCase): void {
    if (!test.diagnostic()?.flaky) return
    const [first] = test.result().errors ?? []
    const said = (first?.stack ?? '').split('\n').filter((line) => !line.includes('/node_modules/'))
    this.names.push([`${test.module.relativeModuleId} > ${test.fullName}`, ...said.slice(0, 8)].join('\n      '))
  }

  onTestRunEnd(): void {
    if (this.names.length > 0)
      console.log(`\nPassed at the second try, to be looked into:\n${this.names.map((name) => `  ${name}`).join('\n')}`)
  }
}
