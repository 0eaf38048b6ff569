import { readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { findImports, readSources } from './imports.ts'
import { findStrayFiles, type UnusedConfig } from './unused.ts'

const config: UnusedConfig = JSON.parse(readFileSync(join(import.meta.dirname, '../../knip.json'), 'utf8'))

test('every file of contract, server and idp exports something, is imported, or is a program that knip.json names', () => {
  const sources = readSources()
  expect(findStrayFiles(sources, findImports(sources), config)).toEqual([])
})

test.each(['contract/src/http/dead.ts', 'server/src/zones/dead.ts', 'idp/src/dead.ts'])('[LEA-03] finds %s', (path) => {
  const sources = new Map([[path, 'console.log(1)\n']])
  expect(findStrayFiles(sources, findImports(sources), config)).toEqual([path])
})

test('a program, a test and what is imported for what it does are no such files', () => {
  const sources = new Map([
    ['server/src/main.ts', `import './zones/effect.ts'`],
    ['server/src/zones/effect.ts', 'console.log(1)'],
    ['server/src/zones/zones.test.ts', 'console.log(1)'],
  ])
  expect(findStrayFiles(sources, findImports(sources), config)).toEqual([])
})
