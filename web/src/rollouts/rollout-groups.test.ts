import type { RolloutPart } from '@lectern/contract/rollouts/rollouts.ts'
import { expect, test } from 'vitest'
import { formatPartName, groupParts } from './rollout-groups.ts'

const counts = { readers: 2, applied: 1, downloading: 0, waiting: 1, silent: 0, failed: 0, replaced: 0 }
const part = (zone: string, deviceType: RolloutPart['deviceType'], state: RolloutPart['state'], name = 'a.js'): RolloutPart => ({
  publication: `${zone} ${deviceType} ${name}`,
  zoneId: `id of ${zone}`,
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

test('[PUB-15] parts are summed up by zone or by model; the sum has the most important state', () => {
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

test('the name of a part has its content where its group has another part of that name', () => {
  const [group] = groupParts([part('ICU', 'CR2700', 'updating', 'a.js'), part('ICU', 'CR2700', 'updating', 'b.js')], 'zone')
  expect(group?.parts.map((one) => formatPartName(one, group, 'zone'))).toEqual(['CR2700, a.js', 'CR2700, b.js'])
})

test('a zone that was deleted and one of its name are two; among the zones of a model each has its content', () => {
  const parts = [part('ICU', 'CR2700', 'updating', 'b.js'), { ...part('ICU', 'CR2700', 'replaced', 'a.js'), zoneId: null }]
  expect(groupParts(parts, 'zone').map(({ key, name }) => [key, name])).toEqual([
    ['id of ICU', 'ICU'],
    ['ICU', 'ICU'],
  ])
  const [group] = groupParts(parts, 'model')
  expect(group?.parts.map((one) => formatPartName(one, group, 'model'))).toEqual(['ICU, b.js', 'ICU, a.js'])
})

test('the name of a part alone is enough where no other part of its group has it', () => {
  const parts = [part('ICU', 'CR2700', 'updating'), part('ICU', 'CR1500', 'updating'), part('Lab', 'CR2700', 'updating')]
  const names = (by: 'zone' | 'model') => groupParts(parts, by).map((group) => group.parts.map((one) => formatPartName(one, group, by)))
  expect(names('zone')).toEqual([['CR2700', 'CR1500'], ['CR2700']])
  expect(names('model')).toEqual([['ICU', 'Lab'], ['ICU']])
})
