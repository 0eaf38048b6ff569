import { expect, test } from 'vitest'
import { countByModel, countTags, findChanges, formatChosen, matchZones, pickAmong, toChoosable } from './chosen-zones.ts'

const zones = toChoosable({
  tags: ['Ulm', 'pilot'],
  models: ['CR1500', 'CR2700'],
  zones: [
    ['a', 'Ward North', [0, 1], [0, 4, 1, 30], true],
    ['b', 'Ward South', [0], [1, 5], true],
    ['c', 'Depot', [], [], false],
  ],
})
const ids = (some: readonly { id: string }[]) => some.map(({ id }) => id).join('')

test('[MNY-01] zones are found by a part of their name and all of the tags, without case; an empty filter is all', () => {
  expect(ids(matchZones(zones, {}))).toBe('abc')
  expect(ids(matchZones(zones, { search: ' WARD ' }))).toBe('ab')
  expect(ids(matchZones(zones, { tags: ['ulm'] }))).toBe('ab')
  expect(ids(matchZones(zones, { tags: ['ULM', 'Pilot'] }))).toBe('a')
  expect(ids(matchZones(zones, { tags: ['Ulm'], search: 'south' }))).toBe('b')
  expect(ids(matchZones(zones, { tags: ['Bonn'] }))).toBe('')
  expect(ids(matchZones(zones, { anyTag: ['PILOT', 'Bonn'] }))).toBe('a')
  expect(ids(matchZones(zones, { anyTag: ['ulm', 'pilot'], search: 'ward' }))).toBe('ab')
})

test('[INP-02] a search and a tag find a name in either form of its characters', () => {
  const [decomposed, composed] = ['Bu\u0308ro', 'B\u00fcro']
  const some = toChoosable({ tags: [composed], models: [], zones: [['a', `${composed} 1`, [0], [], true]] })
  for (const name of [decomposed, ` ${composed.toUpperCase()} `]) {
    expect(ids(matchZones(some, { search: name }))).toBe('a')
    expect(ids(matchZones(some, { tags: [name] }))).toBe('a')
  }
})

test('[MNY-01] the readers of what is chosen are counted by model', () => {
  expect(countByModel(zones)).toEqual([
    ['CR2700', 35],
    ['CR1500', 4],
  ])
  expect(formatChosen(zones)).toBe('3 zones, 39 readers: CR2700 35, CR1500 4')
  expect(formatChosen(zones.slice(2))).toBe('1 zone, 0 readers')
})

test('[PHA-01] among the zones of a publish only these are chosen from, with their tags and their readers of what is published', () => {
  const among = pickAmong(zones, { zones: new Set(['a', 'c']), models: ['CR2700', 'CR1100'] })
  expect(formatChosen(among)).toBe('2 zones, 30 readers: CR2700 30')
  expect(countTags(among)).toEqual([
    { tag: 'Ulm', zones: 1 },
    { tag: 'pilot', zones: 1 },
  ])
  expect(pickAmong(zones, undefined)).toBe(zones)
})

test('what was chosen by a filter changes with the zones that match; what was chosen one by one, only where one is gone', () => {
  const [a, b, c] = zones as [(typeof zones)[0], (typeof zones)[0], (typeof zones)[0]]
  expect(findChanges({ zones: [a, b] }, [a, b, c])).toBeNull()
  expect(findChanges({ zones: [a, b], filter: { tags: ['Ulm'] } }, [a, b, c])).toBeNull()
  expect(findChanges({ zones: [a, b] }, [b, c])).toMatchObject({ gone: [a], added: [], now: [{ id: 'b', name: 'Ward South' }] })
  expect(findChanges({ zones: [a, b], filter: { tags: ['Ulm'] } }, [a, { ...b, tags: [] }, { ...c, tags: ['ulm'] }])).toMatchObject({
    gone: [{ id: 'b' }],
    added: [{ id: 'c' }],
  })
})
