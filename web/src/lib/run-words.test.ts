import fc from 'fast-check'
import { expect, test } from 'vitest'
import { formatClock, formatDay, formatPhrase, formatRun, formatWait, nextRuns, viewerTimeZone } from './run-words.ts'

const now = new Date('2025-11-20T09:42:30Z')

const texts = (timeZones: string[], viewer: string, updateTime = '02:00', at = now) =>
  nextRuns(timeZones, updateTime, at).map((run) => formatRun(run, { updateTime, now: at, viewer }))

test('[NOW-02 PUB-14] says day, time, distance, date and the time zone of the host', () => {
  expect(texts(['UTC'], 'UTC')).toEqual(['tomorrow 02:00, in 16 h 18 min (Fri 21 Nov 2025, UTC)'])
  expect(texts(['Europe/Berlin'], 'Europe/Berlin', '08:49', new Date('2026-11-22T07:50:41Z'))).toEqual([
    'tomorrow 08:49, in 23 h 59 min (Mon 23 Nov 2026, Europe/Berlin)',
  ])
})

test("[NOW-02 PUB-14] says the viewer's time where the host's clock shows another", () => {
  expect(texts(['America/Chicago'], 'Europe/Berlin')).toEqual([
    'tomorrow 02:00, in 22 h 18 min (Fri 21 Nov 2025, America/Chicago; 09:00 on your clock)',
  ])
  expect(texts(['Europe/Paris'], 'Europe/Berlin')).toEqual(['tomorrow 02:00, in 15 h 18 min (Fri 21 Nov 2025, Europe/Paris)'])
})

test('[NOW-02] today and tomorrow are days of the host, also where the viewer has another day', () => {
  const evening = new Date('2025-11-20T22:30:00Z')
  expect(texts(['Asia/Tokyo'], 'America/Los_Angeles', '08:00', evening)).toEqual([
    'today 08:00, in 30 min (Fri 21 Nov 2025, Asia/Tokyo; Thu 20 Nov 2025 15:00 on your clock)',
  ])
  expect(texts(['America/Los_Angeles'], 'Asia/Tokyo', '08:00', evening)).toEqual([
    'tomorrow 08:00, in 17 h 30 min (Fri 21 Nov 2025, America/Los_Angeles; Sat 22 Nov 2025 01:00 on your clock)',
  ])
})

test('[NOW-02] at midnight the day changes, and a day further off has its date', () => {
  expect(texts(['UTC'], 'UTC', '00:00', new Date('2025-12-31T23:59:59Z'))).toEqual(['tomorrow 00:00, in 1 min (Thu 1 Jan 2026, UTC)'])
  expect(texts(['UTC'], 'UTC', '00:00', new Date('2026-01-01T00:00:30Z'))).toEqual(['today 00:00, at once (Thu 1 Jan 2026, UTC)'])
  expect(texts(['UTC'], 'UTC', '23:59', new Date('2025-12-31T00:00:00Z'))).toEqual(['today 23:59, in 23 h 59 min (Wed 31 Dec 2025, UTC)'])
  const farther = { at: '2025-11-30T02:00:00.000Z', timeZones: ['UTC'] }
  expect(formatRun(farther, { now, viewer: 'UTC' })).toBe('Sun 30 Nov 2025 02:00, in 10 days (UTC)')
  const later = { at: '2025-11-22T02:00:00.000Z', timeZones: ['UTC'] }
  expect(formatRun(later, { now, viewer: 'UTC' })).toBe('Sat 22 Nov 2025 02:00, in 40 h 18 min (UTC)')
})

test('[NOW-02] daylight saving: the distance is in real hours, and tomorrow stays tomorrow', () => {
  // A day of 23 hours, and one of 25.
  expect(texts(['Europe/Berlin'], 'Europe/Berlin', '12:00', new Date('2026-03-28T11:01:00Z'))).toEqual([
    'tomorrow 12:00, in 22 h 59 min (Sun 29 Mar 2026, Europe/Berlin)',
  ])
  expect(texts(['Europe/Berlin'], 'Europe/Berlin', '12:00', new Date('2026-10-24T10:01:00Z'))).toEqual([
    'tomorrow 12:00, in 24 h 59 min (Sun 25 Oct 2026, Europe/Berlin)',
  ])
})

test('[PUB-14] hosts in several time zones have a run each, earliest first; equal clocks share one', () => {
  const runs = nextRuns(['America/Los_Angeles', 'Europe/Paris', 'Europe/Berlin', 'Europe/Berlin'], '02:00', now)
  expect(runs).toEqual([
    { at: '2025-11-20T10:00:00.000Z', timeZones: ['America/Los_Angeles'] },
    { at: '2025-11-21T01:00:00.000Z', timeZones: ['Europe/Berlin', 'Europe/Paris'] },
  ])
  const eastward = nextRuns(['America/Chicago', 'Asia/Tokyo'], '02:00', now)
  expect(eastward.map(({ timeZones }) => timeZones)).toEqual([['Asia/Tokyo'], ['America/Chicago']])
  expect(texts(['Europe/Paris', 'Europe/Berlin'], 'UTC')).toEqual([
    'tomorrow 02:00, in 15 h 18 min (Fri 21 Nov 2025, Europe/Berlin, Europe/Paris; 01:00 on your clock)',
  ])
})

const phrase = (timeZones: string[], viewer: string, updateTime = '02:00', at = now) =>
  formatPhrase(nextRuns(timeZones, updateTime, at), { now: at, viewer })

