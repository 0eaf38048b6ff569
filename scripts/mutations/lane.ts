// A program for by-hand.ts: copies the checkout (first argument) to a folder (second), makes the mutations there that it is
// sent, and ends with its sender.
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { createVitest, type TestModule, type Vitest } from 'vitest/node'
import { copyCheckout } from '../copy-checkout.ts'
import type { Batch, Outcome } from './by-hand.ts'
import type { Mutation } from './list/mutation.ts'

const [root = '', folder = ''] = process.argv.slice(2)
copyCheckout(root, folder)
process.chdir(folder)
let vitest = await startVitest()

process.on('message', async (batch: Batch) => {
  const outcomes = await makeBatch(batch)
  if (process.connected) process.send?.(outcomes)
})
// Its sender is ended by the same signal, and then this program is.
process.on('SIGINT', () => {})
process.once('disconnect', async () => {
  await vitest.close()
  process.exit()
})

async function startVitest(): Promise<Vitest> {
  const started = await createVitest('test', {
    root: folder,
    watch: false,
    reporters: [],
    maxWorkers: 1,
    retry: 0,
    project: ['unit', 'server'],
  })
  await started.standalone()
  for (const { config } of started.projects) config.setupFiles.push(join(folder, 'scripts/mutations/first-failure.ts'))
  return started
}

async function makeBatch(batch: Batch): Promise<Outcome[]> {
  const before = await runTests(batch[0]!.testFile, [...new Set(batch.map(({ test }) => test))])
  const outcomes: Outcome[] = []
  for (const mutation of batch) {
    const start = performance.now()
    const problem = before.error ?? problems[before.states.get(mutation.test) ?? 'missing'] ?? (await make(mutation))
    outcomes.push({ mutation, problem, seconds: (performance.now() - start) / 1000 })
  }
  return outcomes
}

/** Of tests in the product as it is. */
const problems: Record<string, string> = {
  missing: 'there is no such test',
  skipped: 'the test is skipped',
  failed: 'the test is red without the mutation',
}

/** Breaks the file for as long as the test runs; says what is wrong when that does not turn it red. */
async function make({ file, text, replacement, testFile, test }: Mutation): Promise<string | null> {
  const path = join(folder, file)
  const whole = readFileSync(path, 'utf8')
  const times = whole.split(text).length - 1
  if (times !== 1) return `the text to replace is in the file ${times} times`
  try {
    await write(
      path,
      whole.replace(text, () => replacement),
    )
    const { states, error } = await runTests(testFile, [test])
    // An error that is caught nowhere may follow.
    return states.get(test) === 'failed' ? null : (error ?? 'the test stays green')
  } finally {
    await write(path, whole)
  }
}

async function write(path: string, text: string): Promise<void> {
  writeFileSync(path, text)
  // The database that tests copy is made when the first of them runs.
  if (path.includes('/migrations/')) {
    await vitest.close()
    vitest = await startVitest()
  } else vitest.invalidateFile(path)
}

interface Run {
  /** What became of each test, by its name. */
  states: Map<string, string>
  /** Why the file did not run to its end. */
  error: string | undefined
}

async function runTests(testFile: string, names: readonly string[]): Promise<Run> {
  const project = vitest.getProjectByName(testFile.startsWith('server/') ? 'server' : 'unit')
  const specification = project.createSpecification(join(folder, testFile), { testNames: [...names] })
  const { testModules, unhandledErrors } = await vitest.runTestSpecifications([specification])
  // Vitest also returns what it ran before.
  const modules = testModules.filter(({ moduleId }) => moduleId === specification.moduleId)
  const tests = modules.flatMap((module) => [...module.children.allTests()])
  return { states: new Map(tests.map((test) => [test.fullName, test.result().state])), error: findError(modules, unhandledErrors) }
}

function findError(modules: readonly TestModule[], unhandled: readonly unknown[]): string | undefined {
  const [error] = [...modules.flatMap((module) => module.errors()), ...unhandled]
  return error === undefined ? undefined : `the tests do not run: ${(error as Error).message}`
}
