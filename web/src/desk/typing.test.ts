import fc from 'fast-check'
import { expect, test } from 'vitest'
import { type Burst, findPress, isSlow, noBurst, pauseAfter, press } from './typing.ts'

const type = (keys: readonly string[], gap: number | ((index: number) => number) = 5, ctrlKey = false): Burst => {
  let at = 1_000
  return keys.reduce((burst, key, index) => {
    at += index === 0 ? 0 : typeof gap === 'number' ? gap : gap(index)
    return press(burst, { key, ctrlKey, at })
  }, noBurst)
}

test('[DSK-04] keys that type nothing add nothing, whatever stands between them', () => {
  const silent = fc.constantFrom('Shift', 'Control', 'Alt', 'AltGraph', 'CapsLock', 'F1', 'Unidentified', 'ArrowLeft')
  const character = fc.string({ minLength: 1, maxLength: 1, unit: 'grapheme' }).filter((one) => [...one].length === 1)
  fc.assert(
    fc.property(fc.array(fc.oneof(silent, character)), (keys) => {
      const typed = keys.filter((key) => [...key].length === 1)
      expect(type(keys).text).toBe(typed.join(''))
    }),
  )
})

test('[DSK-04] a dead key types nothing, and its place is kept', () => {
  expect(type(['Dead', 'a', 'Dead', 'Dead', 'b'])).toMatchObject({ text: 'ab', keys: 2, deadKeys: [0, 1, 1] })
})

test('[DSK-04] Enter, Tab, and Ctrl with a letter are characters, as readers press them', () => {
  expect(type(['a', 'Enter', 'b', 'Tab', '/', '?', "'"]).text).toBe("a\nb\t/?'")
  expect(type(['a', ']', 'D', 'j'], 5, true).text).toBe('\x01\x1d\x04\n')
  // No NUL can be stored.
  expect(type(['@'], 5, true).text).toBe('@')
})

test('[DSK-04] slow is a median above 150 ms, whatever a few pauses are', () => {
  fc.assert(
    fc.property(fc.array(fc.integer({ min: 0, max: 2_000 }), { minLength: 1, maxLength: 200 }), (gaps) => {
      const burst = type(['x', ...gaps.map(() => 'x')], (index) => gaps[index - 1]!)
      const sorted = gaps.toSorted((a, b) => a - b)
      const half = gaps.length / 2
      // Of an even number the lower one: as many are above it as not.
      const median = sorted[Math.ceil(half) - 1]!
      const upper = sorted[Math.floor(half)]!
      if (median > 150) expect(isSlow(burst)).toBe(true)
      if (upper <= 150) expect(isSlow(burst)).toBe(false)
    }),
  )
  expect(isSlow(type([...'1234567890'], 151))).toBe(true)
  expect(isSlow(type([...'1234567890'], 150))).toBe(false)
  expect(isSlow(type([...'1234567890'], (index) => (index === 5 ? 3_000 : 4)))).toBe(false)
})

test('[DSK-04] the next key of a reader with any delay comes before its burst is over', () => {
  fc.assert(
    fc.property(fc.integer({ min: 0, max: 480 }), fc.integer({ min: 2, max: 400 }), (gap, count) => {
      const burst = type(
        Array.from({ length: count }, () => 'x'),
        gap,
      )
      expect(pauseAfter(burst)).toBeGreaterThan(gap)
      expect(pauseAfter(burst)).toBeLessThanOrEqual(3_000)
    }),
  )
})

test('[DSK-04] Enter and Esc are presses only where they come alone', () => {
  expect([findPress(type(['Enter'])), findPress(type(['Escape']))]).toEqual(['next', 'release'])
  expect(['a', 'Tab'].map((key) => findPress(type([key])))).toEqual([null, null])
  expect([findPress(type(['a', 'Enter'])), findPress(type(['Escape', 'Escape']))]).toEqual([null, null])
  expect(findPress(noBurst)).toBeNull()
})

test('[DSK-02] of more than 64 kB nothing more is kept, counted in UTF-8', () => {
  const of = (character: string, count: number) => type(Array.from({ length: count }, () => character))
  expect(of('x', 65_536)).toMatchObject({ isTooLong: false, keys: 65_536 })
  expect(of('x', 65_537)).toMatchObject({ isTooLong: true, keys: 65_537 })
  expect(of('x', 65_540).text).toHaveLength(65_536)
  expect([of('é', 32_768).isTooLong, of('é', 32_769).isTooLong]).toEqual([false, true])
})
