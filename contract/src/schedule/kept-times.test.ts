import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startInstant } from '../publications/update-time.ts'
import { type BlockedDays, type OpenTimes, type Window, weekdays } from './open-times.ts'

const newYork = 'America/New_York'
const weekend: Window[] = [{ days: ['sat', 'sun'], from: '01:00', to: '05:00' }]
const nights: Window[] = [{ days: ['fri', 'sat'], from: '22:00', to: '04:00' }]
const on = (from: string, to = from): BlockedDays => ({ from, to })

interface Case {
  at: string
  time: string
  windows: Window[]
  blocked?: BlockedDays[]
  now?: string
  stop?: string
  zone?: string
}

function start({ at, time, windows, blocked = [], now = at, stop, zone = newYork }: Case) {
  const times = { updateTime: time, stopTime: stop ?? null, openTimes: { windows, blockedDays: blocked } }
  return startInstant(new Date(at), times, zone, new Date(now)).toISOString().replace(':00.000Z', 'Z')
}

// 5 November 2026 is a Thursday; in New York it is 5 hours before UTC then.
const thursday = '2026-11-05T15:00Z'
test.for<[string, Case, string]>([
  ['is kept on the first day of its window', { at: thursday, time: '02:00', windows: weekend }, '2026-11-07T07:00Z'],
  ['is kept the day before as well', { at: '2026-11-06T15:00Z', time: '02:00', windows: weekend }, '2026-11-07T07:00Z'],
  [
    'is kept on the day after a blocked one',
    { at: thursday, time: '02:00', windows: weekend, blocked: [on('2026-11-07')] },
    '2026-11-08T07:00Z',
  ],
  [
    'is kept a week later where all of the weekend is blocked',
    { at: thursday, time: '02:00', windows: weekend, blocked: [on('2026-11-07', '2026-11-08')] },
    '2026-11-14T07:00Z',
  ],
  ['at the begin of the window is within it', { at: thursday, time: '01:00', windows: weekend }, '2026-11-07T06:00Z'],
  ['at the end of the window is outside it', { at: thursday, time: '05:00', windows: weekend }, '2026-11-07T06:00Z'],
  ['outside every window is the begin of the next', { at: thursday, time: '12:00', windows: weekend }, '2026-11-07T06:00Z'],
  [
    'waits past windows that do not have it',
    { at: thursday, time: '02:00', windows: [...weekend, { days: ['fri'], from: '10:00', to: '12:00' }] },
    '2026-11-07T07:00Z',
  ],
  ['after midnight is that of the day after its window began', { at: thursday, time: '02:00', windows: nights }, '2026-11-07T07:00Z'],
  ['before midnight is that of the day on which its window began', { at: thursday, time: '23:00', windows: nights }, '2026-11-07T04:00Z'],
  [
    'after midnight stays open where the day before is blocked',
    { at: thursday, time: '02:00', windows: nights, blocked: [on('2026-11-06')] },
    '2026-11-07T07:00Z',
  ],
  [
    'after midnight is not on its own blocked day',
    { at: thursday, time: '02:00', windows: nights, blocked: [on('2026-11-07')] },
    '2026-11-08T07:00Z',
  ],
  [
    'is in a window of 24 hours also before its begin',
    { at: thursday, time: '09:00', windows: [{ days: ['sat'], from: '10:00', to: '10:00' }] },
    '2026-11-08T14:00Z',
  ],
  [
    'of which every day is blocked for a year is the begin of the next window',
    {
      at: thursday,
      time: '02:00',
      windows: [
        { days: ['mon'], from: '01:00', to: '05:00' },
        { days: ['tue'], from: '10:00', to: '11:00' },
      ],
      blocked: Array.from({ length: 60 }, (_, week) => on(new Date(Date.UTC(2026, 10, 9 + 7 * week)).toISOString().slice(0, 10))),
    },
    '2026-11-10T15:00Z',
  ],
  ['is kept every day without a window', { at: thursday, time: '02:00', windows: [], blocked: [on('2026-11-06')] }, '2026-11-07T07:00Z'],
  [
    'is kept on later days too: what is not done by the end of Sunday goes on next Saturday',
    { at: thursday, now: '2026-11-08T10:00Z', time: '02:00', windows: weekend },
    '2026-11-14T07:00Z',
  ],
  [
    'ends its day with its stop time',
    { at: thursday, now: '2026-11-07T08:00Z', time: '02:00', stop: '03:00', windows: weekend },
    '2026-11-08T07:00Z',
  ],
])('[RIT-04] a chosen time %s', ([, each, expected]) => expect(start(each)).toBe(expected))

