import { isClosedCfg } from '@lectern/contract/publications/cfg.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Burst, capturedText, continueBurst, findSecondScan, getCaptureState, holdsPointer } from './cfg-capture.ts'

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
  // Only the closing tag of the first element ends the text.
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

/** Types keys behind a text, each so many milliseconds after the one before. Returns the second scan, or null. */
function type(text: string, keys: string, pause: number, first = 1_000) {
  let burst: Burst = { before: '', at: 0 }
  let at = 0
  for (const [index, key] of [...keys].entries()) {
    at += index === 0 ? first : pause
    burst = continueBurst(burst, text, text + key, at)
    text += key
    const second = findSecondScan(burst, text)
    if (second !== null) return { second, first: burst.before }
  }
  return null
}

test.each([
  ['<cfg>1</cfg>', '<cfg>2</cfg>', '<cf'],
  ['<cfg>1</cfg>\n', '<net>2</net>', '<ne'],
  ['<cfg>12', '<cfg>1', '<cfg>'],
])('[INP-03] behind %j keys at scanner speed that begin %j are a second scan, and by hand never', (text, keys, second) => {
  expect(type(text, keys, 10)).toEqual({ second, first: text })
  expect(type(text, keys, 120)).toBeNull()
})

test('[INP-03] a scan that follows at once is a second one too; one that pauses within its text is not', () => {
  expect(type('<cfg>1</cf', 'g><cfg>1</cfg>', 10, 10)).toEqual({ second: '<cf', first: '<cfg>1</cfg>' })
  expect(type('<cfg>1', '<net>2</net></cfg>', 10)).toBeNull()
  expect(type('<cfg>1', '2<cfg></cfg>', 10)).toBeNull()
  expect(type('', '<cfg><cfg>1</cfg></cfg>', 10)).toBeNull()
  // A pasted text is no key.
  expect(findSecondScan(continueBurst({ before: '', at: 0 }, '<a>1</a>', '<a>1</a><a>2</a>', 5_000), '<a>1</a><a>2</a>')).toBeNull()
})
