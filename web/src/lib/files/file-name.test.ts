import { expect, test } from 'vitest'
import { parseFileName } from './file-name.ts'

test.each([
  ['attachment; filename="devices.csv"', 'devices.csv'],
  ['attachment; filename=devices.csv', 'devices.csv'],
  ['attachment; filename="a \\"b\\".csv"', 'a "b".csv'],
  ['attachment; filename="zone; 1.csv"', 'zone; 1.csv'],
  [`attachment; filename="fallback.csv"; filename*=UTF-8''Z%C3%BCrich.csv`, 'Zürich.csv'],
  [`attachment; filename*=UTF-8''%E0%A4%A; filename=plain.csv`, 'plain.csv'],
  ['attachment; filename="../../etc/passwd"', 'passwd'],
])('reads %s', (header, name) => {
  expect(parseFileName(header)).toBe(name)
})

test.each([null, 'attachment', 'inline; filename=""'])('finds no name in %s', (header) => {
  expect(parseFileName(header)).toBeUndefined()
})
