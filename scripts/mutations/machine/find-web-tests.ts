import { mkdirSync, readdirSync, readFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import type { Chosen } from '../sandbox.ts'
import type { Mutant } from './mutant.ts'
import { openBrowserTests, openSwitched } from './switched-web-app.ts'

/** The ids that each test of a file passed, as `e2e/support/mutant-in-browser.ts` writes them. */
interface PassedInFile {
  testFile: string
  tests: { name: string; ids: string[] }[]
}

/** Runs the browser tests once. Returns for each mutant's id the files with green tests that passed its place, the fittest first. */
export async function findWebTests(root: string, folder: string, mutants: readonly Mutant[]): Promise<Map<string, Chosen[]>> {
  const before = process.cwd()
  const seenFolder = join(folder, '.seen')
  try {
    openSwitched(root, folder, mutants)
    mkdirSync(seenFolder)
    const green = await runAll(folder, seenFolder)
    const files = readdirSync(seenFolder).map((name) => JSON.parse(readFileSync(join(seenFolder, name), 'utf8')) as PassedInFile)
    return new Map(mutants.map(({ id }) => [id, choose(id, files, green, folder)]))
  } finally {
    process.chdir(before)
  }
}

/** Milliseconds that each green test took, by file and name. */
async function runAll(folder: string, seenFolder: string): Promise<Map<string, number>> {
  process.env.LECTERN_SEEN_FOLDER = seenFolder
  const vitest = await openBrowserTests(folder)
  try {
    const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications())
    const tests = testModules.flatMap((module) => [...module.children.allTests()].map((test) => [module.moduleId, test] as const))
    const green = tests.filter(([, test]) => test.result().state === 'passed')
    return new Map(green.map(([file, test]) => [toKey(file, test.fullName), test.diagnostic()?.duration ?? 0]))
  } finally {
    delete process.env.LECTERN_SEEN_FOLDER
    await vitest.close()
  }
}

const toKey = (file: string, name: string) => `${file} > ${name}`

/** The file comes first that comes to the place the soonest; half of that counts where most of its tests pass there. */
function choose(id: string, files: readonly PassedInFile[], green: ReadonlyMap<string, number>, folder: string): Chosen[] {
  const found = files.flatMap(({ testFile, tests }) => {
    const names = tests.filter(({ name, ids }) => ids.includes(id) && green.has(toKey(testFile, name))).map(({ name }) => name)
    if (names.length === 0) return []
    const milliseconds = tests.reduce((sum, { name }) => sum + (green.get(toKey(testFile, name)) ?? 0), 0)
    return [{ chosen: [relative(folder, testFile), names] as const, cost: (milliseconds + 5_000) * (1 - names.length / tests.length / 2) }]
  })
  return found.sort((a, b) => a.cost - b.cost).map(({ chosen }) => chosen)
}
