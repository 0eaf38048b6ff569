import { expect, test } from 'vitest'
import { deletionConsequence, matchesZone, shortenName, toZoneRows } from './zone-row.ts'

const zone = { id: '0198c0de-0000-7000-8000-00000000abcd', name: 'ICU 3 North', organizationId: 'o' }

test('[ZON-01 AGT-08] each zone is one row, with or without readers', () => {
  const other = { ...zone, id: 'b', name: 'Radiology' }
  const readers = [
    { deviceType: 'CR1500' as const, count: 4, simulated: 3 },
    { deviceType: 'CR2700' as const, count: 9 },
  ]
  const hostCounts = [
    { timeZone: 'UTC', hosts: 3, online: 2, wrongClocks: 1, onTwoPcs: 1 },
    { timeZone: 'Europe/Berlin', hosts: 1, online: 1, simulated: true as const },
  ]
  const common = { overview: 'known', isNew: false }
  const none = { hosts: 0, online: 0, hasSimulatedHost: false, hasWrongClock: false, hasHostOnTwoPcs: false, otherReaders: 0 }
  expect(toZoneRows([zone, other], [{ zoneId: zone.id, readers, hosts: [], hostCounts }])).toEqual([
    {
      ...zone,
      ...common,
      readers: 13,
      simulated: 3,
      models: ['CR2700', 'CR1500'],
      hosts: 4,
      online: 3,
      hasSimulatedHost: true,
      hasWrongClock: true,
      hasHostOnTwoPcs: true,
      otherReaders: 0,
    },
    { ...other, ...common, ...none, readers: 0, simulated: 0, models: [] },
  ])
  expect(toZoneRows([zone], 'error')).toMatchObject([{ overview: 'error' }])
})

test('the zone created just now comes first, the others as they were', () => {
  const zones = ['a', 'b', 'c', 'd'].map((id) => ({ ...zone, id }))
  expect(toZoneRows(zones, 'loading', 'c').map(({ id, isNew }) => `${id}${isNew ? ' new' : ''}`)).toEqual(['c new', 'a', 'b', 'd'])
})

test.each([
  ['', true],
  [' icu ', true],
  ['NORTH', true],
  ['abcd', true],
  ['south', false],
])('the search "%s" finds ICU 3 North: %s', (text, found) => {
  expect(matchesZone(zone, text)).toBe(found)
})

test('[INP-02] a search finds a zone by either form of its characters', () => {
  for (const text of ['Bu\u0308ro', ' B\u00dcRO ']) expect(matchesZone({ ...zone, name: 'B\u00fcro' }, text)).toBe(true)
})

test.each([
  [0, 'It has no readers.'],
  [1, 'Its reader stops receiving updates.'],
  [1172, 'Its 1,172 readers stop receiving updates.'],
])('deleting a zone of %d readers: %s', (readers, sentence) => {
  expect(deletionConsequence({ overview: 'known', readers })).toBe(sentence)
})

test('deleting a zone whose readers are not known does not deny them', () => {
  expect(deletionConsequence({ overview: 'error', readers: 0 })).toBe('Its readers stop receiving updates.')
})

test('a long name is shortened between two characters, a short one is not', () => {
  expect(shortenName('ICU 3 North')).toBe('ICU 3 North')
  expect(shortenName('👩‍👩‍👧‍👦'.repeat(60))).toBe('👩‍👩‍👧‍👦'.repeat(60))
  expect(shortenName('👩‍👩‍👧‍👦'.repeat(61))).toBe(`${'👩‍👩‍👧‍👦'.repeat(59)}…`)
  expect(shortenName(`${'x'.repeat(58)} ${'y'.repeat(10)}`)).toBe(`${'x'.repeat(58)}…`)
})
