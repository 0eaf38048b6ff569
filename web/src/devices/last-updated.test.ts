import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatLastUpdated, lastUpdatedZone } from './last-updated.ts'

test.each([
  ['2025-11-20T07:59:59Z', '19 Nov 2025'],
  ['2025-11-20T08:00:00Z', '20 Nov 2025'],
  ['2025-07-01T07:30:00Z', '30 Jun 2025'],
  ['2025-09-02T12:00:00Z', '02 Sep 2025'],
  ['2026-01-01T00:00:00Z', '31 Dec 2025'],
])('[DSH-17] %s is shown as %s', (instant, day) => {
  expect(formatLastUpdated(instant)).toBe(day)
})

test('[DSH-17] is the day 8 hours before UTC, summer and winter', () => {
  expect(lastUpdatedZone).toBe('UTC−08:00')
  fc.assert(
    fc.property(fc.date({ min: new Date('2000-01-01'), max: new Date('2100-01-01'), noInvalidDate: true }), (instant) => {
      const shifted = new Date(instant.getTime() - 8 * 3_600_000)
      const [, day, month, year] = /^\w+, (\d+) (\w+) (\d+)/.exec(shifted.toUTCString()) ?? []
      expect(formatLastUpdated(instant.toISOString())).toBe(`${day} ${month} ${year}`)
    }),
  )
})
