import fc from 'fast-check'
import { expect, test } from 'vitest'
import { versionOrder } from './versions.ts'

const sorted = (versions: readonly string[]) =>
  [...versions].sort((a, b) => (versionOrder(a) < versionOrder(b) ? -1 : versionOrder(a) > versionOrder(b) ? 1 : 0))

test('versions sort as numbers, not as letters', () => {
  const inOrder = ['2.6.0', '4.9.2', '4.9.10', '4.10', '4.10.0', '4.10.1', '10.0', 'v1.2', 'v1.10']
  expect(sorted([...inOrder].reverse())).toEqual(inOrder)
})

test('zeros in front and capital letters make no difference', () => {
  expect(versionOrder('4.09.002')).toBe(versionOrder('4.9.2'))
  expect(versionOrder('0.0')).toBe(versionOrder('00.000'))
  expect(versionOrder('1.0-RC1')).toBe(versionOrder('1.0-rc1'))
  expect(versionOrder('1.00000000000007')).toBe(versionOrder('1.7'))
})

test('the form in which a version is kept and compared does not change', () => {
  expect(versionOrder('4.10.0-RC1')).toBe('000000000004.000000000010.000000000000-rc000000000001')
})

test('of two versions of three numbers, the first number that differs decides', () => {
  const version = fc.tuple(fc.nat(20_000), fc.nat(200), fc.nat(20))
  fc.assert(
    fc.property(version, version, (a, b) => {
      const differs = a.findIndex((number, place) => number !== b[place])
      const expected = differs < 0 ? 0 : Math.sign(a[differs]! - b[differs]!)
      const [left, right] = [versionOrder(a.join('.')), versionOrder(b.join('.'))]
      expect(left < right ? -1 : left > right ? 1 : 0).toBe(expected)
    }),
    { seed: 20_260_307 },
  )
})
