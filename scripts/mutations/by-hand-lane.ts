// A program for by-hand.ts: makes the mutations that it is sent in a copy (second argument) of the checkout (first argument).
import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import type { Batch, Outcome } from './by-hand.ts'
import { answerJobs } from './lanes.ts'
import type { Mutation } from './list/mutation.ts'
import { Sandbox, toTestKey } from './sandbox.ts'

const [root = '', folder = ''] = process.argv.slice(2)
const sandbox = await Sandbox.open(root, folder)
answerJobs(makeBatch, () => sandbox.close())

async function makeBatch(batch: Batch): Promise<Outcome[]> {
  const { testFile } = batch[0]!
  const before = await sandbox.runTests([[testFile, [...new Set(batch.map(({ test }) => test))]]])
  const outcomes: Outcome[] = []
  for (const mutation of batch) {
    const start = performance.now()
    const state = before.states.get(toTestKey(testFile, mutation.test)) ?? 'missing'
    const problem = before.error ?? problems[state] ?? (await make(mutation))
    outcomes.push({ mutation, problem, seconds: (performance.now() - start) / 1000 })
  }
  return outcomes
}

/** Problems of tests in the unchanged product. */
const problems: Record<string, string> = {
  missing: 'there is no such test',
  skipped: 'the test is skipped',
  failed: 'the test is red without the mutation',
}

/** Breaks the file while the test runs. Returns what is wrong where the test does not turn red. */
async function make({ file, text, replacement, testFile, test }: Mutation): Promise<string | null> {
  const times = readFileSync(join(folder, file), 'utf8').split(text).length - 1
  if (times !== 1) return `the text to replace is in the file ${times} times`
  const { states, error } = await sandbox.withChange(
    file,
    (whole) => whole.replace(text, () => replacement),
    () => sandbox.runTests([[testFile, [test]]]),
  )
  // An error that nothing catches may follow.
  return states.get(toTestKey(testFile, test)) === 'failed' ? null : (error ?? 'the test stays green')
}
