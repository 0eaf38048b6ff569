import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import { join, relative } from 'node:path'
import { createVitest } from 'vitest/node'
import { copyCheckout } from '../../copy-checkout.ts'
import { type Mutant, markSource } from './mutants.ts'
import type { SeenOfFile } from './seen-by-test.ts'

/** A test that passed the place of a mutant. `breadth`: how many statements it sends; a test with few is about these. */
export interface Witness {
  testFile: string
  name: string
  breadth: number
  milliseconds: number
}

/** Runs the server's tests once in a copy with marks. Returns for each mutant's id the tests that passed its place, without red ones. */
export async function findTests(root: string, folder: string, mutants: readonly Mutant[]): Promise<Map<string, Witness[]>> {
  copyCheckout(root, folder)
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file))
    writeFileSync(join(folder, file), markSource(readFileSync(join(folder, file), 'utf8'), own))
  const seenFolder = join(folder, '.seen')
  mkdirSync(seenFolder)
  const green = await runAll(folder, seenFolder)
  return indexSeen(
    readdirSync(seenFolder).map((name) => JSON.parse(readFileSync(join(seenFolder, name), 'utf8')) as SeenOfFile),
    folder,
    green,
    mutants,
  )
}

async function runAll(folder: string, seenFolder: string): Promise<Set<string>> {
  const before = process.cwd()
  process.chdir(folder)
  process.env.LECTERN_SEEN_FOLDER = seenFolder
  const vitest = await createVitest('test', { root: folder, watch: false, reporters: [], project: ['server'] })
  try {
    await vitest.standalone()
    for (const { config } of vitest.projects) config.setupFiles.push(join(folder, 'scripts/mutations/machine/seen-by-test.ts'))
    const { testModules } = await vitest.runTestSpecifications(await vitest.globTestSpecifications())
    const tests = testModules.flatMap((module) => [...module.children.allTests()].map((test) => [module.moduleId, test] as const))
    return new Set(tests.filter(([, test]) => test.result().state === 'passed').map(([id, test]) => `${id} > ${test.fullName}`))
  } finally {
    await vitest.close()
    process.chdir(before)
  }
}

function indexSeen(seen: readonly SeenOfFile[], folder: string, green: ReadonlySet<string>, mutants: readonly Mutant[]) {
  const byMark = new Map<string, Witness[]>()
  const byStatement = new Map<string, Witness[]>()
  const add = (index: Map<string, Witness[]>, key: string, witness: Witness) => {
    const list = index.get(key)
    if (list) list.push(witness)
    else index.set(key, [witness])
  }
  for (const { testFile, statements, tests } of seen)
    for (const test of tests) {
      if (!green.has(`${testFile} > ${test.name}`)) continue
      const witness = {
        testFile: relative(folder, testFile),
        name: test.name,
        breadth: test.statements.length,
        milliseconds: test.milliseconds,
      }
      for (const number of test.statements) add(byStatement, statements[number]!, witness)
      for (const mark of new Set(test.marks)) add(byMark, mark, witness)
    }
  const find = ({ id, statement }: Mutant): Witness[] => {
    if (statement === undefined) return byMark.get(id) ?? []
    const found = [...byStatement].filter(([text]) => text.includes(statement)).flatMap(([, witnesses]) => witnesses)
    return [...new Set(found)]
  }
  return new Map(mutants.map((mutant) => [mutant.id, find(mutant)]))
}
