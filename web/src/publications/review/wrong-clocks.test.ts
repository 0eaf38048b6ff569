import { always } from '@lectern/contract/schedule/open-times.ts'
import type { ZoneOverview } from '@lectern/contract/zones.ts'
import { expect, test } from 'vitest'
import { initialWizard, type WizardState } from '../wizard-state.ts'
import { summarizeZones } from '../zone-summary.ts'
import { describeWrongClocks } from './wrong-clocks.ts'

const now = new Date('2026-11-20T09:00:00Z')
const at = (updateTime: string): WizardState => ({ ...initialWizard, when: 'at', updateTime })
const [minute, hour] = [60, 3_600]

const zone = (zoneId: string, ...hostCounts: NonNullable<ZoneOverview['hostCounts']>): ZoneOverview => ({
  zoneId,
  readers: [],
  hosts: [],
  hostCounts,
})
const describeZones = (state: WizardState, ...zones: ZoneOverview[]) =>
  describeWrongClocks(
    state,
    summarizeZones(
      zones,
      zones.map(({ zoneId }) => zoneId),
    ),
    now,
  )
const wrong = (hosts: number, clocksAhead: [number, number], timeZone = 'UTC') => ({
  timeZone,
  hosts: hosts + 1,
  online: 1,
  wrongClocks: hosts,
  clocksAhead,
})

test('[AGT-09] the review says by how much a clock is wrong, and at which true time its readers begin', () => {
  const behind = zone('a', wrong(1, [-6 * hour - 7 * minute, -6 * hour - 7 * minute]))
  expect(describeZones(at('12:00'), behind)).toBe(
    'The clock of 1 host PC is 6 hours and 7 minutes behind. By the true time its readers begin today 18:07, in 9 h 7 min (Fri 20 Nov 2026, UTC).',
  )
})

test('[AGT-09] a clock that shows a later time already begins at once', () => {
  const ahead = zone('a', wrong(1, [6 * hour, 6 * hour]))
  expect(describeZones(at('12:00'), ahead)).toBe(
    'The clock of 1 host PC is 6 hours ahead. By the true time its readers begin today 09:00, at once (Fri 20 Nov 2026, UTC).',
  )
})

test('[AGT-09] several wrong clocks are counted over all zones, and the first and the last true time are named', () => {
  const zones = [
    zone('a', wrong(2, [-2 * hour, hour])),
    zone('b', wrong(1, [400, 3 * hour], 'Asia/Tokyo')),
    zone('c', { timeZone: 'UTC', hosts: 9, online: 9 }),
  ]
  expect(describeZones(at('12:00'), ...zones)).toBe(
    'The clocks of 3 host PCs are wrong, from 2 hours behind to 3 hours ahead. By the true time their readers begin from today 11:00, in 2 h (Fri 20 Nov 2026, UTC) on, the last ones tomorrow 11:53, in 17 h 54 min (Sat 21 Nov 2026, Asia/Tokyo; 02:53 on your clock).',
  )
})

test('[AGT-09] "now" asks no clock, and right clocks are not mentioned', () => {
  const ahead = zone('a', wrong(2, [hour, hour]))
  expect(describeZones({ ...initialWizard, when: 'now' }, ahead)).toBe(
    'The clocks of 2 host PCs are 1 hour ahead. Their readers begin now all the same.',
  )
  expect(describeZones(at('12:00'), zone('a', { timeZone: 'UTC', hosts: 2, online: 2 }))).toBeUndefined()
  expect(describeWrongClocks(at('12:00'), undefined, now)).toBeUndefined()
})

test('[AGT-09] a zone that is not chosen does not count', () => {
  const summary = summarizeZones([zone('a', wrong(1, [hour, hour])), zone('b')], ['b'])
  expect(summary.wrongClocks).toEqual([])
  expect(summarizeZones([zone('a', wrong(1, [hour, hour]))], ['a']).wrongClocks).toEqual([
    { zoneId: 'a', hosts: 1, timeZone: 'UTC', openTimes: always, least: hour, most: hour },
  ])
})
