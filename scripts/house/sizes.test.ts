import { expect, test } from 'vitest'
import type { Sources } from './imports.ts'
import { findFullFolders, findLongFiles, findLongFunctions, findSmallFiles, measureComments, measureNoun } from './sizes.ts'

test('a noun is counted with its tests, and without others whose names begin as it does', () => {
  const paths = ['contract/src/ads.ts', 'server/src/ads/ads.test.ts', 'web/src/ads/ad-card.css', 'e2e/ads.e2e.ts', 'e2e/ads-cards.e2e.ts']
  const others = ['contract/src/ads-shop.ts', 'server/src/adsorb/ads.ts', 'e2e/adsorb.e2e.ts', 'web/src/home/ads/ad.tsx']
  expect(measureNoun(new Map([...paths, ...others].map((path) => [path, 'one\ntwo\n'])), 'ads')).toEqual({ files: 5, lines: 10 })
})

test('doc blocks per 1,000 lines are not rounded; other comments are none', () => {
  const text = '/** One. */\n// Two.\n/* Three. */\nconst one = 1\n/** Four. */\nconst four = 4\n\n'
  expect(measureComments(new Map([['web/src/zones/zone.ts', text]]), 'web').blocks).toBeCloseTo(333.333, 3)
  expect(measureComments(new Map([['web/src/zones/zone.ts', `${text}const five = 5\n`]]), 'web').blocks).toBeCloseTo(250, 3)
})

const lines = (count: number) => '  work()\n'.repeat(count)

test('a file of more than 300 lines is printed, and so is a folder of more than 25 files', () => {
  expect(findLongFiles(new Map([['web/src/zones/zones.css', lines(300)]]))).toEqual([])
  expect(findLongFiles(new Map([['web/src/zones/zones.css', lines(301)]]))).toEqual([['web/src/zones/zones.css', 301]])
  const folder = (files: number): Sources => new Map(Array.from({ length: files }, (_, number) => [`web/src/zones/${number}.ts`, '']))
  expect(findFullFolders(folder(25))).toEqual([])
  expect(findFullFolders(folder(26))).toEqual([['web/src/zones', 26]])
})

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
