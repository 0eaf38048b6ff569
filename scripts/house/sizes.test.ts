import { expect, test } from 'vitest'
import { readSources, type Sources } from './imports.ts'
import { findFullFolders, findLongFunctions, findSmallFiles, measureComments } from './sizes.ts'

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
  ['web', 25],
  ['server', 25],
  ['contract', 38],
  ['agent', 40],
])('%s has at most %i doc blocks per 1,000 lines', (program, most) => {
  expect(measureComments(sources, program).blocks).toBeLessThanOrEqual(most)
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
