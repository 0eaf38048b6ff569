import type { RolloutPart } from '@lectern/contract/rollouts/rollouts.ts'
import { expect, test } from 'vitest'
import {
  describeState,
  formatFilter,
  formatLimits,
  formatNote,
  formatPlannedAnew,
  formatSecond,
  formatStart,
  formatStarts,
  formatWhen,
  formatZones,
  readerLook,
} from './rollout-words.ts'

const counts = { readers: 2, applied: 1, downloading: 0, waiting: 1, silent: 0, failed: 0, replaced: 0 }
const part = (zone: string, deviceType: RolloutPart['deviceType'], state: RolloutPart['state'], name = 'a.js'): RolloutPart => ({
  publication: `${zone} ${deviceType} ${name}`,
  zoneId: zone,
  zone,
  deviceType,
  state,
  counts,
  revision: 1,
  content: { kind: 'configuration', name },
  isCurrent: true,
  updateTime: '02:00',
  atOnce: false,
  runs: [],
})

test('[PUB-15] the note of a halted part names who halted it, or the limit', () => {
  const halted = { ...part('ICU', 'CR2700', 'halted'), haltedAt: '2025-11-20T09:44:00Z' }
  expect(formatNote({ ...halted, haltedBy: 'ada@people.example' })).toMatch(/^by ada@people\.example, 20 Nov 2025, /)
  expect(formatNote({ ...halted, haltedByLimit: true })).toMatch(/^by the safety limit, 20 Nov 2025, /)
  expect(formatNote(halted)).toMatch(/^20 Nov 2025, /)
  expect(formatNote(part('ICU', 'CR2700', 'halted'))).toBeUndefined()
})

test('[PUB-15] the note of a part says what it waits for, what took its place, or how far the host PC is', () => {
  const now = new Date('2025-11-20T09:42:00Z')
  const note = (state: RolloutPart['state'], more: Partial<RolloutPart> = {}) =>
    formatNote({ ...part('ICU', 'CR2700', state), ...more }, now)
  const runs = [{ at: '2026-03-29T01:00:00Z', timeZones: ['Europe/Berlin'] }]
  expect(note('scheduled', { runs })).toBe('Sun 29 Mar 2026 03:00 local, in 129 days')
  expect(note('scheduled')).toBeUndefined()
  const plannedAnew = { at: '2025-11-20T09:40:00Z', timeZone: 'Europe/Berlin', before: 'UTC' }
  expect(note('scheduled', { runs, plannedAnew })).toBe('Sun 29 Mar 2026 03:00 local, in 129 days; planned anew')
  expect(formatPlannedAnew({ plannedAnew })).toMatch(
    /^Planned anew 20 Nov 2025, \d\d:\d\d: the time zone of a host PC is Europe\/Berlin, and was UTC\.$/,
  )
  expect(note('replaced', { haltedAt: '2025-11-20T09:40:00Z' })).toBe('Something newer was published')
  expect(note('replaced', { zoneId: null })).toBe('The zone was deleted')
  expect(note('replaced', { withdrawn: true })).toBeUndefined()
  expect(note('updating', { hostPercent: 0 })).toBe('Host PC downloads, 0%')
  expect(note('updating')).toBeUndefined()
})

test('[SEE-04] what readers wait for is one phrase, and a line for each run has the rest', () => {
  const words = { now: new Date('2025-11-20T09:42:00Z'), viewer: 'UTC', updateTime: '10:00' }
  const runs = [
    { at: '2025-11-20T10:00:00Z', timeZones: ['UTC'] },
    { at: '2025-11-21T10:00:00Z', timeZones: ['UTC'] },
  ]
  expect(formatStart(runs, words)).toBe('first today 10:00 local, in 18 min, others later')
  expect(formatStarts(runs, words)).toBe(
    'today 10:00, in 18 min (Thu 20 Nov 2025, UTC)\ntomorrow 10:00, in 24 h 18 min (Fri 21 Nov 2025, UTC)',
  )
  expect([formatStart([], words), formatStarts([], words)]).toEqual([undefined, undefined])
})

test.each([
  [['ICU', 'Lab'], 2, 'ICU and Lab'],
  [['ICU', 'Lab'], 5, 'ICU, Lab and 3 more'],
])('the zones %j of %d are "%s"', (zones, zoneCount, text) => expect(formatZones({ zones, zoneCount })).toBe(text))

