import { expect, test } from 'vitest'
import { formatClock, formatDay, formatRun, formatWait, nextRuns } from './update-run.ts'

const now = new Date('2025-11-20T09:42:30Z')

const texts = (timeZones: string[], viewer: string, updateTime = '02:00', at = now) =>
  nextRuns(timeZones, updateTime, at).map((run) => formatRun(run, updateTime, at, viewer))

test("[PUB-14] says the next run on the host's clock and how long until then", () => {
  expect(texts(['UTC'], 'UTC')).toEqual(['Next run Fri 21 Nov 2025, in 16 h 18 min'])
})

test("[PUB-14] names the host's time zone where it is not the viewer's, and the viewer's time", () => {
  expect(texts(['America/Chicago'], 'Europe/Berlin')).toEqual([
    'Next run Fri 21 Nov 2025 in America/Chicago, in 22 h 18 min. That is Fri 21 Nov 2025 09:00 on your clock.',
  ])
})

test('[PUB-14] hosts in several time zones have a run each, earliest first; equal clocks share one', () => {
  const runs = nextRuns(['America/Los_Angeles', 'Europe/Paris', 'Europe/Berlin', 'Europe/Berlin'], '02:00', now)
  expect(runs).toEqual([
    { instant: new Date('2025-11-20T10:00:00Z'), timeZones: ['America/Los_Angeles'] },
    { instant: new Date('2025-11-21T01:00:00Z'), timeZones: ['Europe/Berlin', 'Europe/Paris'] },
  ])
  const eastward = nextRuns(['America/Chicago', 'Asia/Tokyo'], '02:00', now)
  expect(eastward.map(({ timeZones }) => timeZones)).toEqual([['Asia/Tokyo'], ['America/Chicago']])
  expect(texts(['Europe/Paris', 'Europe/Berlin'], 'UTC')).toEqual([
    'Next run Fri 21 Nov 2025 in Europe/Berlin, Europe/Paris, in 15 h 18 min. That is Fri 21 Nov 2025 01:00 on your clock.',
  ])
})

test('[PUB-14] a viewer elsewhere on the same clock is not bothered with names', () => {
  expect(texts(['Europe/Paris'], 'Europe/Berlin')).toEqual(['Next run Fri 21 Nov 2025, in 15 h 18 min'])
})

test('[PUB-14] says when the update time is skipped by a change of clocks', () => {
  expect(texts(['Europe/Berlin'], 'Europe/Berlin', '02:30', new Date('2026-03-28T12:00:00Z'))).toEqual([
    'Next run Sun 29 Mar 2026 at 03:00, because 02:30 is skipped that day, in 13 h',
  ])
})

test('[PUB-14] the current minute is at once', () => {
  expect(texts(['UTC'], 'UTC', '09:42')).toEqual(['Next run Thu 20 Nov 2025, at once'])
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
