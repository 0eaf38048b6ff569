import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'

const folder = join(import.meta.dirname, '../../docs/decisions')
const index = readFileSync(join(folder, 'README.md'), 'utf8')
const entries = [...index.matchAll(/^- (~~)?\[(\d+)\]\((.+?)\) .+?(?:~~)?(?: \((\d+(?:, \d+)*)\))?$/gm)].map(
  ([, struck, number, file, later]) => ({
    isStruck: struck !== undefined,
    number: Number(number),
    file: file!,
    later: later?.split(', ').map(Number) ?? [],
  }),
)

test('the index has each decision once, under its number', () => {
  const files = readdirSync(folder).filter((name) => name !== 'README.md')
  expect(entries.map(({ file }) => file).sort()).toEqual(files.sort())
  expect(entries.filter(({ number, file }) => !file.startsWith(`${String(number).padStart(4, '0')}-`))).toEqual([])
})

test('what supersedes a decision is a later one that names it, or that it names', () => {
  const read = (number: number) => readFileSync(join(folder, entries.find((one) => one.number === number)?.file ?? 'README.md'), 'utf8')
  const names = (text: string, file: string) => text.includes(`(${file})`)
  const wrong = entries.flatMap(({ number, file, later, isStruck }) => {
    if (isStruck && later.length === 0) return [`${number} is struck out, and nothing supersedes it`]
    return later
      .filter((one) => one < number || !(names(read(one), file) || names(read(number), entries.find((e) => e.number === one)?.file ?? '-')))
      .map((one) => `${number} is not superseded by ${one}`)
  })
  expect(wrong).toEqual([])
})
