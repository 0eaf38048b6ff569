import { always, type OpenTimes } from '@lectern/contract/schedule/open-times.ts'
import { expect, test } from 'vitest'
import { initialWizard } from '../wizard-state.ts'
import type { ZoneSummary } from '../zone-summary.ts'
import { findMovedRuns, formatRuns, listOutside } from './planned-run.ts'

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
const planned = (updateTime: string, at: string) => ({ ...initialWizard, updateTime, plannedAt: Date.parse(at) })

test('[NOW-03] a run that has passed since step 1 has moved to the next day', () => {
  const state = planned('08:49', '2026-11-22T08:49:46Z')
  expect(findMovedRuns(state, zone('UTC'), new Date('2026-11-22T08:49:59Z'))).toBeNull()
  expect(findMovedRuns(state, zone('UTC'), new Date('2026-11-22T08:50:41Z'))).toEqual({
    from: [{ at: '2026-11-22T08:49:00.000Z', timeZones: ['UTC'] }],
    to: [{ at: '2026-11-23T08:49:00.000Z', timeZones: ['UTC'] }],
  })
})

test('[NOW-03] of several time zones one is enough', () => {
  const state = planned('08:49', '2026-11-22T08:49:46Z')
  expect(findMovedRuns(state, zone('UTC', 'Asia/Tokyo'), new Date('2026-11-22T08:51:00Z'))?.to.map(({ at }) => at)).toEqual([
    '2026-11-22T23:49:00.000Z',
    '2026-11-23T08:49:00.000Z',
  ])
})

test('[NOW-03] now, an unknown zone, and a draft that never left step 1 have not moved', () => {
  const [later, state] = [new Date('2026-11-25T12:00:00Z'), planned('08:49', '2026-11-22T08:00:00Z')]
  expect(findMovedRuns({ ...state, when: 'now' }, zone('UTC'), later)).toBeNull()
  expect(findMovedRuns(state, undefined, later)).toBeNull()
  expect(findMovedRuns(state, zone(), later)).toBeNull()
  expect(findMovedRuns({ ...state, plannedAt: null }, zone('UTC'), later)).toBeNull()
})

test('[NOW-02] each clock of the zone has its line; without a host it is the time alone', () => {
  const state = planned('02:00', '2025-11-20T09:00:00Z')
  const now = new Date('2025-11-20T09:42:30Z')
  expect(formatRuns(state, zone('Asia/Tokyo', 'UTC'), now).map((text) => text.split(' (')[0])).toEqual([
    'tomorrow 02:00, in 7 h 18 min',
    'tomorrow 02:00, in 16 h 18 min',
  ])
  expect(formatRuns(state, zone(), now)).toEqual(['02:00'])
  expect(formatRuns({ ...state, when: 'now' }, zone('UTC'), now)).toEqual(['now'])
  expect(formatRuns({ ...state, updateTime: '' }, zone('UTC'), now)).toEqual([])
})

test('[NOW-05] a run outside the windows says when it really begins and why; a blocked day too', () => {
  // A Thursday.
  const now = new Date('2025-11-20T09:42:30Z')
  const openTimes: OpenTimes = {
    windows: [{ days: ['fri', 'sat'], from: '22:00', to: '04:00' }],
    blockedDays: [{ from: '2025-11-22', to: '2025-11-22' }],
  }
  const line = (updateTime: string) => formatRuns({ ...planned(updateTime, ''), plannedAt: null }, opened(openTimes), now)[0]
  expect(line('12:00')).toMatch(/^tomorrow 22:00, because 12:00 is outside the maintenance windows, in 36 h 18 min \(Fri 21 Nov 2025, UTC/)
  expect(line('22:30')).toMatch(/^tomorrow 22:30, the first 22:30 within the maintenance windows, in 36 h 48 min \(Fri 21 Nov 2025, UTC/)
  expect(line('02:00')).toMatch(/^Sun 23 Nov 2025 02:00, the first 02:00 within the maintenance windows, in 3 days \(UTC/)
  const blocked = opened({ windows: [], blockedDays: [{ from: '2025-11-21', to: '2025-11-21' }] })
  expect(formatRuns(planned('02:00', '2025-11-20T09:00:00Z'), blocked, now)[0]).toMatch(
    /^Sat 22 Nov 2025 02:00, because Fri 21 Nov 2025 is blocked, in 40 h 18 min/,
  )
})

test('[NOW-05] now outside the windows says when they open; within one, at another time and without windows it says nothing', () => {
  const now = new Date('2025-11-20T09:42:30Z')
  const closed = opened({ ...always, windows: [{ days: ['fri'], from: '22:00', to: '04:00' }] })
  const state = { ...initialWizard, when: 'now' as const }
  expect(listOutside(state, closed, now)[0]).toMatch(/^tomorrow 22:00, in 36 h 18 min \(Fri 21 Nov 2025, UTC/)
  expect(listOutside(state, closed, new Date('2025-11-21T22:00:00Z'))).toEqual([])
  expect(listOutside({ ...state, when: 'at' }, closed, now)).toEqual([])
  expect(listOutside(state, zone('UTC'), now)).toEqual([])
})