test('a time of day has seconds, and midnight is 00', () => {
  expect(formatSecond(new Date(2025, 10, 20, 9, 4, 5).toISOString())).toBe('09:04:05')
  expect(formatSecond(new Date(2025, 10, 20).toISOString())).toBe('00:00:00')
})

test.each([
  ['updating', 'run', 'Updating'],
  ['halted', 'warn', 'Halted'],
  ['waitingForHost', 'wait', 'Waiting for host'],
  ['scheduled', 'wait', 'Waiting'],
  ['underWay', 'run', 'In progress'],
  ['complete', 'ok', 'Complete'],
  ['empty', 'unknown', 'No readers'],
] as const)('a rollout that is %s is marked "%s" and called "%s"', (state, kind, word) => {
  expect(describeState({ state, counts })).toEqual({ kind, word })
})

test('[SEE-01] what was replaced or rolled back is grey and says what share was applied; only what all have is in the success colour', () => {
  const some = { ...counts, readers: 1091, applied: 1042, waiting: 0, replaced: 49 }
  const describe = (more: object) => describeState({ state: 'replaced', counts: some, ...more })
  expect(describe({})).toEqual({ kind: 'unknown', word: 'Replaced, 1,042 of 1,091 applied' })
  expect(describe({ rolledBackBy: 'b' })).toEqual({ kind: 'unknown', word: 'Rolled back, 1,042 of 1,091 applied' })
  expect(describe({ withdrawn: true })).toEqual({ kind: 'unknown', word: 'Rolled back, 1,042 of 1,091 applied' })
  expect(describe({ rolledBackBy: 'b', isRolledBackInPart: true }).word).toBe('Rolled back in part, 1,042 of 1,091 applied')
  expect(describe({ counts: { ...some, readers: 0, applied: 0, replaced: 0 } })).toEqual({ kind: 'unknown', word: 'Replaced' })
  const states = ['updating', 'halted', 'waitingForHost', 'scheduled', 'waitingForPhase', 'underWay', 'replaced', 'empty'] as const
  expect(states.filter((state) => describeState({ state, counts }).kind === 'ok')).toEqual([])
  expect([formatFilter('replaced'), formatFilter('complete')]).toEqual(['Replaced or rolled back', 'Complete'])
})

test('[PHA-01] a rollout or zone that waits for a phase says for which', () => {
  expect(describeState({ state: 'waitingForPhase', phaseWaitedFor: 2, counts })).toEqual({ kind: 'wait', word: 'Waiting for phase 2' })
  expect(formatFilter('waitingForPhase')).toBe('Waiting for its phase')
})

test.each([
  ['applied', 'ok', 'Applied'],
  ['downloading', 'run', 'Downloading'],
  ['waiting', 'wait', 'Waiting'],
  ['silent', 'unknown', 'Silent'],
  ['failed', 'bad', 'Failed'],
  ['replaced', 'unknown', 'Replaced'],
] as const)('a reader that is %s is marked "%s" and called "%s"', (state, kind, word) => expect(readerLook[state]).toEqual({ kind, word }))

test('[STA-07] complete with failures is neither the success colour nor the bare word', () => {
  const done = { ...counts, applied: 13, waiting: 0 }
  expect(describeState({ state: 'complete', counts: done })).toEqual({ kind: 'ok', word: 'Complete' })
  expect(describeState({ state: 'complete', counts: { ...done, failed: 1 } })).toEqual({ kind: 'warn', word: 'Complete, 1 failed' })
  expect(describeState({ state: 'complete', counts: { ...done, failed: 1200 } })).toEqual({ kind: 'warn', word: 'Complete, 1,200 failed' })
  expect(describeState({ state: 'updating', counts: { ...done, failed: 1 } })).toEqual({ kind: 'run', word: 'Updating' })
})

test('when something happened has its day where that is not today', () => {
  const noon = new Date(2025, 10, 20, 12, 5).toISOString()
  expect(formatWhen(noon, new Date(2025, 10, 20, 18).toISOString())).toBe('at 12:05')
  expect(formatWhen(noon, new Date(2025, 10, 21, 1).toISOString())).toBe('on 20 Nov 2025 at 12:05')
})

test.each([
  [{ haltAbovePercent: null, stopTime: null }, 'none'],
  [{ haltAbovePercent: 5, stopTime: null }, '5%'],
  [{ haltAbovePercent: 5, stopTime: '05:00' }, '5%, until 05:00'],
  [{ haltAbovePercent: null, stopTime: '05:00' }, 'none, until 05:00'],
])('safety limits in short: %j', (limits, text) => expect(formatLimits(limits)).toBe(text))
