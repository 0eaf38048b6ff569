import { expect, test } from 'vitest'
import { type ChoosableZone, toChoosable } from './chosen-zones.ts'
import { addZones, allZones, formatExceptions, noPick, pickZones, toggleTag, toggleZone, toManyZones, toPick } from './zone-pick.ts'

const zones = toChoosable({
  tags: ['Ulm', 'pilot'],
  models: ['CR2700'],
  zones: [
    ['a', 'Ward North', [0, 1], [0, 4], true],
    ['b', 'Ward South', [0], [0, 5], true],
    ['c', 'Depot', [1], [0, 6], true],
    ['d', 'Dock', [], [0, 7], true],
  ],
})
const [a, b, c, d] = zones as [ChoosableZone, ChoosableZone, ChoosableZone, ChoosableZone]
const ids = (choice: typeof noPick) =>
  pickZones(zones, choice)
    .map(({ id }) => id)
    .join('')
const tick = (choice: typeof noPick, tag: string) => toggleTag(zones, choice, tag)

test('[SEE-09] a ticked tag chooses what it covers, several what any of them covers; unticking takes back what no other covers', () => {
  const ulm = tick(noPick, 'ulm')
  expect(ids(ulm)).toBe('ab')
  const both = tick(ulm, 'pilot')
  expect(ids(both)).toBe('abc')
  expect(ids(tick(both, 'Ulm'))).toBe('ac')
  expect(ids(tick(tick(both, 'Ulm'), 'PILOT'))).toBe('')
})

test('[SEE-09] a zone that is added or left out by hand stays so while tags are ticked and unticked', () => {
  const added = toggleZone(tick(noPick, 'Ulm'), d)
  expect(ids(added)).toBe('abd')
  expect(ids(tick(added, 'Ulm'))).toBe('d')
  const left = toggleZone(tick(noPick, 'Ulm'), a)
  expect(ids(left)).toBe('b')
  expect(ids(tick(left, 'pilot'))).toBe('bc')
  expect(ids(toggleZone(left, a))).toBe('ab')
  // A zone that was chosen by hand before its tag stays when the tag is unticked.
  expect(ids(tick(tick(toggleZone(noPick, a), 'Ulm'), 'Ulm'))).toBe('a')
  // A zone that was left out comes back when its tag is unticked and ticked again.
  expect(ids(tick(tick(left, 'Ulm'), 'Ulm'))).toBe('ab')
})

test('[SEE-09] of all zones some are left out, and what is found is added to what is ticked', () => {
  expect(ids(toggleZone(allZones, b))).toBe('acd')
  const found = addZones(toggleZone(tick(noPick, 'Ulm'), a), [a, c])
  expect(ids(found)).toBe('abc')
  expect(formatExceptions(zones, found)).toBe('1 zone more by hand')
  expect(formatExceptions(zones, toggleZone(toggleZone(tick(noPick, 'Ulm'), a), d))).toBe('1 zone left out by hand, 1 zone more by hand')
  expect(formatExceptions(zones, toggleZone(noPick, d))).toBe('')
})

test('[SEE-09 MNY-01] without exceptions the choice is told to publishing as a filter, with them zone by zone; both come back as they were', () => {
  const told = (choice: typeof noPick) => {
    const { filter, tags, zones: chosen } = toManyZones(zones, choice)
    const again = toManyZones(zones, toPick(zones, toManyZones(zones, choice)))
    expect(again).toEqual(toManyZones(zones, choice))
    return [filter, tags, chosen.map(({ id }) => id).join('')]
  }
  expect(told(allZones)).toEqual([{}, undefined, 'abcd'])
  expect(told(tick(noPick, 'Ulm'))).toEqual([{ tags: ['Ulm'] }, undefined, 'ab'])
  expect(told(tick(tick(noPick, 'Ulm'), 'pilot'))).toEqual([{ anyTag: ['Ulm', 'pilot'] }, undefined, 'abc'])
  expect(told(toggleZone(tick(noPick, 'Ulm'), a))).toEqual([undefined, ['Ulm'], 'b'])
  expect(told(toggleZone(tick(noPick, 'Ulm'), d))).toEqual([undefined, ['Ulm'], 'abd'])
  expect(told(toggleZone(noPick, d))).toEqual([undefined, undefined, 'd'])
})
