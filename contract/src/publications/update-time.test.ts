import fc from 'fast-check'
import { expect, test } from 'vitest'
import * as z from 'zod/mini'
import { clockAround, naiveInstants, showings } from '../testing/wall-clock.ts'
import { defaultUpdateTime, oneStart, StopTime, startFields, startInstant, TimeZone, UpdateTime, updateInstant } from './update-time.ts'

const minute = 60_000
const written = (time: number) => `${String(Math.floor(time / 60)).padStart(2, '0')}:${String(time % 60).padStart(2, '0')}`
const at = (instant: string, time: string, zone: string) =>
  updateInstant(new Date(instant), time, zone).toISOString().replace(':00.000Z', 'Z')

test('the default is 02:00', () => expect(defaultUpdateTime).toBe('02:00'))

test.for(['00:00', '02:00', '19:59', '23:59'])('%s is a time of day', (time) => expect(UpdateTime.safeParse(time).success).toBe(true))
test.for(['24:00', '2:00', '02:60', '02:00:00', ' 02:00', '02:00\n', '', '-1:00'])('%j is none', (time) =>
  expect(UpdateTime.safeParse(time).success).toBe(false),
)
test('a time zone is one this program knows', () => {
  for (const zone of ['Europe/Berlin', 'America/St_Johns', 'UTC']) expect(TimeZone.safeParse(zone).success).toBe(true)
  for (const zone of ['', 'Mars/Olympus', 'Europe/Berlin ', 'CET/X']) expect(TimeZone.safeParse(zone).success).toBe(false)
})

test('what is no time of day and no time zone is refused in words', () => {
  const refusals = [UpdateTime.safeParse('2:00'), StopTime.safeParse('24:00'), TimeZone.safeParse('CET/X')]
  expect(refusals.map(({ error }) => error?.issues[0]?.message)).toEqual([
    'The update time must be a time of day, such as 02:00.',
    'The stop time must be a time of day, such as 05:00.',
    'must be an IANA time zone, such as Europe/Berlin',
  ])
  expect(StopTime.safeParse(null).success).toBe(true)
})

test('[NOW-01] a publish starts at an update time or now, and names not both', () => {
  const Start = z.object(startFields).check(oneStart)
  for (const start of [{}, { updateTime: '02:00' }, { when: 'now' }]) expect(Start.safeParse(start).success).toBe(true)
  expect(Start.safeParse({ updateTime: '02:00', when: 'now' }).error?.issues).toMatchObject([
    { path: ['when'], message: 'Give either an update time or "when": "now", not both.' },
  ])
  expect(Start.safeParse({ when: 'later' }).error?.issues).toMatchObject([{ message: 'If "when" is given, it must be "now".' }])
})

test('the next time the clock on the wall shows it, today or tomorrow', () => {
  expect(at('2026-01-15T12:00:00Z', '14:00', 'Europe/Berlin')).toBe('2026-01-15T13:00Z')
  expect(at('2026-01-15T13:01:00Z', '14:00', 'Europe/Berlin')).toBe('2026-01-16T13:00Z')
  expect(at('2026-01-15T23:30:00Z', '02:00', 'Asia/Kathmandu')).toBe('2026-01-16T20:15Z')
})

test('the current minute is at once, to its last second', () => {
  expect(at('2026-01-15T13:00:00Z', '14:00', 'Europe/Berlin')).toBe('2026-01-15T13:00Z')
  expect(at('2026-01-15T13:00:59.999Z', '14:00', 'Europe/Berlin')).toBe('2026-01-15T13:00Z')
})

test.for([
  ['Europe/Berlin', '2026-03-28T12:00:00Z', '02:30', '2026-03-29T01:00Z'],
  ['America/New_York', '2026-03-08T05:00:00Z', '02:00', '2026-03-08T07:00Z'],
  ['Australia/Lord_Howe', '2026-10-03T00:00:00Z', '02:15', '2026-10-03T15:30Z'],
  ['America/Santiago', '2026-09-05T12:00:00Z', '00:00', '2026-09-06T04:00Z'],
  ['Africa/Cairo', '2026-04-23T12:00:00Z', '00:30', '2026-04-23T22:00Z'],
])('in %s, from %s on, %s is skipped: the first valid instant after the gap', ([zone, from, time, expected]) => {
  expect(at(from!, time!, zone!)).toBe(expected)
})

test.for([
  ['Europe/Berlin', '2026-10-24T12:00:00Z', '02:30', '2026-10-25T00:30Z'],
  ['America/New_York', '2026-11-01T04:00:00Z', '01:30', '2026-11-01T05:30Z'],
  ['Australia/Lord_Howe', '2026-04-04T00:00:00Z', '01:45', '2026-04-04T14:45Z'],
])('in %s, from %s on, %s comes twice: the first of the two, and the second is not another day', ([zone, from, time, expected]) => {
  expect(at(from!, time!, zone!)).toBe(expected)
  const between = new Date(Date.parse(expected!) + 10 * minute)
  const next = updateInstant(between, time!, zone!)
  expect(next.getTime() - Date.parse(expected!)).toBeGreaterThanOrEqual(23 * 60 * minute)
})

