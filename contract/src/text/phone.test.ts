import fc from 'fast-check'
import { expect, test } from 'vitest'
import { isPhoneNumber, PhoneNumber } from './phone.ts'

test.for([
  '+1 503 555 0188',
  '(503) 555-0188',
  '503.555.0188',
  '+49 (0)30/1234567',
  '+44 20 7946 0958 x12',
  '+44 20 7946 0958 ext. 123',
  '030 1234-567 #9',
  '+1\u00a0503\u00a0555‑0188',
  '12345',
])('reads %j as a phone number', (text) => {
  expect(PhoneNumber.safeParse(text).success).toBe(true)
})

test.for([
  '',
  ' ',
  '+',
  '1234',
  '1234567890123456',
  '503 555 O188',
  '++15035550188',
  '1+5035550188',
  '555-CALL',
  'x12',
  '12345 x',
  '503\n555\n0188',
  '12345\0',
])('does not read %j as one', (text) => {
  expect(PhoneNumber.safeParse(text).success).toBe(false)
})

const digit = fc.constantFrom(...'0123456789')
const between = fc.constantFrom('', ' ', '-', '.', '/', ') (', '\u202f', '–')

test('[VAL-04] 5 to 15 digits are one, however they are parted, and no other amount', () => {
  fc.assert(
    fc.property(fc.boolean(), fc.array(fc.tuple(digit, between), { maxLength: 20 }), (plus, parts) => {
      const text = `${plus ? '+' : ''}${parts.flat().join('')}`
      expect(isPhoneNumber(text)).toBe(parts.length >= 5 && parts.length <= 15)
    }),
    { seed: 20_261_121 },
  )
})

test('whatever is one is a single line of at most 40 characters with 5 digits in it', () => {
  const text = fc
    .array(fc.constantFrom(...'0123456789+-. ()/x#ext\n\t\0a', 'ä', '٣', '５'), { maxLength: 45 })
    .map((parts) => parts.join(''))
  fc.assert(
    fc.property(fc.oneof(text, fc.string({ unit: 'binary' })), (one) => {
      if (!PhoneNumber.safeParse(one).success) return
      expect(one.length).toBeLessThanOrEqual(40)
      expect(one).not.toMatch(/\p{Cc}/u)
      expect(one.replace(/[^0-9]/g, '').length).toBeGreaterThanOrEqual(5)
    }),
    { numRuns: 5_000, seed: 20_261_121 },
  )
})

test('what is none is refused in words', () => {
  expect(PhoneNumber.safeParse('1234').error?.issues[0]?.message).toBe('must be a phone number, such as +1 503 555 0188')
})
