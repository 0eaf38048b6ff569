import fc from 'fast-check'
import { expect, test } from 'vitest'
import { startInstant } from '../publications/update-time.ts'
import { type Clock, clockAround, showings } from '../testing/wall-clock.ts'
import { everOpens, mergeOpenTimes, type OpenTimes, type Window, weekdays } from './open-times.ts'

const minute = 60_000
const day = 1440
const written = (time: number) => `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`
const toMinutes = (time: string) => Number(time.slice(0, 2)) * 60 + Number(time.slice(3))
const every = [...weekdays]
const nights: Window[] = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '04:00' }]

interface Case {
  published?: string
  now: string
  update?: string
  stop?: string | null
  on?: string
  windows?: Window[]
  blocked?: [from: string, to: string][]
  zone?: string
}

function start({
  published = '2026-01-14T12:00Z',
  now,
  update = '02:00',
  stop = null,
  on,
  windows = [],
  blocked = [],
  zone = 'UTC',
}: Case) {
  const openTimes: OpenTimes = { windows, blockedDays: blocked.map(([from, to]) => ({ from, to })) }
  const times = { updateTime: update, stopTime: stop, openTimes, ...(on && { startDate: on }) }
  return startInstant(new Date(published), times, zone, new Date(now)).toISOString().replace(':00.000Z', 'Z')
}

// 14 January 2026 is a Wednesday.
test.for<[string, Case, string]>([
  ['in a window that began the evening before stays', { now: '2026-01-14T12:00Z', windows: nights }, '2026-01-15T02:00Z'],
  ['outside a window waits for the next', { now: '2026-01-14T12:00Z', update: '14:00', windows: nights }, '2026-01-14T22:00Z'],
  [
    'on a day without a window waits for one that has',
    { now: '2026-01-17T12:00Z', published: '2026-01-17T12:00Z', windows: nights },
    '2026-01-19T22:00Z',
  ],
  [
    'on a blocked day is on the next day instead',
    { now: '2026-01-14T12:00Z', blocked: [['2026-01-15', '2026-01-16']] },
    '2026-01-17T02:00Z',
  ],
  ['that was moved to a day is on that day', { now: '2026-01-14T12:00Z', on: '2026-01-20' }, '2026-01-20T02:00Z'],
  [
    'that was moved outside a window waits for the next',
    { now: '2026-01-14T12:00Z', on: '2026-01-17', update: '12:00', windows: nights },
    '2026-01-19T22:00Z',
  ],
  ['under way goes on to the end of its window', { now: '2026-01-15T03:59Z', windows: nights }, '2026-01-15T02:00Z'],
  ['ends with its window, until the next day', { now: '2026-01-15T04:00Z', windows: nights }, '2026-01-16T02:00Z'],
  ['ends with the stop time in the window', { now: '2026-01-15T03:00Z', stop: '03:00', windows: nights }, '2026-01-16T02:00Z'],
  ['does not go on until a stop time after the window', { now: '2026-01-15T04:00Z', stop: '06:00', windows: nights }, '2026-01-16T02:00Z'],
  [
    'that was moved past its stop time has the window',
    { now: '2026-01-15T03:59Z', update: '14:00', stop: '16:00', windows: nights },
    '2026-01-14T22:00Z',
  ],
  ['ends where a blocked day begins', { now: '2026-01-16T00:00Z', blocked: [['2026-01-16', '2026-01-16']] }, '2026-01-17T02:00Z'],
  [
    'at a window whose second half is blocked ends at midnight',
    { now: '2026-01-15T00:00Z', update: '23:00', windows: nights, blocked: [['2026-01-15', '2026-01-15']] },
    '2026-01-16T23:00Z',
  ],
  [
    'in two windows that touch goes on',
    { now: '2026-01-15T05:00Z', windows: [...nights, { days: ['thu'], from: '04:00', to: '06:00' }] },
    '2026-01-15T02:00Z',
  ],
  [
    'in a window of a whole day goes on past midnight',
    { now: '2026-01-16T12:00Z', windows: [{ days: every, from: '00:00', to: '00:00' }] },
    '2026-01-15T02:00Z',
  ],
])('[NOW-05] a start %s', ([, each, expected]) => expect(start(each)).toBe(expected))

