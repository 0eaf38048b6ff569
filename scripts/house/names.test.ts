import { expect, test } from 'vitest'
import { readSources } from './imports.ts'
import { findMisnomers } from './names.ts'

test('every file of the project keeps the rules on names', () => {
  expect(findMisnomers(readSources())).toEqual([])
})

test.each([
  ['web/src/utils/zones.ts', 'export const zone = 1'],
  ['server/src/zones/helpers.ts', 'export const zone = 1'],
  ['server/src/zones/types.test.ts', 'export const zone = 1'],
  ['server/src/zones/zones.ts', 'export interface IZone {}'],
  ['server/src/zones/zones.ts', 'export class ZoneService {}'],
  ['server/src/zones/zones.ts', 'export type ZoneDto = string'],
  ['server/src/zones/zones.ts', 'export default 1'],
])('refuses %s: %s', (path, text) => {
  expect(findMisnomers(new Map([[path, text]]))).toHaveLength(1)
})

test.each([
  ['web/src/zones/zones-page.tsx', 'export default function ZonesPage() { return null }'],
  ['vitest.config.ts', 'export default {}'],
  ['server/src/zones/zones.ts', 'export interface Item {}\nexport type IdToken = string'.replace('IdToken', 'Identity')],
  ['server/src/zones/zones.ts', 'export type A = 1\n'.repeat(400)],
])('allows %s: %s', (path, text) => {
  expect(findMisnomers(new Map([[path, text]]))).toEqual([])
})
