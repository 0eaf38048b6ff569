import { pageSizes } from '@lectern/contract/http/paging.ts'
import { LicenceColumn } from '@lectern/contract/licences/licences.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstList, isBackwards, type LicenceList, pageQuery, readList, writeList } from './licence-list.ts'

const day = fc.constantFrom('', '2026-01-31', '2024-02-29')
const lists: fc.Arbitrary<LicenceList> = fc.record({
  text: fc.string({ maxLength: 50 }).filter((text) => !text.includes('\0')),
  from: day,
  to: day,
  sort: fc.record({
    ColumnName: fc.constantFrom(...LicenceColumn.options),
    Direction: fc.constantFrom('Ascending' as const, 'Descending' as const),
  }),
  page: fc.nat(1_000),
  size: fc.constantFrom(...pageSizes),
})

test('an address says the whole list', () => {
  fc.assert(fc.property(lists, (list) => void expect(readList(new URLSearchParams(String(writeList(list))))).toEqual(list)))
  expect(String(writeList(firstList))).toBe('')
})

test('what makes no sense in an address counts as not said', () => {
  expect(readList(new URLSearchParams('sort=x&order=Up&page=0&size=7&from=2026-02-30&to=soon'))).toEqual(firstList)
})

test('days that no licence can be from are known before anybody is asked', () => {
  expect(isBackwards({ ...firstList, from: '2026-01-02', to: '2026-01-01' })).toBe(true)
  expect(isBackwards({ ...firstList, from: '2026-01-02', to: '2026-01-02' })).toBe(false)
  expect(isBackwards({ ...firstList, from: '2026-01-02' })).toBe(false)
})

test('[API-LIC-01] the call has the names of the specification, and only what is said', () => {
  expect(pageQuery(firstList)).toEqual({ ColumnName: 'Date', Direction: 'Descending', PageNumber: 0, PageSize: 10 })
  expect(pageQuery({ ...firstList, text: ' po-7 ', from: '2026-01-01', to: '2026-01-31', page: 2 })).toMatchObject({
    textFilter: 'po-7',
    startDate: '2026-01-01',
    endDate: '2026-01-31',
    PageNumber: 2,
  })
})