test.for<[string, Case, string]>([
  [
    'skips a window of a day on which the clock skips it',
    {
      zone: 'Europe/Berlin',
      published: '2026-03-28T12:00Z',
      now: '2026-03-28T12:00Z',
      update: '02:00',
      windows: [{ days: ['sun'], from: '02:00', to: '03:00' }],
    },
    '2026-04-05T00:00Z',
  ],
  [
    'opens after the gap where the clock skips only its begin',
    {
      zone: 'Europe/Berlin',
      published: '2026-03-28T12:00Z',
      now: '2026-03-28T12:00Z',
      update: '20:00',
      windows: [{ days: ['sun'], from: '02:30', to: '05:00' }],
    },
    '2026-03-29T01:00Z',
  ],
  [
    'goes on through the hour that comes twice',
    {
      zone: 'Europe/Berlin',
      published: '2026-10-24T12:00Z',
      now: '2026-10-25T01:59Z',
      update: '01:00',
      windows: [{ days: ['sun'], from: '01:00', to: '03:00' }],
    },
    '2026-10-24T23:00Z',
  ],
  [
    'ends at the first of the two ends',
    {
      zone: 'Europe/Berlin',
      published: '2026-10-24T12:00Z',
      now: '2026-10-25T00:30Z',
      update: '01:00',
      windows: [{ days: every, from: '01:00', to: '02:30' }],
    },
    '2026-10-26T00:00Z',
  ],
])('[NOW-05] a start %s', ([, each, expected]) => expect(start(each)).toBe(expected))

test('[NOW-05] what never opens within a year is found, and what opens late is not', () => {
  const blocked = (from: string, to: string, windows: Window[] = []) => everOpens({ windows, blockedDays: [{ from, to }] }, '2026-01-14')
  expect(blocked('2026-01-01', '2027-02-01')).toBe(false)
  expect(blocked('2026-01-01', '2026-12-31')).toBe(true)
  expect(everOpens({ windows: [{ days: ['sun'], from: '02:00', to: '03:00' }], blockedDays: [] }, '2026-01-14')).toBe(true)
  expect(blocked('2026-01-01', '2027-01-12', [{ days: ['wed'], from: '02:00', to: '03:00' }])).toBe(true)
  expect(blocked('2026-01-01', '2027-01-13', [{ days: ['wed'], from: '02:00', to: '03:00' }])).toBe(false)
})

test("[NOW-05] a zone's own windows take the place of the organization's, and the blocked days of both count", () => {
  const [one, other] = [
    { from: '2026-01-01', to: '2026-01-01' },
    { from: '2026-02-01', to: '2026-02-01' },
  ]
  const organization = { windows: nights, blockedDays: [one] }
  const own: Window[] = [{ days: ['sun'], from: '02:00', to: '03:00' }]
  expect(mergeOpenTimes(organization, null)).toEqual(organization)
  expect(mergeOpenTimes(organization, { windows: null, blockedDays: [other] })).toEqual({ windows: nights, blockedDays: [one, other] })
  expect(mergeOpenTimes(organization, { windows: own, blockedDays: [] })).toEqual({ windows: own, blockedDays: [one] })
  expect(mergeOpenTimes(organization, { windows: [], blockedDays: [] })).toEqual({ windows: [], blockedDays: [one] })
})

