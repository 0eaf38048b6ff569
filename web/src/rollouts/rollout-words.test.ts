import type { RolloutPart } from '@lectern/contract/rollouts.ts'
import { expect, test } from 'vitest'
import { describeState, formatLimits, formatNote, formatWhen } from './rollout-words.ts'

const counts = { readers: 2, applied: 1, downloading: 0, waiting: 1, offline: 0, failed: 0, replaced: 0 }
const part = (zone: string, deviceType: RolloutPart['deviceType'], state: RolloutPart['state'], name = 'a.js'): RolloutPart => ({
  ...{ publication: `${zone} ${deviceType} ${name}`, zoneId: zone, zone, deviceType, state, counts, revision: 1 },
  ...{ content: { kind: 'configuration', name }, isCurrent: true, updateTime: '02:00', atOnce: false, runs: [] },
})

test('[PUB-15] the note of a halted part names who halted it, or the limit', () => {
  const halted = { ...part('ICU', 'CR2700', 'halted'), haltedAt: '2025-11-20T09:44:00Z' }
  expect(formatNote({ ...halted, haltedBy: 'ada@people.example' })).toMatch(/^by ada@people\.example, 20 Nov 2025, /)
  expect(formatNote({ ...halted, haltedByLimit: true })).toMatch(/^by the safety limit, 20 Nov 2025, /)
})

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
