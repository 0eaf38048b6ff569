import { expect, test } from 'vitest'
import { decodeFile } from './decode-file.ts'

const bytes = (...values: number[]) => new Uint8Array(values)

test.each([
  ['UTF-8', bytes(0x67, 0x72, 0xc3, 0xbc, 0x6e), 'grün'],
  ['UTF-8', bytes(0xef, 0xbb, 0xbf, 0x61), 'a'],
  ['UTF-16', bytes(0xff, 0xfe, 0x67, 0, 0xfc, 0), 'gü'],
  ['UTF-16', bytes(0xfe, 0xff, 0, 0x67, 0, 0xfc), 'gü'],
  ['Windows-1252', bytes(0x67, 0x72, 0xfc, 0x6e, 0x80), 'grün€'],
] as const)('[INP-04] reads %s', (encoding, file, text) => {
  expect(decodeFile(file)).toEqual({ encoding, text })
})

test.each([
  ['a byte that Windows-1252 has not', bytes(0x67, 0xfc, 0x81)],
  ['a control character', bytes(0xfc, 0x01)],
  ['a NUL', bytes(0x61, 0)],
  ['UTF-16 that breaks off', bytes(0xff, 0xfe, 0x67)],
])('[INP-04] %s is in none of them', (_, file) => {
  expect(decodeFile(file)).toBeNull()
})
