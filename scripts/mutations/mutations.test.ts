import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { basename, dirname, join } from 'node:path'
import { expect, test } from 'vitest'
import { equivalents } from './equivalents.ts'
import { mutations } from './mutations.ts'
import { ruleFiles, slowRuleFiles } from './rule-files.ts'

const root = dirname(dirname(import.meta.dirname))
/** Nothing where the file is gone. */
const read = (file: string) => (existsSync(join(root, file)) ? readFileSync(join(root, file), 'utf8') : '')

test('what each mutation replaces is in its file exactly once, and changes', () => {
  const wrong = mutations.filter(({ file, text, replacement }) => read(file).split(text).length !== 2 || text === replacement)
  expect(wrong).toEqual([])
})

test('a mutation of a migration is in the last one that has the text, as a later one may make its function anew', () => {
  const migrations = readdirSync(join(root, 'server/migrations')).sort()
  const isMadeAnew = (file: string, text: string) =>
    migrations.slice(migrations.indexOf(basename(file)) + 1).some((later) => read(`server/migrations/${later}`).includes(text))
  expect(mutations.filter(({ file, text }) => file.startsWith('server/migrations/') && isMadeAnew(file, text))).toEqual([])
})

test('no mutation is written down twice, and the file of each test is there', () => {
  expect(new Set(mutations.map(({ file, text, replacement }) => JSON.stringify([file, text, replacement])))).toHaveLength(mutations.length)
  expect(mutations.filter(({ testFile }) => !existsSync(join(root, testFile)))).toEqual([])
})

test('the test of each mutation has a title that its file has, or one that a title with placeholders there can become', () => {
  const titles = [...Map.groupBy(mutations, ({ testFile }) => testFile)].map(
    ([testFile, own]) => [testFile, own.flatMap(({ test: title }) => title.split(' > ')), read(testFile)] as const,
  )
  const unknown = titles.flatMap(([testFile, parts, source]) => {
    const patterns = templatesIn(source)
    const isKnown = (part: string) => source.includes(part.replaceAll("'", "\\'")) || source.includes(part)
    return parts.filter((part) => !isKnown(part) && !patterns.some((pattern) => pattern.test(part))).map((part) => `${testFile}: ${part}`)
  })
  expect(unknown).toEqual([])
})

/** Makes patterns of a source's texts with placeholders that have enough other text to be told apart. */
function templatesIn(source: string): RegExp[] {
  const literals = source.matchAll(/'((?:[^'\\\n]|\\.)*)'|"((?:[^"\\\n]|\\.)*)"|`((?:[^`\\]|\\.)*)`/g)
  return [...literals]
    .map(([, ...texts]) => texts.find((text) => text !== undefined)!.replace(/\\(.)/g, '$1'))
    .map((text) => text.split(/\$\{[^}]*\}|%[sdijoO]|\$[a-zA-Z_.]+/))
    .filter((fixed) => fixed.length > 1 && fixed.join('').trim().length >= 8)
    .map((fixed) => new RegExp(`^${fixed.map((text) => text.replace(/[\\^$.*+?()[\]{}|]/g, '\\$&')).join('.*')}$`))
}

test('the files of pure rules and their tests are there, and so is the line of every mutant that is named as equivalent', () => {
  expect(
    Object.entries({ ...ruleFiles, ...slowRuleFiles })
      .flat(2)
      .filter((file) => !existsSync(join(root, file))),
  ).toEqual([])
  const lines = (file: string) =>
    read(file)
      .split('\n')
      .map((line) => line.trim())
  expect(equivalents.filter(({ file, line }) => !lines(file).includes(line))).toEqual([])
})
