import { expect, test } from 'vitest'
import { everyReader, readReaders, writeReaders } from './reader-address.ts'

const zone = '0198c0de-0001-7000-8000-000000000001'

test('an address holds what is shown and nothing else', () => {
  const view = { zone, model: 'A271/2', state: 'failed', text: '27P', page: 2 } as const
  expect(readReaders(writeReaders(view))).toEqual(view)
  expect(String(writeReaders(everyReader))).toBe('')
})

test.each(['page=0', 'page=x', 'page=1e9', 'state=happy', 'zone=ward', 'model=toaster'])('what %s says wrongly is not there', (address) => {
  expect(readReaders(new URLSearchParams(address))).toEqual(everyReader)
})