test('[SEE-04] a time is one phrase: the clock of the zone, how many time zones show it, and the distance of the first', () => {
  expect(phrase(['UTC'], 'UTC')).toBe('tomorrow 02:00, in 16 h 18 min')
  expect(phrase(['America/Chicago'], 'Europe/Berlin')).toBe('tomorrow 02:00 local, in 22 h 18 min')
  // Their clocks show the same.
  expect(phrase(['Europe/Paris', 'Europe/Berlin'], 'Europe/Berlin')).toBe('tomorrow 02:00, in 15 h 18 min')
  expect(phrase(['America/Chicago', 'Europe/Berlin'], 'UTC')).toBe('tomorrow 02:00 local, 2 time zones, first in 15 h 18 min')
  expect(phrase(['America/Los_Angeles', 'Europe/Berlin'], 'UTC')).toBe('first today 02:00 local, in 18 min, others later')
  expect(phrase([], 'UTC')).toBe('')
})

test('[SEE-04] a phrase has a day of this year without the year, one of another with it, and a past one no distance', () => {
  const words = (...runs: [at: string, ...timeZones: string[]][]) =>
    formatPhrase(
      runs.map(([at, ...timeZones]) => ({ at, timeZones })),
      { now, viewer: 'UTC' },
    )
  expect(words(['2025-11-30T02:00:00Z', 'UTC'])).toBe('Sun 30 Nov 02:00, in 10 days')
  expect(words(['2026-01-30T02:00:00Z', 'UTC'])).toBe('Fri 30 Jan 2026 02:00, in 71 days')
  const far = ['2026-01-30T01:00:00Z', 'Europe/Berlin'] as const
  expect(words([...far], ['2026-01-30T02:00:00Z', 'UTC'])).toBe('Fri 30 Jan 2026 02:00 local, 2 time zones')
  expect(words([...far], ['2026-01-30T03:00:00Z', 'UTC'])).toBe('first Fri 30 Jan 2026 02:00 local, others later')
  expect(words(['2025-11-20T09:41:00Z', 'UTC'])).toBe('today 09:41')
  expect(words(['2025-11-20T10:42:30Z'])).toBe('today 10:42, in 1 h')
})

test('[SEE-04] no phrase is longer than 60 characters, whatever the times, time zones and viewer', () => {
  const zone = fc.constantFrom(...Intl.supportedValuesOf('timeZone'))
  const instant = fc.date({ min: new Date('2025-01-01T00:00:00Z'), max: new Date('2026-12-31T23:59:00Z'), noInvalidDate: true })
  const time = fc
    .tuple(fc.integer({ min: 0, max: 23 }), fc.integer({ min: 0, max: 59 }))
    .map((parts) => parts.map((each) => String(each).padStart(2, '0')).join(':'))
  const run = fc.record({ at: instant.map((each) => each.toISOString()), timeZones: fc.array(zone, { maxLength: 3 }) })
  const isShort = (text: string) => {
    expect(text.length, text).toBeLessThanOrEqual(60)
  }
  const planned = fc.property(fc.array(zone, { maxLength: 60 }), time, instant, zone, (zones, updateTime, at, viewer) =>
    isShort(phrase(zones, viewer, updateTime, at)),
  )
  fc.assert(planned, { numRuns: 100, seed: 20_261_127 })
  const any = fc.property(fc.array(run, { maxLength: 50 }), instant, zone, (runs, at, viewer) =>
    isShort(formatPhrase(runs, { now: at, viewer })),
  )
  fc.assert(any, { numRuns: 200, seed: 20_261_127 })
  // The longest: as many clocks as there are, two days before.
  const all = Intl.supportedValuesOf('timeZone')
  for (let hour = 0; hour < 24; hour += 1) isShort(phrase(all, 'UTC', '23:59', new Date(Date.UTC(2026, 8, 23, hour))))
})

test('[PUB-14] says when the update time is skipped by a change of clocks', () => {
  expect(texts(['Europe/Berlin'], 'Europe/Berlin', '02:30', new Date('2026-03-28T12:00:00Z'))).toEqual([
    'tomorrow 03:00, because 02:30 is skipped that day, in 13 h (Sun 29 Mar 2026, Europe/Berlin)',
  ])
})

test('[PUB-14] the current minute is at once', () => {
  expect(texts(['UTC'], 'UTC', '09:42')).toEqual(['today 09:42, at once (Thu 20 Nov 2025, UTC)'])
})

test('a run of a minute ago has no distance, one of this minute has', () => {
  const run = (at: string) => formatRun({ at, timeZones: ['UTC'] }, { now, viewer: 'UTC' })
  expect(run('2025-11-20T09:41:30Z')).toBe('today 09:41 (Thu 20 Nov 2025, UTC)')
  expect(run('2025-11-20T09:41:31Z')).toBe('today 09:41, at once (Thu 20 Nov 2025, UTC)')
})

test('a run of no known time zone is shown on the clock of the viewer, whose time zone has a name', () => {
  expect(formatRun({ at: '2025-11-20T10:42:30Z', timeZones: [] }, { now, viewer: 'UTC' })).toBe('today 10:42, in 1 h (Thu 20 Nov 2025)')
  expect(viewerTimeZone()).toMatch(/^\w+/)
})

test.each([
  ['2025-11-20T09:43:00Z', 'in 1 min'],
  ['2025-11-20T10:42:00Z', 'in 1 h'],
  ['2025-11-20T10:43:00Z', 'in 1 h 1 min'],
  ['2025-11-20T09:42:00Z', 'at once'],
])('until %s it is %s', (instant, text) => {
  expect(formatWait(new Date(instant), now)).toBe(text)
})

test('no host, no run', () => {
  expect(nextRuns([], '02:00', now)).toEqual([])
})

test('dates are short, times have two digits', () => {
  const instant = new Date('2025-09-05T00:05:00Z')
  expect(formatDay(instant, 'UTC')).toBe('Fri 5 Sep 2025')
  expect(formatClock(instant, 'UTC')).toBe('00:05')
})
