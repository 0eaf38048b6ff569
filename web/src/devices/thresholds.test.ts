import fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { countWholeMonths, rateBattery, readLastSeen, readWarranty } from './thresholds.ts'

const now = new Date('2026-01-15T12:00:00Z')
const daysAgo = (days: number) => new Date(now.getTime() - days * 86_400_000).toISOString()
const order = { bad: 0, warn: 1, ok: 2, unknown: 3 }
const day = fc
  .date({ min: new Date('2000-01-01'), max: new Date('2060-12-31'), noInvalidDate: true })
  .map((date) => date.toISOString().slice(0, 10))

/** A day so many months later, the way PostgreSQL adds them. */
function plusMonths(from: string, months: number): string {
  const [year = 0, month = 0, date = 0] = from.split('-').map(Number)
  const last = new Date(Date.UTC(year, month + months, 0)).getUTCDate()
  return new Date(Date.UTC(year, month - 1 + months, Math.min(date, last))).toISOString().slice(0, 10)
}

describe('last seen', () => {
  test.each([
    [0, 'ok', '0'],
    [1.999, 'ok', '1'],
    [2, 'warn', '2'],
    [3.999, 'warn', '3'],
    [4, 'bad', '4'],
    [46.5, 'bad', '46'],
    [-0.5, 'ok', '0'],
  ])('[LIM-04] %d days ago is %s and says %s', (days, kind, text) => {
    expect(readLastSeen(daysAgo(days), now)).toEqual({ kind, text })
  })

  test('[LIM-04] the number on screen and the colour never contradict each other', () => {
    fc.assert(
      fc.property(fc.double({ min: -10, max: 400, noNaN: true }), (days) => {
        const { kind, text } = readLastSeen(daysAgo(days), now)
        expect(kind).toBe(Number(text) < 2 ? 'ok' : Number(text) < 4 ? 'warn' : 'bad')
      }),
    )
  })

  test('what is no instant is unknown', () => {
    expect(readLastSeen('yesterday', now)).toEqual({ kind: 'unknown', text: '?' })
  })
})

test.each([
  [100, 'ok'],
  [75, 'ok'],
  [74.9, 'warn'],
  [25, 'warn'],
  [24.9, 'bad'],
  [0, 'bad'],
])('[LIM-05] a battery of %d%% is %s', (percent, kind) => {
  expect(rateBattery(percent)).toBe(kind)
})

describe('whole months', () => {
  test.each([
    ['2026-01-15', '2026-01-15', 0],
    ['2026-01-15', '2026-02-14', 0],
    ['2026-01-15', '2026-02-15', 1],
    ['2026-01-31', '2026-02-28', 1],
    ['2024-01-31', '2024-02-28', 0],
    ['2024-01-31', '2024-02-29', 1],
    ['2026-01-15', '2026-01-14', -1],
    ['2026-01-15', '2028-01-15', 24],
    ['2025-12-31', '2026-01-30', 0],
  ])('from %s to %s are %d', (from, to, months) => {
    expect(countWholeMonths(from, to)).toBe(months)
  })

  test('are the most months that can be added without passing the end', () => {
    fc.assert(
      fc.property(day, day, (from, to) => {
        const months = countWholeMonths(from, to)
        expect(plusMonths(from, months) <= to).toBe(true)
        expect(plusMonths(from, months + 1) > to).toBe(true)
      }),
    )
  })
})

describe('warranty', () => {
  test.each([
    ['2028-01-15', 'ok', '24'],
    ['2028-01-14', 'warn', '23'],
    ['2026-06-15', 'warn', '5'],
    ['2026-06-14', 'bad', '4'],
    ['2026-02-15', 'bad', '1'],
    ['2026-02-14', 'bad', '<1'],
    ['2026-01-16', 'bad', '<1'],
  ])('[LIM-06] until %s is %s and says %s', (until, kind, text) => {
    expect(readWarranty(until, now)).toEqual({ kind, text })
  })

  test.each(['2026-01-15', '2026-01-14', '2019-05-01'])('[LIM-07] until %s has expired', (until) => {
    expect(readWarranty(until, now)).toEqual({ kind: 'bad', text: 'Expired' })
  })

  test('[LIM-07] an unknown one says "?"', () => {
    expect(readWarranty(undefined, now)).toEqual({ kind: 'unknown', text: '?' })
    expect(readWarranty('never', now)).toEqual({ kind: 'unknown', text: '?' })
  })

  test('a longer warranty is never worse', () => {
    fc.assert(
      fc.property(day, day, (one, other) => {
        const [sooner, later] = [one, other].sort() as [string, string]
        expect(order[readWarranty(later, now).kind]).toBeGreaterThanOrEqual(order[readWarranty(sooner, now).kind])
      }),
    )
  })
})