test.for([
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['America/Sao_Paulo', '2018-11-04', '2018-02-18'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['Africa/Cairo', '2026-04-24', '2026-10-30'],
  ['Asia/Kathmandu', '2026-06-01', '2026-06-02'],
  ['America/Havana', '2026-03-08', '2026-11-01'],
])('in %s it is what watching the clock finds, around %s and %s', { timeout: 60_000 }, ([zone, ...days]) => {
  for (const day of days) {
    const middle = Date.parse(`${day}T00:00:00Z`)
    const clock = clockAround(zone!, middle, 4)
    fc.assert(
      fc.property(fc.integer({ min: 0, max: 1439 }), fc.integer({ min: -1440 * 60, max: 1440 * 60 }), (time, seconds) => {
        const published = new Date(middle + seconds * 1000)
        const expected = naiveInstants(clock, time).find((found) => found >= Math.floor(published.getTime() / minute))
        expect(updateInstant(published, written(time), zone!).getTime() / minute).toBe(expected)
      }),
      { numRuns: 60, seed: 20_260_304 },
    )
  }
})

test.for([
  ['inside', '2026-01-15T03:00:00Z', '02:00', '05:00', '2026-01-15T02:00Z'],
  ['at its end', '2026-01-15T05:00:00Z', '02:00', '05:00', '2026-01-16T02:00Z'],
  ['before midnight of one across it', '2026-01-15T23:30:00Z', '22:00', '01:00', '2026-01-15T22:00Z'],
  ['after midnight of one across it', '2026-01-16T00:59:59Z', '22:00', '01:00', '2026-01-15T22:00Z'],
  ['past one across midnight', '2026-01-16T01:00:00Z', '22:00', '01:00', '2026-01-16T22:00Z'],
  ['at its first instant', '2026-01-16T02:00:00Z', '02:00', '05:00', '2026-01-16T02:00Z'],
  ['that is a whole day', '2026-01-16T01:59:00Z', '02:00', '02:00', '2026-01-15T02:00Z'],
])('readers begin %s: at %s with %s to %s', ([, now, updateTime, stopTime, expected]) => {
  const published = new Date(Date.parse(expected!) > Date.parse(now!) ? '2026-01-15T00:00:00Z' : Date.parse(expected!) - minute)
  const start = startInstant(published, { updateTime: updateTime!, stopTime: stopTime! }, 'UTC', new Date(now!))
  expect(start.toISOString().replace(':00.000Z', 'Z')).toBe(expected)
})

test('a publication of days ago opens each day, and stays open where there is no stop time', () => {
  const published = new Date('2026-01-10T12:00:00Z')
  const start = (stopTime: string | null, now: string) =>
    startInstant(published, { updateTime: '02:00', stopTime }, 'UTC', new Date(now)).toISOString()
  expect(start('05:00', '2026-01-15T02:00:00Z')).toBe('2026-01-11T02:00:00.000Z')
  expect(start('05:00', '2026-01-15T05:00:00Z')).toBe('2026-01-16T02:00:00.000Z')
  expect(start(null, '2026-01-15T05:00:00Z')).toBe('2026-01-11T02:00:00.000Z')
})

test('a host whose clock is days behind waits for the update time after the publication', () => {
  const times = { updateTime: '02:00', stopTime: '05:00' }
  expect(startInstant(new Date('2026-01-10T12:00:00Z'), times, 'UTC', new Date('2026-01-08T06:00:00Z')).toISOString()).toBe(
    '2026-01-11T02:00:00.000Z',
  )
})

test.for([
  ['Europe/Berlin', '2026-03-29T02:00:00Z', '02:00', '03:00', '2026-03-30T00:00Z'],
  ['Europe/Berlin', '2026-03-29T02:00:00Z', '02:15', '02:45', '2026-03-30T00:15Z'],
  ['America/Nuuk', '2026-03-29T02:00:00Z', '23:00', '00:00', '2026-03-30T00:00Z'],
])('in %s at %s, with %s to %s skipped, no reader begins until the next day', ([zone, now, updateTime, stopTime, expected]) => {
  const times = { updateTime: updateTime!, stopTime: stopTime! }
  const start = startInstant(new Date('2026-03-20T12:00:00Z'), times, zone!, new Date(now!))
  expect(start.toISOString().replace(':00.000Z', 'Z')).toBe(expected)
})

test.for([
  ['Europe/Berlin', '2026-03-29', '2026-10-25'],
  ['Australia/Lord_Howe', '2026-10-04', '2026-04-05'],
  ['America/Havana', '2026-03-08', '2026-11-01'],
  ['America/Nuuk', '2026-03-28', '2026-10-24'],
])('in %s readers begin between update time and stop time as watching the clock says, around %s and %s', ([zone, ...days]) => {
  const time = fc.integer({ min: 0, max: 1439 })
  for (const day of days) {
    const middle = Date.parse(`${day}T00:00:00Z`)
    const clock = clockAround(zone!, middle, 5)
    fc.assert(
      fc.property(time, time, fc.integer({ min: -1440 * 60, max: 1440 * 60 }), (update, stop, seconds) => {
        const now = middle + seconds * 1000
        const current = Math.floor(now / minute)
        const opens = showings(clock, update)
        const begun = opens.findLast(({ at }) => at <= current)!
        const open = (stop - update + 1440) % 1440 || 1440
        const close = showings(clock, stop).find(({ wall }) => wall === begun.wall + open)
        const published = new Date(begun.at * minute - 1)
        const times = { updateTime: written(update), stopTime: written(stop) }
        const expected = close && close.at <= current ? opens.find(({ at }) => at > current)?.at : begun.at
        expect(startInstant(published, times, zone!, new Date(now)).getTime() / minute).toBe(expected)
      }),
      { numRuns: 100, seed: 20_261_122 },
    )
  }
})
