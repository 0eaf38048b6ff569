import fc from 'fast-check'
import { expect, test } from 'vitest'
import { paths } from '../paths.ts'
import { readSerial } from './device-serial.ts'

test('whatever a serial number holds, it comes back from its address, which names no file and no folder', () => {
  const text = fc.string({ minLength: 1, maxLength: 64, unit: 'grapheme' })
  const serial = fc.oneof(text, fc.constantFrom('27P0418853', 'A/1', '%2F', 'a.js', '?#&', '<b>', 'a/'))
  fc.assert(
    fc.property(
      serial.filter((each) => each.isWellFormed()),
      (each) => {
        const { pathname } = new URL(paths.device({ serialNumber: each }), 'http://localhost')
        if (each !== '.' && each !== '..') expect(readSerial(pathname)).toBe(each)
        expect(pathname).not.toMatch(/\.\w+$/)
      },
    ),
  )
})

test('a slash at the end of an address belongs to no serial number', () => {
  expect(readSerial('/codedm/devices/27P0418853/')).toBe('27P0418853')
  expect(readSerial('/codedm/devices/A/1/')).toBe('A/1')
})

test('an address that was cut short names no reader', () => {
  expect(readSerial('/codedm/devices/%E0%A4')).toBeNull()
})