/** For each minute of a clock whether runs may be, found by watching it: a window opens when the clock first shows its begin, and closes at its end. */
function watchOpen(clock: Clock, { windows, blockedDays }: OpenTimes): boolean[] {
  const midnights = new Map(showings(clock, 0).map(({ wall, at }) => [wall, at]))
  const mark = (marks: boolean[], spans: { from: number; to: number }[]) => {
    for (const { from, to } of spans) marks.fill(true, Math.max(0, from - clock.start), Math.max(0, to - clock.start))
    return marks
  }
  const none = clock.walls.map(() => false)
  const blocked = [...midnights].flatMap(([wall, at]) => {
    const date = new Date(wall * minute).toISOString().slice(0, 10)
    return blockedDays.some(({ from, to }) => from <= date && date <= to) ? [{ from: at, to: midnights.get(wall + day) ?? Infinity }] : []
  })
  const open = windows.flatMap(({ days, from, to }) => {
    const closings = new Map(showings(clock, toMinutes(to)).map(({ wall, at }) => [wall, at]))
    const length = (toMinutes(to) - toMinutes(from) + day) % day || day
    return showings(clock, toMinutes(from))
      .filter(({ wall }) => days.includes(weekdays[(new Date(wall * minute).getUTCDay() + 6) % 7]!))
      .map(({ wall, at }) => ({ from: at, to: closings.get(wall + length) ?? Infinity }))
  })
  const [inWindow, onBlocked] = [mark([...none], open), mark([...none], blocked)]
  return none.map((_, index) => (windows.length === 0 || inWindow[index]!) && !onBlocked[index])
}

interface Watched {
  update: number
  stop: number | null
  published: number
  now: number
}

function watchStart(clock: Clock, openTimes: OpenTimes, { update, stop, published, now }: Watched): number | undefined {
  const open = watchOpen(clock, openTimes)
  const firstFrom = (at: number, isOpen: boolean) => {
    const index = open.indexOf(isOpen, at - clock.start)
    return index < 0 ? Infinity : clock.start + index
  }
  const stops = stop === null || stop === update ? [] : showings(clock, stop)
  const isBlocked = (wall: number) => {
    const date = new Date(wall * minute).toISOString().slice(0, 10)
    return openTimes.blockedDays.some(({ from, to }) => from <= date && date <= to)
  }
  const runs = showings(clock, update)
    .filter(({ at, wall }) => at >= published && !isBlocked(wall))
    .map(({ at, wall }) => {
      const begin = firstFrom(at, true)
      const length = ((stop ?? 0) - update + day) % day || day
      const ownStop = begin === at ? stops.find((each) => each.wall === wall + length) : stops.find((each) => each.at > begin)
      return { begin, end: Math.min(firstFrom(begin, false), ownStop?.at ?? Infinity) }
    })
  const begin = runs[0]?.begin
  if (begin === undefined || begin > now || runs.some((run) => run.begin <= now && now < run.end)) return begin
  return runs.find((run) => run.begin > now)?.begin
}

const time = fc.integer({ min: 0, max: 1439 })
const window = fc.record({ days: fc.subarray(every, { minLength: 1 }), from: time, to: time })

test.for([
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['America/Havana', '2026-03-08', '2026-11-01'],
  ['America/Nuuk', '2026-03-28', '2026-10-24'],
])('[NOW-05] in %s runs keep to windows and blocked days as watching the clock says, around %s and %s', ([zone, ...dates]) => {
  for (const date of dates) {
    const middle = Date.parse(`${date}T00:00:00Z`)
    const clock = clockAround(zone!, middle, 12)
    const near = fc.integer({ min: -3 * day, max: 2 * day })
    const blocked = fc.array(fc.integer({ min: -2, max: 2 }), { maxLength: 2 })
    const stop = fc.option(time)
    fc.assert(
      fc.property(fc.array(window, { maxLength: 3 }), blocked, time, stop, near, near, (windows, offsets, update, stopAt, one, other) => {
        const openTimes = {
          windows: windows.map(({ days, from, to }) => ({ days, from: written(from), to: written(to) })),
          blockedDays: offsets.map((offset) => {
            const each = new Date(middle + offset * day * minute).toISOString().slice(0, 10)
            return { from: each, to: each }
          }),
        }
        const [published, now] = [Math.min(one, other), Math.max(one, other)].map((each) => middle / minute + each) as [number, number]
        const expected = watchStart(clock, openTimes, { update, stop: stopAt, published, now })
        const times = { updateTime: written(update), stopTime: stopAt === null ? null : written(stopAt), openTimes }
        const found = startInstant(new Date(published * minute), times, zone!, new Date(now * minute)).getTime() / minute
        // What opens after the clock was watched is not known.
        if (expected !== undefined && expected < clock.start + clock.walls.length) expect(found).toBe(expected)
      }),
      { numRuns: 60, seed: 20_261_125 },
    )
  }
})
