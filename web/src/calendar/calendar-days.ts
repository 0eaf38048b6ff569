import { formatDate } from '@lectern/contract/publications/zone-clock.ts'

const dayLength = 86_400_000
export const shownDays = 28

/** Today in a time zone, as `YYYY-MM-DD`. */
export const findToday = (now: Date, timeZone: string): string =>
  new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short' }).format(now)

export const addDays = (date: string, days: number): string => formatDate(Date.parse(date) + days * dayLength)

/** The Monday of the day's week. */
export const findMonday = (date: string): string => addDays(date, -((new Date(date).getUTCDay() + 6) % 7))

export const listDays = (from: string): string[] => Array.from({ length: shownDays }, (_, index) => addDays(from, index))

/** "Mon 3 Dec"; with the year where it differs from today's. */
export const formatWeekday = (date: string, today: string): string =>
  new Intl.DateTimeFormat('en-GB', {
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    timeZone: 'UTC',
    ...(date.slice(0, 4) !== today.slice(0, 4) && { year: 'numeric' }),
  })
    .format(new Date(date))
    .replace(',', '')
