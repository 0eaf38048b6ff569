import { ChangeType, specifiedChangeTypes } from '@lectern/contract/audit/changes.ts'
import { expect, test } from 'vitest'
import { formatChangeType, listTypeChoices } from './change-labels.ts'
import { formatUtc, groupByDay } from './entry-time.ts'

test('every change type has a label of its own, and one that is not known its own name', () => {
  const labels = ChangeType.options.map(formatChangeType)
  expect(new Set(labels).size).toBe(ChangeType.options.length)
  for (const label of labels) expect(label).toMatch(/^[A-Z][a-zA-Z -]+$/)
  expect([formatChangeType('somethingNew'), formatChangeType('toString')]).toEqual(['somethingNew', 'toString'])
})

const counted = (entries: Record<string, number>) => ({
  changeTypes: Object.entries(entries).map(([changeType, count]) => ({ changeType, count })),
  people: [],
  zones: [],
})

test('types to choose are those of the specification and others that the log has, with counts once they are known', () => {
  const seven = ['all', ...specifiedChangeTypes.map((type) => `=${type}`)]
  expect(listTypeChoices(undefined, '', true).map(({ value, count }) => [value, count])).toEqual(seven.map((value) => [value, undefined]))
  const choices = listTypeChoices(counted({ renameGroup: 2, createGroup: 1, ZoneCreate: 3 }), 'deleteGroup', true)
  expect(choices.map(({ value }) => value)).toEqual([...seven, '=createGroup', '=renameGroup', '=deleteGroup'])
  expect(choices.map(({ count }) => count)).toEqual([6, 3, 0, 0, 0, 0, 0, 0, 1, 2, 0])
  expect(listTypeChoices(counted({ deleteAd: 1 }), '', false).map(({ label }) => label)).toEqual(['All changes', 'Ad deleted'])
})

test('entries are listed under their day in the viewer’s time zone, today by that name', () => {
  const at = (...[year, month, day, hour]: [number, number, number, number]) => ({
    id: 'id',
    organizationId: null,
    initiatorEmail: null,
    changeType: 'ZoneCreate',
    inEffectSince: new Date(year, month - 1, day, hour).toISOString(),
  })
  const days = groupByDay([at(2025, 11, 20, 0), at(2025, 11, 19, 23), at(2025, 11, 19, 1)], new Date(2025, 10, 20, 12))
  expect(days.map(([day, entries]) => [day, entries.length])).toEqual([
    ['Today, 20 Nov 2025', 1],
    ['Wed 19 Nov 2025', 2],
  ])
  expect(formatUtc('2025-11-20T17:51:04.123Z')).toBe('2025-11-20 17:51:04 UTC')
})
