import { describe, expect, test } from 'vitest'
import { readSources, type Sources } from './imports.ts'
import { findEmptyDocs, findOldNames, findOldTexts } from './words.ts'

const sources = readSources()

test('names are the field’s words', () => {
  expect(findOldNames(sources)).toEqual([])
})

test('texts that people read are in the field’s words', () => {
  expect(findOldTexts(sources)).toEqual([])
})

test('no doc block repeats the name below it', () => {
  expect(findEmptyDocs(sources)).toEqual([])
})

const file = (text: string): Sources => new Map([['server/src/zones/zones.ts', text]])

describe('finds an old word in a name', () => {
  test.each([
    ['const wantedZone = 1', 'wantedZone'],
    ['interface Told {}', 'Told'],
    ['function enrolHost() {}', 'enrolHost'],
    ['interface Row { licenseNumber: string }', 'licenseNumber'],
    ['const addressOf = () => 1', 'addressOf'],
    ['function rowOf() {}', 'rowOf'],
  ])('%s', (code, name) => {
    expect(findOldNames(file(code)).map(({ found }) => found)).toEqual([name])
  })

  test('and lets the specification’s own fields pass', () => {
    const contract: Sources = new Map([
      ['contract/src/licences.ts', 'export const Licence = z.object({ licenseNumber: z.string() })'],
      ['server/src/licences/licences.ts', 'interface Row { licenseNumber: string }'],
    ])
    expect(findOldNames(contract)).toEqual([])
    expect(findOldNames(file('const kindsOfLicences = [1]; const enrolled = enrollment'))).toEqual([])
  })
})

describe('finds an old word in a text', () => {
  test.each([
    [`throw new Error('Somebody else was faster.')`],
    ['const text = `The readers shall run it`'],
    ['const page = <p>There is one host, the former one.</p>'],
    ['const page = <Notice title="It has not got firmware 4.2" />'],
  ])('%s', (code) => {
    expect(findOldTexts(new Map([['web/src/zones/zone.tsx', code]]))).toHaveLength(1)
  })

  test('and lets SQL, single words and paths pass', () => {
    expect(findOldTexts(file("sql`select told from license`; const a = 'license'; const b = '/api/licensing/licenses'"))).toEqual([])
  })
})

test.each([
  ['/** The address of a step. */\nfunction stepAddress() {}', 1],
  ['/** The zones. */\nexport const zones = []', 1],
  ['/** A zone is deleted. */\nexport async function deleteZone() {}', 1],
  ['/** Bytes. */\nconst size = 1', 0],
  ['/** Throws a Problem 404 where there is none. */\nfunction getZone() {}', 0],
  ['// The zones.\nconst zones = []', 0],
])('doc block: %s', (code, found) => {
  expect(findEmptyDocs(file(code))).toHaveLength(found)
})
