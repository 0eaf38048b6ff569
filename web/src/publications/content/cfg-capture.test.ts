import { isClosedCfg } from '@lectern/contract/publications/cfg.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { capturedText, getCaptureState, holdsPointer } from './cfg-capture.ts'

test.each([
  ['', ''],
  ['cfg>', '<cfg>'],
  ['<cfg>', '<cfg>'],
  ['\n  <cfg>', '<cfg>'],
  ['   ', ''],
])('[CFG-10] puts a leading "<" before text that lacks it: %j', (typed, text) => {
  expect(capturedText(typed)).toBe(text)
})

test('[CFG-10] whatever is typed, the text is empty or starts with "<", and a second time changes nothing', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary' }), (typed) => {
      const text = capturedText(typed)
      expect(text === '' || text.startsWith('<')).toBe(true)
      expect(text.endsWith(typed.trimStart())).toBe(true)
      expect(capturedText(text)).toBe(text)
    }),
  )
})

test.each([
  ['', '<cfg', true],
  ['<cfg>', '<cfg><a/></cfg', true],
  ['<cfg></cfg', '<cfg></cfg>', false],
  ['<cfg></cfg', '<cfg></cfg>\n', false],
  ['<cfg><a', '<cfg><', false],
  ['<cfg><a', '<cfg><b', true],
  // The closing tag of another element than the first ends nothing.
  ['<cfg><a></a', '<cfg><a></a>', true],
])('[CFG-12] from %j to %j the pointer stays held: %s', (before, after, held) => {
  expect(holdsPointer(before, after)).toBe(held)
})

test('[CFG-12] typed character by character, a CFG holds the pointer up to its last character and no longer', () => {
  fc.assert(
    fc.property(fc.stringMatching(/^[a-z]{1,8}$/), fc.stringMatching(/^[^<>]{0,40}$/), (name, content) => {
      const cfg = `<${name}>${content}</${name}>`
      const held = Array.from(cfg, (_, index) => holdsPointer(cfg.slice(0, index), cfg.slice(0, index + 1)))
      expect(held).toEqual(Array.from(cfg, (_, index) => index < cfg.length - 1))
      expect(isClosedCfg(cfg)).toBe(true)
    }),
  )
})

test.each([
  ['', false, 'waiting'],
  ['<cfg>', true, 'receiving'],
  ['<cfg>', false, 'paused'],
  ['<cfg></cfg>', true, 'complete'],
  ['<cfg></cfg>', false, 'complete'],
] as const)('%j, active %s: %s', (text, active, state) => {
  expect(getCaptureState(text, active)).toBe(state)
})
