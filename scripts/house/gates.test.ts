import { spawnSync } from 'node:child_process'
import { appendFileSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { copyCheckout } from '../copy-checkout.ts'

// The rules of scripts/house have tests beside them that show each refusing. This file shows that for the tools that npm test calls.

const root = join(import.meta.dirname, '../..')
let copy: string
beforeAll(() => {
  copy = mkdtempSync(join(tmpdir(), 'lectern-gates-'))
  copyCheckout(root, copy)
}, 120_000)
afterAll(() => rmSync(copy, { recursive: true, force: true }))

function run(program: string, ...args: string[]) {
  const { status, stdout } = spawnSync(process.execPath, [join('node_modules', program), ...args], { cwd: copy, encoding: 'utf8' })
  return { status, printed: JSON.parse(stdout) }
}

/** In each workspace, a file that nothing imports, and a used file that gets an export which nothing imports. */
const dead: Record<string, { file: string; inUse: string }> = {
  contract: { file: 'contract/src/text/dead.ts', inUse: 'contract/src/text/phone.ts' },
  server: { file: 'server/src/zones/dead.ts', inUse: 'server/src/zones/zones.ts' },
  idp: { file: 'idp/src/sign-in/dead.ts', inUse: 'idp/src/logout.ts' },
  web: { file: 'web/src/zones/dead.ts', inUse: 'web/src/zones/zone-row.ts' },
  agent: { file: 'agent/src/dead.ts', inUse: 'agent/src/backoff.ts' },
  e2e: { file: 'e2e/support/dead.ts', inUse: 'e2e/support/tab-to.ts' },
  bench: { file: 'bench/src/dead.ts', inUse: 'bench/src/fleet.ts' },
  '.': { file: 'scripts/dead.ts', inUse: 'scripts/copy-checkout.ts' },
}

test('[LEA-03] knip finds a dead file and a dead export in each workspace, and nothing else', { timeout: 240_000 }, () => {
  expect(Object.keys(dead).toSorted()).toEqual(Object.keys(JSON.parse(readFileSync(join(root, 'knip.json'), 'utf8')).workspaces).toSorted())
  for (const { file, inUse } of Object.values(dead)) {
    writeFileSync(join(copy, file), 'export const dead = 1\n')
    appendFileSync(join(copy, inUse), '\nexport const deadExport = 1\nexport type DeadType = 1\n')
  }
  const { status, printed } = run('knip/bin/knip.js', '--reporter', 'json')
  const found = (printed.issues as { file: string; files: unknown[]; exports: { name: string }[]; types: { name: string }[] }[]).map(
    ({ file, files, exports, types }) => [file, [...exports, ...types].map(({ name }) => name).join() || (files.length > 0 ? 'file' : '')],
  )
  for (const { file } of Object.values(dead)) rmSync(join(copy, file))
  expect(status).toBe(1)
  expect(found.toSorted()).toEqual(
    Object.entries(dead)
      .flatMap(([workspace, { file, inUse }]) => [
        // knip takes files of these three for entries, and reports that of their exports.
        [file, ['contract', 'server', 'idp'].includes(workspace) ? 'dead' : 'file'],
        [inUse, 'deadExport,DeadType'],
      ])
      .toSorted(),
  )
})

const twentySixBranches = `export const judge = (a: number) => {
${Array.from({ length: 26 }, (_, number) => `  if (a === ${number}) console.log(${number})`).join('\n')}
}
`
const sixCallbacks = `const go = (work: () => void) => work()
export const nested = () => go(() => go(() => go(() => go(() => go(() => go(() => go(() => {})))))))
`
/** Code that breaks each rule of biome.json, and some of Biome's own. */
const broken: Record<string, Record<string, string>> = {
  'style/useFilenamingConvention': { 'web/src/zones/ZoneThing.ts': 'export const zone = 1\n' },
  'performance/noBarrelFile': { 'web/src/zones/barrel.ts': "export { zone } from './zone.ts'\n" },
  'performance/noReExportAll': { 'web/src/zones/all.ts': "export * from './zone.ts'\n" },
  'complexity/noExcessiveCognitiveComplexity': { 'server/src/zones/complex.ts': twentySixBranches },
  'nursery/noExcessiveNestedCallbacks': { 'server/src/zones/nested.ts': sixCallbacks },
  'suspicious/noImportCycles': {
    'contract/src/text/one.ts': "import { two } from '@lectern/contract/text/two.ts'\nexport const one = () => two\n",
    'contract/src/text/two.ts': "import type { one } from './one.ts'\nexport const two = {} as { one?: typeof one }\n",
  },
  'correctness/noUnusedImports': { 'agent/src/unused-import.ts': "import { join } from 'node:path'\nexport const one = 1\n" },
  'correctness/noUnusedVariables': { 'agent/src/unused-variable.ts': 'const one = 1\n' },
  'suspicious/noExplicitAny': { 'idp/src/any.ts': 'export const one = (two: any) => two\n' },
  'a11y/useAltText': { 'web/src/zones/picture.tsx': 'export const Picture = () => <img src="/logo.svg" />\n' },
  format: { 'bench/src/format.ts': 'export const  one = "1";\n' },
}

test('[LEA-03] Biome refuses what each of its rules that we count on is against', { timeout: 240_000 }, () => {
  const { rules } = JSON.parse(readFileSync(join(root, 'biome.json'), 'utf8')).linter
  const set = Object.entries<Record<string, unknown>>(rules).flatMap(([group, own]) =>
    Object.entries(own).flatMap(([rule, level]) => (level === 'off' ? [] : [`${group}/${rule}`])),
  )
  expect(Object.keys(broken)).toEqual(expect.arrayContaining(set))
  const files = Object.values(broken).flatMap((own) => Object.entries(own))
  for (const [file, text] of files) writeFileSync(join(copy, file), text)
  const args = ['check', '--reporter=json', '--max-diagnostics=none', ...files.map(([file]) => file)]
  const { status, printed } = run('@biomejs/biome/bin/biome', ...args)
  const found: { category: string; severity: string; location: { path: string } }[] = printed.diagnostics
  for (const [file] of files) rmSync(join(copy, file))
  expect(status).toBe(1)
  for (const [rule, own] of Object.entries(broken))
    for (const file of Object.keys(own))
      expect(
        found.filter(({ location }) => location.path === file).map(({ category }) => category.replace('lint/', '')),
        file,
      ).toContain(rule)
})
