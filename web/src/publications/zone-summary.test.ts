import { counted } from '@lectern/contract/text/numbers.ts'
import type { ZoneOverview } from '@lectern/contract/zones.ts'
import { expect, test } from 'vitest'
import { countReaders, formatInZone, formatReaders, summarizeZones } from './zone-summary.ts'

const overviews: ZoneOverview[] = [
  {
    zoneId: 'z',
    readers: [
      { deviceType: 'CR2700', count: 1048, simulated: 1003 },
      { deviceType: 'A271/2', count: 31 },
      { deviceType: 'CR950', count: 5 },
    ],
    hosts: [],
    hostCounts: [
      { timeZone: 'UTC', hosts: 3, online: 2, simulated: true },
      { timeZone: 'Europe/Berlin', hosts: 1, online: 0 },
    ],
  },
]

test('counts all readers of a zone, those of ticked models, and its host PCs', () => {
  const summary = summarizeZones(overviews, ['z'])
  expect(summary).toMatchObject({ readers: 1084, hosts: 4, online: 2, simulated: true, timeZones: ['UTC', 'Europe/Berlin'] })
  expect(countReaders(summary, ['CR2700', 'A271/2', 'V1300'])).toBe(1079)
  expect(formatInZone(summary, 'CR2700')).toBe('1,048 in zone')
  expect(formatInZone(summary, 'V1300')).toBe('None in zone')
  expect(formatInZone(summarizeZones(overviews, ['z', 'other']), 'CR2700')).toBe('1,048 in zones')
})

test('[AGT-04] readers of models say how many are simulated, and a zone whose simulated host PC is gone is still marked', () => {
  const summary = summarizeZones(overviews, ['z'])
  expect(formatReaders(summary, ['CR2700', 'A271/2'])).toBe('1,079 readers (1,003 simulated)')
  expect(formatReaders(summary, ['A271/2'])).toBe('31 readers')
  expect(formatReaders(undefined, ['CR2700'])).toBe('readers')
  expect(summarizeZones([{ ...overviews[0]!, hostCounts: [] }], ['z'])).toMatchObject({ simulated: true })
})

test('a zone that is not named has nothing; an unknown summary has no numbers', () => {
  expect(summarizeZones(overviews, ['other'])).toMatchObject({ readers: 0, hosts: 0, simulated: false, timeZones: [] })
  expect(countReaders(undefined, ['CR2700'])).toBeUndefined()
  expect(formatInZone(undefined, 'CR2700')).toBe('…')
})

test('numbers read as people write them', () => {
  expect([counted(1, 'reader'), counted(4218, 'reader'), counted(undefined, 'reader')]).toEqual(['1 reader', '4,218 readers', 'readers'])
})
