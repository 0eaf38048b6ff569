// A program for run.ts: makes the mutants of the web app that it is sent, in a copy (second argument) of the checkout (first argument).
import { join } from 'node:path'
import { answerJobs } from '../lanes.ts'
import type { Chosen } from '../sandbox.ts'
import type { Answer, Job } from './lane.ts'
import { listAllWeb } from './run.ts'
import { openBrowserTests, openSwitched } from './switched-web-app.ts'

const [root = '', folder = ''] = process.argv.slice(2)
openSwitched(root, folder, listAllWeb(root))
const vitest = await openBrowserTests(folder, { bail: 1, maxWorkers: 1 })
answerJobs(make, () => vitest.close())

async function make({ mutant, rounds }: Job): Promise<Answer> {
  const start = performance.now()
  process.env.LECTERN_MUTANT = mutant.id
  let killer: string | null = null
  for (const round of rounds) killer ??= await findRed(round)
  return { mutant, killer, seconds: (performance.now() - start) / 1000 }
}

/** A test that turns red and passed the place before: another one is red for a reason of its own. */
async function findRed(round: readonly Chosen[]): Promise<string | null> {
  const project = vitest.getProjectByName('e2e')
  const files = new Map(round.map(([testFile, names]) => [join(folder, testFile), new Set(names)]))
  const { testModules } = await vitest.runTestSpecifications([...files.keys()].map((file) => project.createSpecification(file)))
  const tests = testModules.flatMap((module) => [...module.children.allTests()].map((test) => [module.moduleId, test] as const))
  const red = tests.find(([file, test]) => files.get(file)?.has(test.fullName) && test.result().state === 'failed')
  return red?.[1].fullName ?? null
}
