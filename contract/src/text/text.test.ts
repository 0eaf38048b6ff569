import fc from 'fast-check'
import { expect, test } from 'vitest'
import { zoneName, zoneNameLimit } from '../zones.ts'
import { byteLength, truncateToBytes, unusableName } from './text.ts'

const anyText = fc.string({
  unit: fc.oneof(fc.constantFrom('👩‍⚕️', '🇩🇪', 'é', 'e\u0301', '한', ' ', 'a'), fc.string({ unit: 'grapheme', maxLength: 2 })),
  maxLength: 60,
})
const graphemes = (text: string) => [...new Intl.Segmenter().segment(text)].map(({ segment }) => segment)

test('[ZON-06 ZON-07] a text is cut to the longest beginning of whole characters that fits', () => {
  fc.assert(
    fc.property(anyText, fc.nat(200), (text, limit) => {
      const cut = truncateToBytes(text, limit)
      const whole = graphemes(text)
      const kept = graphemes(cut)
      expect(text.startsWith(cut)).toBe(true)
      expect(byteLength(cut)).toBeLessThanOrEqual(limit)
      expect(kept).toEqual(whole.slice(0, kept.length))
      if (cut !== text) expect(byteLength(cut + whole[kept.length])).toBeGreaterThan(limit)
    }),
    { numRuns: 500, seed: 20_260_305 },
  )
})

test('[ZON-06] the limit is 1024 bytes, less those of the organization id, less 2, less 50', () => {
  expect(zoneNameLimit('')).toBe(972)
  expect(zoneNameLimit('0198c0de-0001-7000-8000-000000000001')).toBe(936)
  expect(zoneNameLimit('größe')).toBe(1024 - 7 - 2 - 50)
})

test('[ZON-06 ZON-07] a name is trimmed, cut, and does not end with a blank because it was cut', () => {
  expect(zoneName('  ICU \n', '')).toBe('ICU')
  expect(zoneName(`${'x'.repeat(971)} y`, '')).toBe('x'.repeat(971))
  expect(zoneName(`${'x'.repeat(970)}👩‍⚕️`, '')).toBe('x'.repeat(970))
  fc.assert(
    fc.property(anyText, fc.integer({ min: 900, max: 960 }), (text, length) => {
      const name = zoneName(text.repeat(12), 'o'.repeat(length))
      expect(name).toBe(name.trim())
      expect(byteLength(name)).toBeLessThanOrEqual(972 - length)
      expect(zoneName(name, 'o'.repeat(length))).toBe(name)
    }),
    { numRuns: 200, seed: 20_260_306 },
  )
})

test('names that cannot travel or be kept are refused in words', () => {
  expect(unusableName('.')).toBe('"." cannot be used as a name.')
  expect(unusableName('..')).toBe('".." cannot be used as a name.')
  expect(unusableName('a\0')).toMatch(/NUL/)
  expect(unusableName('\ud83c')).toMatch(/lone surrogate/)
  for (const name of ['...', '.a', 'a/b', '🏥', '', '%2E']) expect(unusableName(name)).toBeNull()
})
