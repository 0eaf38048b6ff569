import { expect, test } from 'vitest'
import { formatChosenZones, formatSomeZones } from './rollout-words.ts'

test('[SEE-05] a choice of zones is said in words: by tags and a part of the name, all, or by names', () => {
  const names = ['Aachen', 'Bonn', 'Celle', 'Düren']
  const say = (filter: Parameters<typeof formatChosenZones>[0]['filter'], some = names, isLimited = false) =>
    formatChosenZones({ filter, names: some, isLimited })
  expect(say({ tags: ['Ulm', 'pilot'], search: ' north ' })).toBe('4 zones tagged Ulm and pilot with “north” in their name')
  expect(say({ tags: ['Ulm'] }, ['Aachen'])).toBe('1 zone tagged Ulm')
  expect(say({ anyTag: ['Ulm', 'pilot'] })).toBe('4 zones tagged Ulm or pilot')
  expect(say({ anyTag: ['A', 'B', 'C', 'D', 'E'] })).toBe('4 zones tagged A, B, C or 2 more')
  expect(say({ tags: ['A', 'B', 'C', 'D'] })).toBe('4 zones tagged A, B, C and 1 more')
  expect(say({ search: '  ' })).toBe('All 4 zones')
  expect(say({}, ['Aachen'])).toBe('The only zone')
  expect(say({}, names, true)).toBe('All 4 zones of the publisher’s role')
  expect(say({ tags: ['Ulm'] }, names, true)).toBe('4 zones of the publisher’s role tagged Ulm')
  expect(say(undefined)).toBe('4 zones by name: Aachen, Bonn, Celle and 1 more')
  expect(say(undefined, ['Aachen', 'Bonn', 'Celle'])).toBe('3 zones by name: Aachen, Bonn and Celle')
  expect(say({}, Array.from({ length: 5_000 }, String))).toBe('All 5,000 zones')
})

test('[SEE-05] some of the chosen zones are said with all of them', () => {
  expect(formatSomeZones(3, 'All 1,500 zones')).toBe('3 of all 1,500 zones')
  expect(formatSomeZones(1, '7 zones tagged All hands')).toBe('1 of 7 zones tagged All hands')
})
