import type { RolloutPart } from '@lectern/contract/rollouts.ts'
import { expect, test } from 'vitest'
import { groupParts, nameWithin } from './rollout-groups.ts'
import { formatNote, formatWhen, limitsInShort } from './rollout-words.ts'

const counts = { readers: 2, applied: 1, downloading: 0, waiting: 1, offline: 0, failed: 0, replaced: 0 }
const part = (zone: string, deviceType: RolloutPart['deviceType'], state: RolloutPart['state'], name = 'a.js'): RolloutPart => ({
  ...{ publication: `${zone} ${deviceType} ${name}`, zoneId: zone, zone, deviceType, state, counts, revision: 1 },
  ...{ content: { kind: 'configuration', name }, isCurrent: true, updateTime: '02:00', atOnce: false },
})

test('[PUB-15] parts are summed up by zone or by model; what says most is the state of the sum', () => {
  const parts = [part('ICU', 'CR2700', 'complete'), part('ICU', 'CR1500', 'updating'), part('Lab', 'CR2700', 'halted')]
  const summary = (by: 'zone' | 'model') => groupParts(parts, by).map(({ name, state, counts }) => [name, state, counts.readers])
  expect(summary('zone')).toEqual([
    ['ICU', 'updating', 4],
    ['Lab', 'halted', 2],
  ])
  expect(summary('model')).toEqual([
    ['CR2700', 'halted', 4],
    ['CR1500', 'updating', 2],
  ])
})

test('a part says its content where its group has another one of the same name', () => {
  const [group] = groupParts([part('ICU', 'CR2700', 'updating', 'a.js'), part('ICU', 'CR2700', 'updating', 'b.js')], 'zone')
  expect(group?.parts.map((one) => nameWithin(one, group, 'zone'))).toEqual(['CR2700, a.js', 'CR2700, b.js'])
})

test('[PUB-15] a halted part says who halted it, the limit too', () => {
  const halted = { ...part('ICU', 'CR2700', 'halted'), haltedAt: '2025-11-20T09:44:00Z' }
  expect(formatNote({ ...halted, haltedBy: 'ada@people.example' })).toMatch(/^by ada@people\.example, 20 Nov 2025, /)
  expect(formatNote({ ...halted, haltedByLimit: true })).toMatch(/^by the safety limit, 20 Nov 2025, /)
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
])('safety limits in short: %j', (limits, text) => expect(limitsInShort(limits)).toBe(text))
