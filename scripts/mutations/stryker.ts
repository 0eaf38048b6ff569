import { readdirSync, readFileSync } from 'node:fs'
import { dirname, join, relative } from 'node:path'
import type { LogLevel, MutantResult } from '@stryker-mutator/api/core'
import { Stryker } from '@stryker-mutator/core'
import { type Equivalent, equivalents } from './equivalents.ts'
import { ruleFiles, slowRuleFiles } from './rule-files.ts'

export interface Mutant {
  file: string
  line: number
  /** The line it begins in, without the blanks around it. */
  text: string
  original: string
  /** What Stryker puts in the place of `original`. */
  mutant: string
  status: 'killed' | 'survived' | 'timed out' | 'equivalent'
}

interface RunOptions {
  /** The copy, which is the current folder: Stryker mutates in place. */
  folder: string
  /** Paths inside the project, each perhaps with Stryker's `:line-line`. */
  files: readonly string[]
  /** Where results are kept between runs; absent: all are computed anew. */
  incrementalFolder?: string
  workers: number
}

/** Has Stryker mutate the files, folder by folder. */
export async function mutateRules({ folder, files, incrementalFolder, workers }: RunOptions): Promise<Mutant[]> {
  const mutants: Mutant[] = []
  for (const [place, mutate] of Map.groupBy(files, (file) => dirname(file))) {
    console.log(`${place}: ${mutate.map((file) => relative(place, file)).join(', ')}`)
    process.env.LECTERN_MUTATION_TESTS = JSON.stringify(findTests(folder, place, mutate))
    const results = await new Stryker({
      testRunner: 'vitest',
      plugins: ['@stryker-mutator/vitest-runner'],
      inPlace: true,
      mutate: [...mutate],
      vitest: { configFile: 'scripts/mutations/vitest.config.ts', related: false },
      coverageAnalysis: 'perTest',
      concurrency: workers,
      timeoutMS: 5_000,
      allowEmpty: true,
      reporters: ['progress-append-only'],
      logLevel: 'warn' as LogLevel,
      warnings: false,
      tempDirName: '.stryker-tmp',
      ...(incrementalFolder && { incremental: true, incrementalFile: join(incrementalFolder, `${place.replaceAll('/', '-')}.json`) }),
    }).runMutationTest()
    mutants.push(...results.flatMap((result) => toMutant(folder, result) ?? []))
  }
  return mutants
}

/** The tests of a file are the one of its name beside it and those in `ruleFiles`; where there are none, all of its folder. */
function findTests(folder: string, place: string, files: readonly string[]): string[] {
  const tests = readdirSync(join(folder, place)).filter((name) => /\.test\.tsx?$/.test(name))
  const beside = tests.map((name) => `${place}/${name}`)
  if (beside.length === 0) throw new Error(`There are no tests in ${place}.`)
  const found = files.flatMap((each) => {
    const file = each.replace(/:.*/, '')
    const own = beside.filter((test) => test.replace(/\.test\.tsx?$/, '') === file.replace(/\.tsx?$/, ''))
    const named = [...own, ...(ruleFiles[file] ?? slowRuleFiles[file] ?? [])]
    return named.length > 0 ? named : beside
  })
  return [...new Set(found)]
}

const statuses: Partial<Record<MutantResult['status'], Mutant['status']>> = {
  Killed: 'killed',
  Survived: 'survived',
  NoCoverage: 'survived',
  Timeout: 'timed out',
}

/** Returns undefined for a mutant that does not run. */
function toMutant(folder: string, { fileName, location: { start, end }, replacement, status }: MutantResult): Mutant | undefined {
  const is = statuses[status]
  if (!is) return undefined
  const lines = readFileSync(fileName, 'utf8')
    .split('\n')
    .slice(start.line - 1, end.line)
  const text = lines[0]?.trim() ?? ''
  // The last line is cut first, as it may also be the first one.
  lines.push(lines.pop()?.slice(0, end.column - 1) ?? '')
  const original = lines.join('\n').slice(start.column - 1)
  const mutant = { file: relative(folder, fileName), line: start.line, text, original, mutant: replacement, status: is }
  // A mutant that is only slower may time out.
  return is !== 'killed' && equivalents.some((one) => names(one, mutant)) ? { ...mutant, status: 'equivalent' } : mutant
}

const names = (one: Equivalent, { file, text, original, mutant }: Mutant) =>
  one.file === file && one.line === text && one.original === original && one.mutant === mutant

/** Mutants named as equivalent, in the mutated files, that are not: the code has changed, or a test kills them. */
export const findStale = (mutants: readonly Mutant[]): Equivalent[] =>
  equivalents.filter(
    (one) =>
      mutants.some(({ file }) => file === one.file) && !mutants.some((mutant) => names(one, mutant) && mutant.status === 'equivalent'),
  )
