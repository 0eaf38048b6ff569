import { describe, expect, test } from 'vitest'
import { findEmptyDocs } from './empty-docs.ts'
import { readSources, type Sources } from './imports.ts'
import { findOldComments, findOldNames, findOldTexts } from './words.ts'

const sources = readSources()

test('names are the field’s words', () => {
  expect(findOldNames(sources)).toEqual([])
})

test('texts that people read are in the field’s words', () => {
  expect(findOldTexts(sources)).toEqual([])
})

test('comments are in the field’s words', () => {
  expect(findOldComments(sources)).toEqual([])
})

test('no doc block repeats the name below it', () => {
  expect(findEmptyDocs(sources)).toEqual([])
})

const file = (text: string): Sources => new Map([['server/src/zones/zones.ts', text]])

describe('finds an old word in a name', () => {
  test.each([
    ['const wantedZone = 1', 'wantedZone'],
    ['const former = 1', 'former'],
    ['const applying = (parts: string[]) => parts', 'applying'],
    ['interface Brought {}', 'Brought'],
    ['const begun = 1', 'begun'],
    ['interface Reader { isPutOff: boolean }', 'isPutOff'],
    ['const farewellMs = 1', 'farewellMs'],
    ['class Bell {}', 'Bell'],
    ['const picture = 1', 'picture'],
    ['const noteHalts = () => 1', 'noteHalts'],
    ['async function passLimit() {}', 'passLimit'],
    ['function deviceCalled() {}', 'deviceCalled'],
    ['const selectZone = () => 1', 'selectZone'],
    ['function getZone(): Promise<Zone | undefined> {}', 'getZone'],
    ['const getZones = (): Zone[] => []', 'getZones'],
    ['interface Told {}', 'Told'],
    ['type By = string', 'By'],
    ['interface House {}', 'House'],
    ['const newHouse = () => 1', 'newHouse'],
    ['const addressOf = () => 1', 'addressOf'],
    ['function rowOf() {}', 'rowOf'],
    ['interface Row { licenseNumber: string }', 'licenseNumber'],
    ['function enrolHost() {}', 'enrolHost'],
    ['function sort(wanted: string) {}', 'wanted'],
    ['const sort = ({ key: wanted }: Sort) => 1', 'wanted'],
    ['const { rest, ...former } = zone', 'former'],
    ['const zone = { rowOf: () => 1 }', 'rowOf'],
  ])('%s', (code, name) => {
    expect(findOldNames(file(code)).map(({ found }) => found)).toEqual([name])
  })

  test('where it is one: an order is the agent’s, a picture no reader’s, SQL selects', () => {
    const code = 'const order = 1; const picture = 1; const selectZone = () => 1'
    const findIn = (path: string) => findOldNames(new Map([[path, code]])).map(({ found }) => found)
    expect(findIn('agent/src/state/zone.ts')).toEqual(['order', 'picture'])
    expect(findIn('web/src/products/product.ts')).toEqual([])
    expect(findIn('server/src/zones/zone-sql.ts')).toEqual(['picture'])
  })

  test('and lets the specification’s own fields and values pass', () => {
    const contract: Sources = new Map([
      ['contract/src/licences.ts', "export const Licence = z.object({ licenseNumber: z.string() }); const Type = z.enum(['enrolHost'])"],
      ['server/src/licences/licences.ts', 'interface Row { licenseNumber: string }; const handlers = { enrolHost: 1 }'],
    ])
    expect(findOldNames(contract)).toEqual([])
    expect(findOldNames(file('const kindsOfLicences = [1]; const enrolled = enrollment; const oneOf = () => 1'))).toEqual([])
  })

  test('but no other field of the contract', () => {
    const path = 'contract/src/licences.ts'
    expect(findOldNames(new Map([[path, 'const handlers = { enrolHost: 1 }']])).map(({ found }) => found)).toEqual(['enrolHost'])
  })
})

describe('finds an old word in a text', () => {
  test.each([
    [`throw new Error('Somebody else was faster.')`],
    ['const text = `The readers shall run it`'],
    ['const page = <p>There is one host, the former one.</p>'],
    ['const page = <Notice title="It has not got firmware 4.2" />'],
    ['const page = <p>At most 20 readers a zone</p>'],
    [`const text = 'The server answers 503.'`],
    [`const text = 'The agent tells the server.'`],
    [`const text = 'The zone stands in the list.'`],
    [`const text = 'Enter the license.'`],
    [`const text = 'Enrol the PC.'`],
  ])('%s', (code) => {
    expect(findOldTexts(new Map([['web/src/zones/zone.tsx', code]]))).toHaveLength(1)
  })

  test.each([
    "throw new Problem(403, 'This needs the permission manage:firmware.')",
    'const page = <p>This takes manage:cfg-lib, which you lack.</p>',
  ])('[SEE-07] a permission’s code: %s', (code) => {
    expect(findOldTexts(new Map([['web/src/zones/zone.tsx', code]])).map(({ use }) => use)).toEqual([
      'the permission’s label (`quotePermissions`)',
    ])
  })

  test('and lets SQL, class names, single words, paths and other senses pass', () => {
    expect(
      findOldTexts(file("sql`select told from license`; const a = 'license'; const c = 'manage:cfg'; const b = '/api/licensing/licenses'")),
    ).toEqual([])
    const page = '<p className="audit said">Questions and answers: readers of a zone</p>'
    expect(findOldTexts(new Map([['web/src/zones/zone.tsx', `const page = ${page}`]]))).toEqual([])
  })
})

test.each([
  ['/** What was told. */\nconst a = 1', 1],
  ['/**\n * One line.\n * It said so.\n */\nconst a = 1', 1],
  ['// The host the former agent enrolled.\nconst a = 1', 1],
  ['const a = 1 // as nobody reads it', 1],
  ['/** Once at most (decided). */\nconst a = 1', 1],
  ['/** Once at most (decision 12). */\nconst a = 1', 0],
  ['/** `told` is the name of a column. */\nconst a = 1', 0],
])('comment: %s', (code, found) => {
  expect(findOldComments(file(code))).toHaveLength(found)
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
