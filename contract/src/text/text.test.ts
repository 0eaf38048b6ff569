import fc from 'fast-check'
import { expect, test } from 'vitest'
import { zoneName, zoneNameLimit } from '../zones.ts'
import { cleanName } from './clean-name.ts'
import {
  byteLength,
  CalendarDate,
  Instant,
  isVisible,
  Line,
  Name,
  OptionalLine,
  Text,
  truncateToBytes,
  Uuid,
  unusableName,
} from './text.ts'

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
  expect(unusableName('a\nb')).toBe('The name has a character that cannot be shown, such as a line break.')
  expect(unusableName('\ud83c')).toMatch(/lone surrogate/)
  for (const name of ['...', '.a', 'a/b', '🏥', '', '%2E']) expect(unusableName(name)).toBeNull()
})

test.each([
  ['\u200b', 'The name has a character that cannot be seen.'],
  ['ICU\u200b3', 'The name has a character that cannot be seen.'],
  ['ICU\u00ad3', 'The name has a character that cannot be seen.'],
  ['ICU\u200e', 'The name has a character that cannot be seen.'],
  // Joiners between letters and between pictures belong to the name.
  ['می\u200cخواهم', null],
  ['क्\u200dष', null],
  ['👩🏽\u200d⚕️', null],
  ['a\u200d', 'The name has a character that cannot be seen.'],
  ['a\u200d 1', 'The name has a character that cannot be seen.'],
])('[INP-02] as a name, what is wrong with %j', (name, problem) => {
  expect(unusableName(name)).toBe(problem)
  expect(Name(64).safeParse(name).success).toBe(problem === null)
})

test.each(['\u200b', '\u3164', '\u00ad', '\u115f', '\uffa0', '\u2800', '\u2060', '\ufe0f', ' \u3000 ', '\ufeff'])(
  '[INP-02] %j shows nothing, so it is no name',
  (name) => {
    expect(isVisible(name)).toBe(false)
    expect(
      Name(64)
        .safeParse(name)
        .error?.issues.map(({ message }) => message),
    ).toContain('must not be empty')
    expect(
      Line(64)
        .safeParse(name)
        .error?.issues.map(({ message }) => message),
    ).toContain('must not be empty')
  },
)

test('[INP-02] a name is stored without white space around it, each character in one form', () => {
  expect(Name(64).parse('\u00a0 Bu\u0308ro\t\ufeff')).toBe('B\u00fcro')
  expect(cleanName(' e\u0301 ')).toBe('\u00e9')
  expect(zoneName('Bu\u0308ro', '')).toBe('B\u00fcro')
})

const half = '\ud83c'
const tooLong = 'must have at most 3 characters'
const noDate = 'must be a date, such as 2027-01-31'
const noInstant = 'must be an instant in UTC, such as 2027-01-31T08:30:00Z'

test.for([
  ['a line', 'a b', Line(3), []],
  ['a line', 'abcd', Line(3), [tooLong]],
  ['a line', '', Line(3), ['must not be empty']],
  ['a line', '  ', Line(3), ['must not be empty']],
  ['a line', 'a\nb', Line(3), ['must not have control characters']],
  ['a line', 'a\u202eb', Line(3), ['must not have characters that change the direction of text']],
  ['a line', '\u2066\u2069', OptionalLine(3), ['must not have characters that change the direction of text']],
  ['a line', 'שלום', Line(4), []],
  ['a line', half, Line(3), ['must not have control characters']],
  ['a line that may be empty', '', OptionalLine(3), []],
  ['a line that may be empty', 'abcd', OptionalLine(3), [tooLong]],
  ['a text', 'a\nb', Text(3), []],
  ['a text', '', Text(3), []],
  ['a text', 'abcd', Text(3), [tooLong]],
  ['a text', 'a\0', Text(3), ['must be text']],
  ['a text', half, Text(3), ['must be text']],
  ['a date', '2028-02-29', CalendarDate, []],
  ['a date', '2027-02-29', CalendarDate, [noDate]],
  ['a date', '0000-01-31', CalendarDate, ['must not be in the year 0']],
  ['a date', '0000-13-31', CalendarDate, [noDate]],
  ['an instant', '2027-01-31T08:30:00Z', Instant, []],
  ['an instant', '2027-01-31T08:30:00+01:00', Instant, [noInstant]],
  ['an instant', '0000-01-31T08:30:00Z', Instant, ['must not be in the year 0']],
  ['an id', '0198c0de-0001-7000-8000-000000000001', Uuid, []],
  ['an id', '0198c0de', Uuid, ['must be an id']],
] as const)('as %s, what is wrong with %j', ([, text, schema, problems]) => {
  expect(schema.safeParse(text).error?.issues.map(({ message }) => message) ?? []).toEqual(problems)
})
