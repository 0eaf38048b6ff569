import { always, type OpenTimes, type Window } from '@lectern/contract/schedule/open-times.ts'
import { expect, test } from 'vitest'
import { initialWizard } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'
import { findEarlierTime, findPassedOpening } from './earlier-time.ts'

const zone = (...timeZones: string[]): ZoneSummary => ({
  zones: 1,
  readers: 1,
  count: () => 1,
  hosts: timeZones.length,
  simulated: false,
  countSimulated: () => 0,
  online: 1,
  timeZones,
  openTimes: always,
  clocks: [{ timeZones, openTimes: always }],
  unserved: 0,
  wrongClocks: [],
  onTwoPcs: [],
})
const opened = (openTimes: OpenTimes): ZoneSummary => ({ ...zone('UTC'), openTimes, clocks: [{ timeZones: ['UTC'], openTimes }] })
const nights: Window[] = [{ days: ['mon', 'tue', 'wed', 'thu', 'fri'], from: '22:00', to: '04:00' }]

test('[RIT-04] where a time is kept past the next window, that is said, with the begin of that window as a time that comes sooner', () => {
  // A Thursday.
  const now = new Date('2025-11-20T09:42:30Z')
  const openTimes: OpenTimes = {
    windows: [
      { days: ['sat', 'sun'], from: '01:00', to: '05:00' },
      { days: ['thu', 'fri'], from: '22:00', to: '23:00' },
    ],
    blockedDays: [{ from: '2025-11-22', to: '2025-11-22' }],
  }
  const earlier = (updateTime: string, summary = opened(openTimes), at = now) =>
    findEarlierTime({ ...initialWizard, updateTime }, summary, at)
  expect(earlier('02:00')).toMatchObject({
    words: expect.stringMatching(
      /^02:00 is within the maintenance windows from Sun 23 Nov 2025 on\. They open before that, today 22:00, in 12 h 18 min \(Thu 20 Nov 2025, UTC.*\)\.$/,
    ),
    updateTime: '22:00',
  })
  // The next window opens at a time that is within the window that is open now.
  const late = { ...openTimes, windows: [...openTimes.windows, { days: ['thu' as const], from: '09:00', to: '22:30' }] }
  expect(earlier('02:00', opened(late))?.words).toMatch(/They open before that, today 22:00/)
  for (const none of ['22:30', '12:00', '']) expect(earlier(none), none).toBeUndefined()
  expect(earlier('02:00', opened({ ...openTimes, windows: openTimes.windows.slice(0, 1) }))).toBeUndefined()
  expect(earlier('02:00', zone('UTC'))).toBeUndefined()
  expect(findEarlierTime({ ...initialWizard, when: 'now' }, opened(openTimes), now)).toBeUndefined()
  expect(findEarlierTime(initialWizard, undefined, now)).toBeUndefined()
  const some = {
    ...zone('UTC'),
    clocks: [
      { timeZones: ['Asia/Tokyo'], openTimes: always },
      { timeZones: ['UTC'], openTimes },
    ],
  }
  expect(earlier('02:00', some)?.words).toMatch(/^02:00 is within the maintenance windows from Sun 23 Nov 2025 on in some zones\. /)
})

test.for<[string, { from?: string; run: string; windows: Window[]; blocked?: string }, string | undefined]>([
  ['a window that ends before the run', { run: '2026-01-17T03:00Z', windows: nights }, '2026-01-14T22:00Z'],
  ['none where the run is in the next one', { run: '2026-01-15T03:00Z', windows: nights }, undefined],
  ['not the one that is open', { from: '2026-01-14T23:00Z', run: '2026-01-17T03:00Z', windows: nights }, '2026-01-15T22:00Z'],
  [
    'none where the one that is open is that of the run',
    { from: '2026-01-14T23:00Z', run: '2026-01-15T03:00Z', windows: nights },
    undefined,
  ],
  ['what a blocked day leaves of one', { run: '2026-01-17T03:00Z', windows: nights, blocked: '2026-01-14' }, '2026-01-15T00:00Z'],
  ['none without windows', { run: '2026-01-17T03:00Z', windows: [], blocked: '2026-01-15' }, undefined],
])('[RIT-04] passed over is %s', ([, { from = '2026-01-14T12:00Z', run, windows, blocked }, expected]) => {
  const openTimes = { windows, blockedDays: blocked === undefined ? [] : [{ from: blocked, to: blocked }] }
  const found = findPassedOpening(Date.parse(from), Date.parse(run), openTimes, 'UTC')
  expect(found && new Date(found).toISOString().replace(':00.000Z', 'Z')).toBe(expected)
})
