import { pageSizes } from '@lectern/contract/http/paging.ts'
import fc from 'fast-check'
import { expect, test } from 'vitest'
import { firstList, type ReaderList, readList, writeList } from './reader-list.ts'

const lists: fc.Arbitrary<ReaderList> = fc.record({
  status: fc.constantFrom('all' as const, 'online' as const, 'offline' as const),
  text: fc.string({ maxLength: 50 }).filter((text) => !text.includes('\0')),
  page: fc.nat(1_000),
  size: fc.constantFrom(...pageSizes),
})

test('an address says the whole list', () => {
  fc.assert(fc.property(lists, (list) => void expect(readList(new URLSearchParams(String(writeList(list))))).toEqual(list)))
  expect(String(writeList(firstList))).toBe('')
})

test('what makes no sense in an address counts as not said', () => {
  expect(readList(new URLSearchParams('show=lost&page=-1&size=7'))).toEqual(firstList)
})
