import { expect, test } from 'vitest'
import { readSources, type Sources } from './imports.ts'
import { findFullFolders, findLongFunctions, findSmallFiles, measureComments, measureNoun } from './sizes.ts'

const sources = readSources()

test('no production function is over 60 lines', () => {
  expect(findLongFunctions(sources)).toEqual([])
})

test('at most 20 files exist for one reader that could hold them', () => {
  expect(
    findSmallFiles(sources)
      .map(({ path }) => path)
      .slice(20),
  ).toEqual([])
})

test('no folder has more than 25 files beside each other', () => {
  expect(findFullFolders(sources)).toEqual([])
})

test.each([
  ['ads', 850],
  ['readers', 950],
])('%s has at most 12 files and %i lines in all layers', (noun, most) => {
  const { files, lines } = measureNoun(sources, noun)
  expect(files).toBeGreaterThan(6)
  expect(files).toBeLessThanOrEqual(12)
  expect(lines).toBeLessThanOrEqual(most)
})

test('a noun is counted with its tests, and without others whose names begin as it does', () => {
  const paths = ['contract/src/ads.ts', 'server/src/ads/ads.test.ts', 'web/src/ads/ad-card.css', 'e2e/ads.e2e.ts', 'e2e/ads-cards.e2e.ts']
  const others = ['contract/src/ads-shop.ts', 'server/src/adsorb/ads.ts', 'e2e/adsorb.e2e.ts', 'web/src/home/ads/ad.tsx']
  expect(measureNoun(new Map([...paths, ...others].map((path) => [path, 'one\ntwo\n'])), 'ads')).toEqual({ files: 5, lines: 10 })
})

test.each([
  ['web', 24],
  ['server', 24],
  ['contract', 38],
  ['agent', 40],
])('%s has at most %i doc blocks per 1,000 lines', (program, most) => {
  expect(measureComments(sources, program).blocks).toBeLessThanOrEqual(most)
})

test('doc blocks per 1,000 lines are not rounded; other comments are none', () => {
  const text = '/** One. */\n// Two.\n/* Three. */\nconst one = 1\n/** Four. */\nconst four = 4\n\n'
  expect(measureComments(new Map([['web/src/zones/zone.ts', text]]), 'web').blocks).toBeCloseTo(333.333, 3)
  expect(measureComments(new Map([['web/src/zones/zone.ts', `${text}const five = 5\n`]]), 'web').blocks).toBeCloseTo(250, 3)
})

const lines = (count: number) => '  work()\n'.repeat(count)

test('a function is counted with what is in it, also a component and the SQL of a query', () => {
  const one = (text: string): Sources => new Map([['server/src/zones/zones.ts', text]])
  expect(findLongFunctions(one(`function work() {\n${lines(58)}}`))).toEqual([])
  expect(findLongFunctions(one(`\n\nfunction work() {\n${lines(59)}}`))).toEqual([
    { path: 'server/src/zones/zones.ts', line: 3, lines: 61 },
  ])
  expect(findLongFunctions(one(`const work = () => sql\`\n${lines(60)}\``))).toHaveLength(1)
  expect(findLongFunctions(new Map([['server/src/zones/zones.test.ts', `function work() {\n${lines(90)}}`]]))).toEqual([])
})

test('a small file counts that one file of its folder imports, unless it has a test, a layer’s name or a full host', () => {
  const host = (path: string, count = 10): Sources =>
    new Map([
      ['web/src/zones/zone-list.tsx', `import { part } from './part.tsx'\n${lines(count)}`],
      [path, 'export const part = 1\n'.repeat(50)],
    ])
  expect(findSmallFiles(host('web/src/zones/part.tsx'))).toEqual([{ path: 'web/src/zones/part.tsx', host: 'web/src/zones/zone-list.tsx' }])
  expect(findSmallFiles(host('web/src/zones/part.tsx', 180))).toEqual([])
  expect(findSmallFiles(new Map([...host('web/src/zones/part.tsx'), ['web/src/zones/part.test.tsx', '']]))).toEqual([])
  expect(
    findSmallFiles(new Map([...host('web/src/zones/part.tsx'), ['web/src/zones/other.tsx', `import { part } from './part.tsx'`]])),
  ).toEqual([])
})
