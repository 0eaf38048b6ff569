import fc from 'fast-check'
import { expect, test } from 'vitest'
import { compareVersions, isNewerVersion, versionOrder } from './versions.ts'

test('versions sort as numbers, not as letters', () => {
  const inOrder = ['v1.2', 'v1.10', '2.6.0', '4.9.2', '4.9.10', '4.10', '4.10.0', '4.10.1', '10.0']
  expect([...inOrder].reverse().sort(compareVersions)).toEqual(inOrder)
})

test('[RIT-09] a pre-release is before its release, its number counts as a number, and one more number is newer', () => {
  const inOrder = [
    '9.9.9',
    '9.10.0a',
    '9.10.0-beta.2',
    '9.10.0-rc1',
    '9.10.0-rc2',
    '9.10.0rc3',
    '9.10.0 RC4',
    '9.10.0-rc10',
    '9.10.0',
    '9.10.0+build5',
    '9.10.0p1',
    '9.10.0.1-rc1',
    '9.10.0.1',
    '9.10.1',
  ]
  expect([...inOrder].reverse().sort(compareVersions)).toEqual(inOrder)
  for (const [place, version] of inOrder.entries())
    for (const other of inOrder.slice(0, place)) expect([version, other, isNewerVersion(other, version)]).toEqual([version, other, false])
})

test('[RIT-09] the order that SemVer gives as its example', () => {
  const inOrder = ['1.0.0-alpha', '1.0.0-alpha.1', '1.0.0-alpha.beta', '1.0.0-beta', '1.0.0-beta.2', '1.0.0-beta.11', '1.0.0-rc.1', '1.0.0']
  expect([...inOrder].reverse().sort(compareVersions)).toEqual(inOrder)
})

test.each([
  ['v9.10.0', '9.10.0'],
  ['V9.10.0-rc1', '9.10.0-RC1'],
  ['9.10.0+build5', '9.10.0'],
  ['9.10.0+5', '9.10.0+12'],
  ['9.10.0rc1', '9.10.0-rc.1'],
  ['9.10.0b2', '9.10.0-beta.2'],
])('[RIT-09] %s and %s are equal in order, and sorted by text', (one, other) => {
  expect([isNewerVersion(one, other), isNewerVersion(other, one)]).toEqual([false, false])
  expect(Math.sign(compareVersions(one, other))).toBe(-Math.sign(compareVersions(other, one)))
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
      expect(compareVersions(a.join('.'), b.join('.'))).toBe(expected)
    }),
    { seed: 20_260_307 },
  )
})