// The clock skips from 02:00 to 03:00 on Sunday, 8 March 2026, and shows 01:00 to 02:00 twice on Sunday, 1 November.
test.for<[string, Case, string]>([
  [
    'is the first after the gap',
    { at: '2026-03-05T15:00Z', time: '02:30', windows: [{ days: ['sun'], from: '01:00', to: '05:00' }] },
    '2026-03-08T07:00Z',
  ],
  [
    'whose window is in the gap is a week later',
    { at: '2026-03-05T15:00Z', time: '02:30', windows: [{ days: ['sun'], from: '02:00', to: '03:00' }] },
    '2026-03-15T06:30Z',
  ],
  [
    'in the gap does not become a window of another time',
    {
      at: '2026-03-05T15:00Z',
      time: '02:30',
      windows: [
        { days: ['sat'], from: '02:00', to: '03:00' },
        { days: ['sun'], from: '03:00', to: '04:00' },
      ],
      blocked: [on('2026-03-07')],
    },
    '2026-03-14T06:30Z',
  ],
  [
    'that comes twice is the first',
    { at: '2026-10-29T15:00Z', time: '01:30', windows: [{ days: ['sun'], from: '01:00', to: '05:00' }] },
    '2026-11-01T05:30Z',
  ],
])('[RIT-04] with a change of the clock a chosen time %s', ([, each, expected]) => expect(start(each)).toBe(expected))

const minute = 60_000
const time = fc.integer({ min: 0, max: 1439 }).map((each) => new Date(each * minute).toISOString().slice(11, 16))
const window = fc.record({ days: fc.subarray([...weekdays], { minLength: 1 }), from: time, to: time })
const toWindowMinutes = (each: string) => Number(each.slice(0, 2)) * 60 + Number(each.slice(3))

/** Whether readers may begin in a minute of UTC, a clock that never changes. */
function isOpenAt(instant: number, { windows, blockedDays }: OpenTimes): boolean {
  const [date, clock] = new Date(instant).toISOString().slice(0, 16).split('T') as [string, string]
  if (blockedDays.some(({ from, to }) => from <= date && date <= to)) return false
  const weekday = (days: number) => weekdays[(new Date(instant - days * 1440 * minute).getUTCDay() + 6) % 7]!
  return (
    windows.length === 0 ||
    windows.some(({ days, from, to }) => {
      const end = toWindowMinutes(to) > toWindowMinutes(from) ? toWindowMinutes(to) : toWindowMinutes(to) + 1440
      const now = toWindowMinutes(clock)
      return [0, 1].some((before) => {
        const into = now + before * 1440
        return days.includes(weekday(before)) && toWindowMinutes(from) <= into && into < end
      })
    })
  )
}

test('[RIT-04] a run is in an open window, never before the publish, and at the chosen time on the first day on which that is open', () => {
  const published = fc.integer({ min: Date.UTC(2026, 0, 1) / minute, max: Date.UTC(2027, 0, 1) / minute }).map((each) => each * minute)
  const blocked = fc.array(fc.tuple(fc.integer({ min: 0, max: 20 }), fc.integer({ min: 0, max: 3 })), { maxLength: 3 })
  fc.assert(
    fc.property(fc.array(window, { maxLength: 3 }), blocked, time, published, (windows, offsets, updateTime, from) => {
      const toDate = (instant: number) => new Date(instant).toISOString().slice(0, 10)
      const dateOf = (days: number) => toDate(from + days * 1440 * minute)
      const openTimes: OpenTimes = {
        windows,
        blockedDays: offsets.map(([first, more]) => ({ from: dateOf(first), to: dateOf(first + more) })),
      }
      const run = startInstant(new Date(from), { updateTime, stopTime: null, openTimes }, 'UTC', new Date(from)).getTime()
      expect(run).toBeGreaterThanOrEqual(from)
      expect(isOpenAt(run, openTimes)).toBe(true)
      const first = new Date(`${dateOf(0)}T${updateTime}Z`).getTime()
      const days = Array.from({ length: 60 }, (_, day) => first + day * 1440 * minute).filter((each) => each >= from)
      const open = days.find((each) => isOpenAt(each, openTimes))
      // Outside every window: the first minute that is open.
      let opening = days.find((each) => !openTimes.blockedDays.some((one) => one.from <= toDate(each) && toDate(each) <= one.to))!
      while (open === undefined && !isOpenAt(opening, openTimes)) opening += minute
      expect(run).toBe(open ?? opening)
    }),
    { numRuns: 200, seed: 20_261_127 },
  )
})
