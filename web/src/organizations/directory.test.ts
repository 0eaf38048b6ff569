import { expect, test } from 'vitest'
import { readDirectory, writeDirectory } from './directory.ts'

const read = (address: string) => readDirectory(new URLSearchParams(address))

test('what the directory shows stands in the address, and nothing else does', () => {
  const shown = { text: 'north & south', page: 2, size: 50 }
  expect(read(String(writeDirectory(shown)))).toEqual(shown)
  expect(String(writeDirectory(read('')))).toBe('')
})

test.each(['page=0', 'page=-1', 'page=1.5', 'page=many', 'page=1e99', 'size=11', 'size=', 'search='])(
  '%s makes no sense in an address and counts as not said',
  (address) => {
    expect(read(address)).toEqual({ text: '', page: 0, size: 10 })
  },
)

test('a text in the address is cut to what the server takes, between two characters', () => {
  const { text } = read(`search=${encodeURIComponent(`${'a'.repeat(199)}😀`)}`)
  expect(text).toHaveLength(200)
  expect(text.isWellFormed()).toBe(true)
})
