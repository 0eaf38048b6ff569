import { execFileSync } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { type Place, runLanes } from '../lanes.ts'
import type { Chosen } from '../sandbox.ts'
import { findTests, type Witness } from './find-tests.ts'
import type { Answer, Job } from './lane.ts'
import { listMutants, type Mutant } from './mutants.ts'
import { survivors } from './survivors.ts'

const sources = ['server/src', 'idp/src']
const isSource = (file: string) => file.endsWith('.ts') && !/\.test\.ts$|\/(testing|demo)\//.test(file)

/** All mutants of server and identity provider. */
export function listAll(root: string): Mutant[] {
  const listed = execFileSync('git', ['ls-files', ...sources], { cwd: root, encoding: 'utf8' }).split('\n')
  return listed.filter(isSource).flatMap((file) => listMutants(file, readFileSync(join(root, file), 'utf8')))
}

/** The third of the mutants that has the number 0, 1 or 2. */
export const takeThird = (mutants: readonly Mutant[], third: number): Mutant[] =>
  mutants.filter(({ id }) => Number.parseInt(id.slice(0, 6), 16) % 3 === third)

/** The number of tests in each round. Those that say most about the place come first. */
const rounds = [3, 12, 60]

function toRounds({ file }: Mutant, witnesses: readonly Witness[]): Chosen[][] {
  const cost = ({ testFile, breadth, milliseconds }: Witness) =>
    breadth * (dirname(testFile) === dirname(file) ? 0.3 : 1) + milliseconds / 50
  const sorted = [...witnesses].sort((a, b) => cost(a) - cost(b))
  return rounds
    .map((count) => sorted.splice(0, count))
    .filter((round) => round.length > 0)
    .map((round) => [...Map.groupBy(round, ({ testFile }) => testFile)].map(([testFile, own]) => [testFile, own.map(({ name }) => name)]))
}

/** The reason, if one is written down, why no test kills a mutant. */
const findReason = ({ file, text, original, replacement }: Mutant) =>
  survivors.find((one) => one.file === file && one.line === text && one.original === original && one.replacement === replacement)?.reason

/** Per cent of each class that tests must kill. */
const leastKilled = 95

/**
 * Makes the mutants, each against the tests that passed its place. `until`: none starts after this instant. Returns whether enough died.
 */
export async function killMutants(place: Place, mutants: readonly Mutant[], until: number): Promise<boolean> {
  const tests = await findTests(place.root, join(place.folder, 'seen'), mutants)
  const seen = mutants.filter(({ id }) => tests.get(id)!.length > 0)
  const answers: Answer[] = mutants.filter(({ id }) => tests.get(id)!.length === 0).map((mutant) => ({ mutant, killer: null, seconds: 0 }))
  for (const answer of answers) tellAnswer(answer, 'no test comes here')
  const jobs: Job[] = seen.map((mutant) => ({ mutant, rounds: toRounds(mutant, tests.get(mutant.id)!) }))
  await runLanes('machine/lane.ts', place, jobs, (answer: Answer) => {
    answers.push(answer)
    tellAnswer(answer, 'no test turns red')
    if (Date.now() > until) jobs.length = 0
  })
  if (answers.length < mutants.length) console.log(`${mutants.length - answers.length} mutants were not made: the time was over.`)
  const isStale = tellStale(answers)
  return tellClasses(answers) && !isStale
}

function tellAnswer({ mutant, killer, seconds }: Answer, why: string): void {
  const reason = findReason(mutant)
  const state = killer === null ? (reason ? 'reason  ' : 'SURVIVED') : 'red     '
  console.log(
    `${state} ${seconds.toFixed(1).padStart(5)} s  ${mutant.class.padEnd(7)} ${mutant.file}:${mutant.line}  ${killer ?? reason ?? why}`,
  )
  if (killer === null && !reason) console.log(`    ${mutant.text}\n    - ${oneLine(mutant.original)}\n    + ${oneLine(mutant.replacement)}`)
}

const oneLine = (text: string) => text.replace(/\s+/g, ' ')

function tellStale(answers: readonly Answer[]): boolean {
  const killed = answers.filter(({ mutant, killer }) => killer !== null && findReason(mutant))
  for (const { mutant } of killed)
    console.log(`survivors.ts names a mutant that a test kills: ${mutant.file}:${mutant.line} ${mutant.original}`)
  return killed.length > 0
}

function tellClasses(answers: readonly Answer[]): boolean {
  const results = [...Map.groupBy(answers, ({ mutant }) => mutant.class)].map(([name, own]) => {
    const killed = own.filter(({ killer }) => killer !== null).length
    const explained = own.filter(({ mutant, killer }) => killer === null && findReason(mutant)).length
    const share = (100 * killed) / Math.max(1, own.length - explained)
    console.log(`${name.padEnd(8)} ${own.length} mutants, ${killed} killed, ${explained} survive for a reason: ${share.toFixed(1)} %`)
    return share >= leastKilled
  })
  return results.every(Boolean)
}
