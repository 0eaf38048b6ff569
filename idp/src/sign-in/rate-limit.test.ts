import { expect, test } from 'vitest'
import { createRateLimit, toAddressKey } from './rate-limit.ts'

test('refuses beyond the limit, returns the wait, and allows again after the window', () => {
  let time = 0
  const limit = createRateLimit({ limit: 2, windowSeconds: 60, now: () => time })
  expect([limit.take('a'), limit.take('a'), limit.take('a'), limit.take('b')]).toEqual([0, 0, 60, 0])
  time = 59_000
  expect(limit.take('a')).toBe(1)
  time = 60_000
  expect(limit.take('a')).toBe(0)
})

test('an attempt given back does not count', () => {
  const limit = createRateLimit({ limit: 1, windowSeconds: 60, now: () => 0 })
  expect(limit.take('a')).toBe(0)
  limit.refund('a')
  expect(limit.take('a')).toBe(0)
})

test('remembers a bounded number of keys', () => {
  const limit = createRateLimit({ limit: 1, windowSeconds: 60, capacity: 2, now: () => 0 })
  for (const key of ['a', 'b', 'c']) limit.take(key)
  expect([limit.take('c') > 0, limit.take('b') > 0, limit.take('a')]).toEqual([true, true, 0])
})

test.each([
  ['192.0.2.7', '192.0.2.7'],
  ['::ffff:192.0.2.7', '192.0.2.7'],
  ['2001:db8:1:2:aaaa::1', '2001:db8:1:2'],
  ['2001:db8:1:2:bbbb:1:2:3', '2001:db8:1:2'],
  ['2001:db8::5', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['unknown', 'unknown'],
])('counts %s as %s', (address, key) => {
  expect(toAddressKey(address)).toBe(key)
})
