import { existsSync, readFileSync } from 'node:fs'
import { matchesGlob } from 'node:path'
import { join } from 'node:path/posix'
import { expect, test } from 'vitest'
import { readSources } from '../house/imports.ts'
import { listNouns } from '../house/nouns.ts'
import { checks } from './checks.ts'
import { miniatures } from './commands.ts'
import { leftOut, onlyInAll } from './matrices.ts'

const root = join(import.meta.dirname, '../..')
const tests = [...readSources().keys()].filter((path) => /\.(test\.tsx?|e2e\.ts)$/.test(path))
const part = tests.filter((path) => !leftOut.some((pattern) => matchesGlob(`/${path}`, pattern)))
const nouns = listNouns(readSources())
const withoutFile = (files: readonly string[], begin: (noun: string) => RegExp) =>
  nouns.filter((noun) => !files.some((path) => begin(noun).test(path)))
/** `system` is the program itself; its tests are those of `app`. */
const inServer = (noun: string) => (noun === 'system' ? /^server\/src\/app\.test\.ts$/ : new RegExp(`^server/src/${noun}/`))
const inBrowser = (noun: string) => new RegExp(`^e2e/${noun}[.-]`)

test('[LEA-01] npm test has tests of every noun, in the server and, where --all has any, in the browser', () => {
  expect(nouns).toContain('zones')
  expect(withoutFile(part, inServer)).toEqual([])
  expect(withoutFile(part, inBrowser)).toEqual(withoutFile(tests, inBrowser))
})

test('[LEA-01] CI runs --all', () => {
  expect(readFileSync(join(root, '.ci/run'), 'utf8').split('\n')).toContain('npm test -- --all')
})

test('[LEA-01] npm test has every journey, and of each kind of state a file', () => {
  const journeys = tests.filter((path) => path.includes('journey') || path.includes('onboarding'))
  expect(journeys.length).toBeGreaterThanOrEqual(5)
  expect(journeys.filter((path) => !part.includes(path))).toEqual([])
  const kinds = ['session', 'shell-connection', 'shell-error-pages', 'keyboard', 'screens', 'pages', 'monitoring', 'agent', 'home']
  expect(kinds.filter((kind) => !part.includes(`e2e/${kind}.e2e.ts`))).toEqual([])
})

test('every file that only --all runs is there once, and npm test leaves out nothing else', () => {
  const files = Object.values(onlyInAll).flat()
  expect(new Set(files)).toHaveLength(files.length)
  expect(files.filter((file) => !['test.ts', 'test.tsx', 'e2e.ts'].some((end) => existsSync(join(root, `${file}.${end}`))))).toEqual([])
  expect(tests.length - part.length).toBe(files.length)
})

test('[LEA-01] every check of package.json is in the list of what --all leaves out, with who calls it when, and in CONTRIBUTING', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const ofGates = ['check:types', 'check:commands']
  const named = Object.keys(scripts).filter((name) => name.startsWith('check:') && !ofGates.includes(name))
  expect(Object.keys(checks).toSorted()).toEqual(named.toSorted())
  const guide = readFileSync(join(root, 'CONTRIBUTING.md'), 'utf8')
  for (const [name, { has, when }] of Object.entries(checks)) expect(guide).toContain(`| \`npm run ${name}\` | ${has} | ${when} |`)
})

test('[LEA-02] every command of package.json has a miniature', () => {
  const { scripts } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8'))
  const named = Object.keys(scripts).filter((name) => name !== 'check:commands')
  expect([...miniatures.keys()].toSorted()).toEqual(named.toSorted())
})
