import { execFileSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** A project of its own: these scripts, a lock, and the files given. */
function project(files: Record<string, string>): string {
  const root = mkdtempSync(join(tmpdir(), 'lectern-setup-'))
  onTestFinished(() => rmSync(root, { recursive: true, force: true }))
  cpSync(import.meta.dirname, join(root, 'scripts'), { recursive: true })
  for (const [path, text] of Object.entries({ 'package.json': '{"type":"module"}', 'package-lock.json': '{"packages":{}}', ...files })) {
    mkdirSync(dirname(join(root, path)), { recursive: true })
    writeFileSync(join(root, path), text)
  }
  return root
}

/** What an expression over the project's scripts gives. */
function evaluate(root: string, script: string, expression: string, env: Record<string, string> = {}): string {
  const code = `import * as script from ${JSON.stringify(join(root, 'scripts', script))}; process.stdout.write(String(${expression}))`
  return execFileSync(process.execPath, ['--input-type=module', '-e', code], {
    encoding: 'utf8',
    stdio: 'pipe',
    env: { ...process.env, ...env },
  })
}

const installed = (version: string) =>
  JSON.stringify({ packages: { 'node_modules/zod': { version }, 'node_modules/other-system': { version, optional: true } } })

test('installs nothing where somebody installed this very lock, and uses the Node that came with it', () => {
  const root = project({
    'package-lock.json': installed('1.0.0'),
    'node_modules/.package-lock.json': '{"packages":{"node_modules/zod":{"version":"1.0.0"}}}',
  })
  mkdirSync(join(root, 'node_modules/node/bin'), { recursive: true })
  symlinkSync(process.execPath, join(root, 'node_modules/node/bin/node'))
  expect(evaluate(root, 'setup.mjs', 'script.ensureInstalled()')).toBe(join(root, 'node_modules/node/bin/node'))
  expect(existsSync(join(root, 'node_modules/.lectern-lock'))).toBe(true)
})

test('takes a Node of 24 or newer that runs it when none was installed', () => {
  const root = project({ 'node_modules/.package-lock.json': '{"packages":{}}' })
  expect(evaluate(root, 'setup.mjs', 'script.ensureInstalled()')).toBe(process.execPath)
})

test('says what is wrong when the lock cannot be installed', () => {
  const root = project({ 'package-lock.json': 'no lock' })
  expect(() => evaluate(root, 'setup.mjs', 'script.ensureInstalled()')).toThrow(/JSON/)
})

test('says so when CHROMIUM_PATH leads nowhere', () => {
  const look = () => evaluate(project({}), 'setup.mjs', 'script.ensureChromium()', { CHROMIUM_PATH: '/nowhere/chromium' })
  expect(look).toThrow('CHROMIUM_PATH names /nowhere/chromium, which is no program.')
})

const builder = `
  import { appendFileSync, mkdirSync, writeFileSync } from 'node:fs'
  mkdirSync('web/dist', { recursive: true })
  writeFileSync('web/dist/index.html', '')
  appendFileSync('builds', 'x')`

test('builds the web app once, and again only when its sources change', () => {
  const root = project({
    'node_modules/vite/bin/vite.js': builder,
    'web/src/main.tsx': 'one',
    'web/index.html': '',
    'contract/src/zones.ts': '',
  })
  const builds = () => {
    evaluate(root, 'web-app.mjs', 'script.ensureWebApp(process.execPath)')
    return execFileSync('cat', [join(root, 'builds')], { encoding: 'utf8' }).length
  }
  expect([builds(), builds()]).toEqual([1, 1])
  writeFileSync(join(root, 'web/src/main.test.tsx'), 'a test is no part of it')
  expect(builds()).toBe(1)
  writeFileSync(join(root, 'contract/src/zones.ts'), 'changed')
  expect(builds()).toBe(2)
  rmSync(join(root, 'web/dist'), { recursive: true })
  expect(builds()).toBe(3)
})
