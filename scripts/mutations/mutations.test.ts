import { existsSync, readFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
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

test('no mutation is written down twice, and the file of each test is there', () => {
  expect(new Set(mutations.map(({ file, text, replacement }) => JSON.stringify([file, text, replacement])))).toHaveLength(mutations.length)
  expect(mutations.filter(({ testFile }) => !existsSync(join(root, testFile)))).toEqual([])
})

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
