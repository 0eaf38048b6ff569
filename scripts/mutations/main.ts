// npm run check:mutations [-- FILE …] [--rules | --by-hand] [--incremental] [--workers N]
//   --rules        only part one: Stryker mutates the pure rules of rule-files.ts, or the files that are named (FILE or FILE:LINE-LINE)
//   --by-hand      only part two: the mutations that are written down in this folder, or those of the files that are named
//   --incremental  part one keeps its results, and works out only what has changed since
//   --workers      how many tests run at once; 2 without it
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyCheckout } from '../copy-checkout.ts'
import { makeMutations } from './by-hand.ts'
import type { Mutation } from './list/mutation.ts'
import { mutations } from './mutations.ts'
import { ruleFiles } from './rule-files.ts'
import { findStale, type Mutant, mutateRules } from './stryker.ts'

/** Per cent of the mutants that tests must kill. */
const leastKilled = 92

const root = dirname(dirname(import.meta.dirname))
const [folder = '', ...args] = process.argv.slice(2)
const { values, positionals } = parseArgs({
  args,
  allowPositionals: true,
  options: {
    rules: { type: 'boolean' },
    'by-hand': { type: 'boolean' },
    incremental: { type: 'boolean' },
    workers: { type: 'string', default: '2' },
  },
})
const workers = Number(values.workers)

try {
  const results: boolean[] = []
  if (!values.rules) results.push(await checkByHand(mutations.filter(({ file }) => positionals.length === 0 || positionals.includes(file))))
  if (!values['by-hand']) results.push(await checkRules())
  process.exit(results.every(Boolean) ? 0 : 1)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

async function checkByHand(some: readonly Mutation[]): Promise<boolean> {
  let wrong = 0
  await makeMutations({ root, folder, workers }, some, ({ mutation: { file, text, replacement, test }, problem, seconds }) => {
    console.log(`${problem === null ? 'red  ' : 'WRONG'} ${seconds.toFixed(1).padStart(5)} s  ${file}: ${test}`)
    if (problem === null) return
    wrong += 1
    console.log(`    ${problem}\n    - ${text}\n    + ${replacement}`)
  })
  console.log(`${some.length - wrong} of ${some.length} mutations by hand turn their test red.`)
  return wrong === 0
}

async function checkRules(): Promise<boolean> {
  const copy = join(folder, 'rules')
  copyCheckout(root, copy)
  process.chdir(copy)
  const incrementalFolder = values.incremental ? join(root, 'node_modules/.cache/lectern/mutations') : undefined
  const mutants = await mutateRules({
    folder: copy,
    files: positionals.length > 0 ? positionals : Object.keys(ruleFiles),
    incrementalFolder,
    workers,
  })
  console.log('\n  mutants   killed survived timed out equivalent')
  for (const [file, own] of Map.groupBy(mutants, (mutant) => mutant.file)) console.log(formatScore(file, own))
  console.log(formatScore('all', mutants))
  for (const { file, line, original, mutant, status } of mutants)
    if (status === 'survived') console.log(`survived: ${file}:${line}\n    - ${oneLine(original)}\n    + ${oneLine(mutant)}`)
  const stale = findStale(mutants)
  for (const one of stale)
    console.log(`equivalents.ts names a mutant that does not survive: ${one.file}\n    - ${one.original}\n    + ${one.mutant}`)
  return score(mutants) >= leastKilled && stale.length === 0
}

function oneLine(text: string): string {
  return text.replace(/\s+/g, ' ')
}

function count(mutants: readonly Mutant[], status: Mutant['status']): number {
  return mutants.filter((mutant) => mutant.status === status).length
}

/** Per cent killed of those that could be: an equivalent mutant cannot, and one that never ends shows nothing. */
function score(mutants: readonly Mutant[]): number {
  const killed = count(mutants, 'killed')
  const of = killed + count(mutants, 'survived')
  return of === 0 ? 100 : (100 * killed) / of
}

function formatScore(name: string, mutants: readonly Mutant[]): string {
  const counts = [mutants.length, ...(['killed', 'survived', 'timed out', 'equivalent'] as const).map((status) => count(mutants, status))]
  return `${counts.map((each) => String(each).padStart(9)).join('')}  ${score(mutants).toFixed(1).padStart(5)} %  ${name}`
}
