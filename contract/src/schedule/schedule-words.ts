import { counted } from '../text/numbers.ts'
import { type Weekday, type Window, weekdays } from './open-times.ts'

export const weekdayNames: Readonly<Record<Weekday, string>> = {
  mon: 'Mon',
  tue: 'Tue',
  wed: 'Wed',
  thu: 'Thu',
  fri: 'Fri',
  sat: 'Sat',
  sun: 'Sun',
}

// "Mon to Fri", "Sat, Sun", "every day".
export function formatDays(days: readonly Weekday[]): string {
  const chosen = weekdays.filter((each) => days.includes(each))
  const [first, last] = [chosen[0], chosen.at(-1)]
  if (!first || !last) return 'no day'
  if (chosen.length === weekdays.length) return 'every day'
  const isRow = weekdays.indexOf(last) - weekdays.indexOf(first) + 1 === chosen.length
  return isRow && chosen.length > 2
    ? `${weekdayNames[first]} to ${weekdayNames[last]}`
    : chosen.map((each) => weekdayNames[each]).join(', ')
}

// "Mon to Fri 22:00 to 04:00".
export const formatWindow = ({ days, from, to }: Window): string =>
  `${formatDays(days)} ${from === to ? `${from} for 24 hours` : `${from} to ${to}`}`

// "24 Dec 2026 to 26 Dec 2026".
export function formatBlocked({ from, to }: { from: string; to: string }): string {
  const format = (date: string) =>
    new Intl.DateTimeFormat('en-GB', { day: 'numeric', month: 'short', year: 'numeric', timeZone: 'UTC' }).format(new Date(date))
  return from === to ? format(from) : `${format(from)} to ${format(to)}`
}

const named = 3

const listed = (names: readonly string[]): string =>
  names.length > named ? `${names.slice(0, named).join('; ')} and ${counted(names.length - named, 'other')}` : names.join('; ')

/** For the audit log. `windows`: null where they are the organization's. */
export function formatSchedule(schedule: {
  windows: readonly Window[] | null
  blockedDays: readonly { from: string; to: string }[]
}): string {
  const { windows, blockedDays } = schedule
  const open = windows === null ? "the organization's windows" : windows.length === 0 ? 'at any time' : listed(windows.map(formatWindow))
  return blockedDays.length === 0 ? open : `${open}, not on ${listed(blockedDays.map(formatBlocked))}`
}
