// npm run check:mutations [-- FILE …] [--rules | --by-hand | --machine] [--incremental] [--workers N]
//   --rules        only part one: Stryker mutates the pure rules of rule-files.ts, or the files that are named (FILE or FILE:LINE-LINE)
//   --by-hand      only part two: the mutations that are written down in this folder, or those of the files that are named
//   --machine      only part three: conditions, comparisons and refusals of the server, and in the web app what disables, enables and identifies, are broken by
//                  machine: a third of them, or those of the files or folders that are named
//   --third N      part three: which third, 0 to 2; without it the commit chooses
//   --minutes N    part three: starts no mutant after so many; 120 without it
//   --incremental  part one keeps its results, and works out only what has changed since
//   --workers      how many tests run at once; 2 without it
import { execFileSync } from 'node:child_process'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyCheckout } from '../copy-checkout.ts'
import { makeMutations } from './by-hand.ts'
import type { Mutation } from './list/mutation.ts'
import type { Mutant } from './machine/mutant.ts'
import { killMutants, listAllServer, listAllWeb, takeThird } from './machine/run.ts'
import { mutations } from './mutations.ts'
import { ruleFiles } from './rule-files.ts'
import { findStale, mutateRules, type Mutant as RuleMutant } from './stryker.ts'

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
    machine: { type: 'boolean' },
    third: { type: 'string' },
    minutes: { type: 'string', default: '120' },
    incremental: { type: 'boolean' },
    workers: { type: 'string', default: '2' },
  },
})
const workers = Number(values.workers)

try {
  const results: boolean[] = []
  const isOnly = (part: 'rules' | 'by-hand' | 'machine') =>
    !['rules', 'by-hand', 'machine'].some((other) => other !== part && other in values)
  if (isOnly('by-hand')) results.push(await checkByHand(mutations.filter(({ file }) => isNamed(file))))
  if (isOnly('machine'))
    results.push(await killMutants({ root, folder, workers }, chooseMutants(), Date.now() + Number(values.minutes) * 60_000))
  if (isOnly('rules')) results.push(await checkRules())
  process.exit(results.every(Boolean) ? 0 : 1)
} catch (error) {
  console.error((error as Error).message)
  process.exit(1)
}

function isNamed(file: string): boolean {
  return positionals.length === 0 || positionals.some((named) => file === named || file.startsWith(`${named}/`))
}

function chooseMutants(): Mutant[] {
  const named = [...listAllServer(root), ...listAllWeb(root)].filter(({ file }) => isNamed(file))
  if (positionals.length > 0 && values.third === undefined) return named
  const third =
    values.third ?? Number.parseInt(execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' }).slice(0, 6), 16) % 3
  console.log(`The third ${third} of the mutants by machine.`)
  return takeThird(named, Number(third))
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

function count(mutants: readonly RuleMutant[], status: RuleMutant['status']): number {
  return mutants.filter((mutant) => mutant.status === status).length
}

/** Per cent killed of those that could be: an equivalent mutant cannot, and one that never ends shows nothing. */
function score(mutants: readonly RuleMutant[]): number {
  const killed = count(mutants, 'killed')
  const of = killed + count(mutants, 'survived')
  return of === 0 ? 100 : (100 * killed) / of
}

function formatScore(name: string, mutants: readonly RuleMutant[]): string {
  const counts = [mutants.length, ...(['killed', 'survived', 'timed out', 'equivalent'] as const).map((status) => count(mutants, status))]
  return `${counts.map((each) => String(each).padStart(9)).join('')}  ${score(mutants).toFixed(1).padStart(5)} %  ${name}`
}
