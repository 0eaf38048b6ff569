import { expect, test } from 'vitest'
import { addDays, findMonday, findToday, formatWeekday, listDays } from './calendar-days.ts'

test('[NOW-05] the calendar begins with a Monday and has four weeks', () => {
  expect(['2026-11-22', '2026-11-23', '2026-11-29'].map(findMonday)).toEqual(['2026-11-16', '2026-11-23', '2026-11-23'])
  const days = listDays('2026-11-23')
  expect([days.length, days[0], days.at(-1)]).toEqual([28, '2026-11-23', '2026-12-20'])
  expect(addDays('2026-03-01', -1)).toBe('2026-02-28')
})

test('[NOW-05] a day has its year where that is another', () => {
  expect(formatWeekday('2026-12-03', '2026-11-25')).toBe('Thu 3 Dec')
  expect(formatWeekday('2027-01-04', '2026-11-25')).toBe('Mon 4 Jan 2027')
  expect(findToday(new Date('2026-11-25T23:30:00Z'), 'Asia/Tokyo')).toBe('2026-11-26')
})
