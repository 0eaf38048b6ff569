import { expect, test } from 'vitest'
import { readView, writeView } from './case-address.ts'

test.each([
  ['', true, { isEverybodys: true, text: '', status: undefined, page: 0, size: 10 }],
  ['', false, { isEverybodys: false, text: '', status: undefined, page: 0, size: 10 }],
  ['of=me&search=dark&status=Closed&page=3&size=50', true, { isEverybodys: false, text: 'dark', status: 'Closed', page: 2, size: 50 }],
] as const)('the address %j is a view, and back', (query, isStaff, view) => {
  expect(readView(new URLSearchParams(query), isStaff)).toEqual(view)
  expect(String(writeView(view, isStaff))).toBe(query)
})

test('what makes no sense in an address counts as not said', () => {
  const address = new URLSearchParams('of=everybody&status=Lost&page=0&size=7')
  expect(readView(address, false)).toEqual(readView(new URLSearchParams(), false))
  expect(readView(new URLSearchParams(`search=${'x'.repeat(300)}`), false).text).toHaveLength(200)
})
