import { type UpdateModel, updateModels } from '@lectern/contract/devices/device-models.ts'
import { encode } from 'uqr'
import { describe, expect, test } from 'vitest'
import { scanParts, scanSymbol } from './scan-barcode.ts'

const masks: ((x: number, y: number) => boolean)[] = [
  (x, y) => (x + y) % 2 === 0,
  (_, y) => y % 2 === 0,
  (x) => x % 3 === 0,
  (x, y) => (x + y) % 3 === 0,
  (x, y) => (Math.floor(x / 3) + Math.floor(y / 2)) % 2 === 0,
  (x, y) => ((x * y) % 2) + ((x * y) % 3) === 0,
  (x, y) => (((x * y) % 2) + ((x * y) % 3)) % 2 === 0,
  (x, y) => (((x + y) % 2) + ((x * y) % 3)) % 2 === 0,
]

/** Reads the mode and the bytes of a symbol with one block (versions 1 to 5, level L), as the standard has it. The encoder is not used. */
function read(modules: boolean[][]) {
  const size = modules.length
  const version = (size - 17) / 4
  const at = (x: number, y: number) => modules[y]?.[x] === true
  const format = Array.from({ length: 5 }, (_, bit) => Number(at(bit, 8))).reduce((all, bit) => all * 2 + bit, 0) ^ 0b10101
  const mask = masks[format & 7]!
  const alignment = version === 1 ? -99 : size - 7
  const isFunction = (x: number, y: number) =>
    (x < 9 && y < 9) ||
    (x >= size - 8 && y < 9) ||
    (x < 9 && y >= size - 8) ||
    x === 6 ||
    y === 6 ||
    (Math.abs(x - alignment) <= 2 && Math.abs(y - alignment) <= 2)
  const bits: number[] = []
  for (let right = size - 1, up = true; right > 0; right -= 2, up = !up) {
    if (right === 6) right--
    for (let step = 0; step < size; step++)
      for (const x of [right, right - 1]) {
        const y = up ? size - 1 - step : step
        if (!isFunction(x, y)) bits.push(Number(at(x, y) !== mask(x, y)))
      }
  }
  const number = (from: number, length: number) => bits.slice(from, from + length).reduce((all, bit) => all * 2 + bit, 0)
  return {
    level: format >> 3,
    mode: number(0, 4),
    bytes: Array.from({ length: number(4, 8) }, (_, index) => number(12 + 8 * index, 8)),
  }
}

/** Returns the symbol's modules without its quiet zone, from its SVG path. */
function toModules({ size, path }: { size: number; path: string }): boolean[][] {
  const rows = Array.from({ length: size }, () => Array.from({ length: size }, () => false))
  for (const [, x, y, width] of path.matchAll(/M(\d+) (\d+)h(\d+)/g))
    for (let at = 0; at < Number(width); at++) rows[Number(y)]![Number(x) + at] = true
  const quiet = [...rows.slice(0, 4), ...rows.slice(-4), ...rows.map((row) => [...row.slice(0, 4), ...row.slice(-4)])].flat()
  expect(quiet.every((dark) => !dark)).toBe(true)
  return rows.slice(4, -4).map((row) => row.slice(4, -4))
}

describe('scan barcode', () => {
  test('[CFG-09] has 2 parts for CR2700, 5 for A271/2 and 3 for every other model', () => {
    const parts = Object.fromEntries(updateModels.map((model) => [model, scanParts(model).length]))
    expect(parts).toEqual({ CR1100: 3, CR2700: 2, 'A271/2': 5, CR1500: 3, CR5200: 3, V1300: 3, V4500: 3 })
  })

  test('[CFG-08] the command that makes a reader send its configuration is CFG', () => {
    const [first] = scanParts('CR2700')
    expect(read(toModules(scanSymbol(first!.commands))).bytes).toEqual([0x01, 0x59, 0x1d, 0x02, 0x43, 0x46, 0x47, 0x03, 0x04])
  })

  test('[EVI-02] only what a document gives for a model is drawn; every other part keeps its place, without a command', () => {
    const CFG = ['CFG']
    const relayed = ['BTBRXCM[BTCMPRD1]', 'BTBRXCM[CFG]', 'BTBRXCM[BTCMPRD0]']
    expect(Object.fromEntries(updateModels.map((model) => [model, scanParts(model).map(({ commands }) => commands)]))).toEqual({
      CR1100: [CFG, [], []],
      CR2700: [CFG, relayed],
      'A271/2': [relayed, [], [], [], []],
      CR1500: [CFG, [], []],
      CR5200: [CFG, [], []],
      V1300: [[], [], []],
      V4500: [[], [], []],
    })
  })

  test('[EVI-01] the guide is certain for the CR2700 only; that a command is this part is inferred for a base', () => {
    const evidence = (model: UpdateModel) => scanParts(model).map((part) => part.evidence)
    expect(evidence('CR2700')).toEqual(['published', 'inferred'])
    for (const model of ['CR1100', 'CR1500', 'CR5200'] as const) expect(evidence(model)).toEqual(['secondary', 'unknown', 'unknown'])
    expect(evidence('A271/2')).toEqual(['inferred', 'unknown', 'unknown', 'unknown', 'unknown'])
    expect(evidence('V4500')).toEqual(['unknown', 'unknown', 'unknown'])
  })

  test('a part says what its scan makes happen, one without a command nothing', () => {
    const does = (model: UpdateModel) => scanParts(model).map((part) => part.does)
    const [reader, base] = [
      'the reader sends its whole configuration, as keystrokes',
      'the reader that is paired with the charging base sends the configuration of the base, as keystrokes',
    ]
    expect([does('CR2700'), does('CR1500')]).toEqual([
      [reader, base],
      [reader, '', ''],
    ])
  })

  test.each(scanParts('CR2700'))('[CFG-08] is a QR symbol of level L in byte mode that reads back: $commands', ({ commands }) => {
    const symbol = read(toModules(scanSymbol(commands)))
    expect(symbol).toEqual({ level: 0b01, mode: 0b0100, bytes: [...Buffer.from(`\x01Y\x1d\x02${commands.join('\x03')}\x03\x04`)] })
  })

  test('a symbol is one path of bars', () => {
    expect(scanSymbol(['CFG']).path).toMatch(/^(M\d+ \d+h(\d+)v1h-\2z)+$/)
  })

  test('the reading of symbols in this file does not depend on the command', () => {
    const bytes = [0, 255, 127, 1, 2, 3]
    expect(read(encode(bytes, { ecc: 'L', border: 0 }).data).bytes).toEqual(bytes)
  })
})
