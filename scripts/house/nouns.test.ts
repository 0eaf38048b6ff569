import { expect, test } from 'vitest'
import { readSources, type Sources } from './imports.ts'
import { findLostRooms, findMissingNouns, findStrayNames, findStrayTables } from './nouns.ts'

const sources = readSources()

test.each(['contract', 'server', 'web', 'e2e'] as const)('%s calls every noun as the contract does', (layer) => {
  expect(findStrayNames(sources, layer)).toEqual([])
})

test('the server has every noun of the contract', () => {
  expect(findMissingNouns(sources)).toEqual([])
})

test.each(['contract', 'server', 'web', 'e2e'] as const)('%s has every room that it names', (layer) => {
  expect(findLostRooms(sources, layer)).toEqual([])
})

test('tables of calls and routes are called after their noun', () => {
  expect(findStrayTables(sources)).toEqual([])
})

const files = (...paths: string[]): Sources => new Map(paths.map((path) => [path, '']))

test.each([
  ['server', 'server/src/locations/routes.ts', 'locations'],
  ['server', 'server/src/locations.ts', 'locations'],
  ['web', 'web/src/locations/zone-page.tsx', 'locations'],
  ['e2e', 'e2e/zone-actions.e2e.ts', 'zone-actions'],
] as const)('in %s it finds %s', (layer, path, name) => {
  expect(findStrayNames(files('contract/src/zones.ts', path), layer)).toEqual([name])
})

test.each([
  ['server', 'server/src/zones/routes.ts'],
  ['server', 'server/src/postgres/cluster.ts'],
  ['web', 'web/src/zones/zones-page.tsx'],
  ['web', 'web/src/shell/root.tsx'],
  ['e2e', 'e2e/zones.e2e.ts'],
  ['e2e', 'e2e/zones-actions.e2e.ts'],
  ['e2e', 'e2e/support/sign-in.ts'],
] as const)('in %s it allows %s', (layer, path) => {
  expect(findStrayNames(files('contract/src/zones/zones.ts', path), layer)).toEqual([])
})

test('a noun that the server lacks, a room that is gone and a table with another name are found', () => {
  expect(findMissingNouns(files('contract/src/zones.ts', 'server/src/locations/routes.ts'))).toEqual(['zones'])
  expect(findLostRooms(files('contract/src/endpoints.ts', 'contract/src/http/etag.ts', 'contract/src/text/text.ts'), 'contract')).toEqual([
    'exit-codes',
    'feature-flags',
    'testing',
  ])
  const tables = new Map([
    ['contract/src/library.ts', 'export const savedConfigurationEndpoints = {}'],
    ['server/src/countries/routes.ts', 'export const countryRoutes = {}'],
  ])
  expect(findStrayTables(tables)).toEqual(['contract/src/library.ts: savedConfigurationEndpoints'])
})
