import { expect, test } from 'vitest'
import { startInstant } from '../publications/update-time.ts'
import { listOffsetChanges } from '../testing/offset-changes.ts'
import { expectWatchedRuns } from '../testing/watched-runs.ts'
import { everOpens, mergeOpenTimes, type OpenTimes, type Window, weekdays } from './open-times.ts'

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
    '2026-01-20T02:00Z',
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

test.for([
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['America/Havana', '2026-03-08', '2026-11-01'],
  ['America/Nuuk', '2026-03-28', '2026-10-24'],
])('[NOW-05 RIT-04] in %s runs keep to windows and blocked days as watching the clock says, around %s and %s', ([zone, ...dates]) => {
  for (const date of dates) expectWatchedRuns(zone!, Date.parse(`${date}T00:00:00Z`), 30)
})

test('[NOW-05 RIT-04] around changes of zones in ten years runs keep to windows and blocked days', () => {
  const { checked } = listOffsetChanges()
  const some =
    process.env.LECTERN_EVERY_ZONE === undefined
      ? checked.filter((_, index) => index % 20 === 0)
      : [...new Map(checked.map((change) => [change.how, change])).values()]
  for (const { zone, instant } of some) expectWatchedRuns(zone, instant, 15)
  expect(some.length).toBeGreaterThan(5)
}, 3_600_000)
