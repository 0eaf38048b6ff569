import { spawnSync } from 'node:child_process'
import { appendFileSync, chmodSync, cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { runClones } from './clones.ts'
import { testDebianLife } from './debian-life.ts'
import { type Idle, measureIdle } from './idle.ts'
import { restartTogether } from './restart.ts'
import { testWindowsLife } from './windows-life.ts'

const root = join(import.meta.dirname, '../..')
const folder = mkdtempSync(join(tmpdir(), 'lectern-package-'))
afterAll(() => rmSync(folder, { recursive: true, force: true }))

/** Runs a command of a shell to its end. */
function run(command: string, cwd: string): string {
  const { status, stdout, stderr } = spawnSync('sh', ['-c', command], { cwd, encoding: 'utf8', maxBuffer: 64 * 1_024 * 1_024 })
  expect({ command, status, stderr: status === 0 ? '' : stderr }).toEqual({ command, status: 0, stderr: '' })
  return stdout
}

interface File {
  name: string
  bytes: number
  sha256: string
}

/** `programs`: what is in the packages. */
interface Manifest {
  version: string
  files: File[]
  programs: File[]
}

/** Packages the agent in a fresh clone of the commit. */
function packageInClone(path: string, before: string): Manifest {
  const clone = join(folder, path)
  mkdirSync(join(clone, '..'), { recursive: true })
  run(`git clone --quiet ${root} ${clone}`, folder)
  console.log(run(`${before} npm run --silent package:agent`, clone))
  return JSON.parse(readFileSync(join(clone, 'agent/dist/manifest.json'), 'utf8')) as Manifest
}

let built: Manifest
let idle: Promise<Idle>
beforeAll(() => {
  built = packageInClone('one', '')
  // It does nothing for ten minutes, in which the other tests run.
  idle = measureIdle(dist)
  idle.catch(() => undefined)
}, 600_000)
const dist = join(folder, 'one/agent/dist')
const start = (program: string, ...args: string[]) => {
  const { status, stdout, stderr } = spawnSync(program, args, { encoding: 'utf8', env: { PATH: '/usr/bin:/bin' } })
  return { status, stdout, stderr }
}

test('[AGT-01] a build at another path, with another umask and a clock a day ahead has the same bytes', () => {
  expect(packageInClone('another/longer/path', "umask 077; faketime '+1 day'")).toEqual(built)
  expect(built.files.map(({ name }) => name)).toContain(`lectern-agent_${built.version}_amd64.deb`)
})

test('[AGT-01] executables and packages are no larger than allowed', () => {
  const size = (name: string) => built.programs.find((program) => program.name === name)!.bytes
  expect(size('linux-x64/lectern-agent')).toBeLessThan(125e6)
  expect(size('win-x64/lectern-agent.exe')).toBeLessThan(110e6)
  for (const { name, bytes } of built.files.filter((file) => /\.(xz|deb)$/.test(file.name)))
    expect({ name, fits: bytes < 32e6 }).toEqual({ name, fits: true })
})

test('[AGT-01] the executable runs without Node, and its readers with it', () => {
  const program = join(dist, 'linux-x64/lectern-agent')
  expect(start(program, '--version')).toEqual({ status: 0, stdout: `${built.version}\n`, stderr: '' })
  const state = join(folder, 'state')
  cpSync(join(root, 'agent/src/testing/state-0.1.0'), state, { recursive: true })
  chmodSync(state, 0o700)
  const { status, stdout } = start('timeout', '10', program, 'run', '--driver', 'simulated', '--readers', '3', '--state', state)
  expect({ status, hasStarted: stdout.includes('NRH-01 in the zone ICU') }).toEqual({ status: 124, hasStarted: true })
  expect(start(program, 'stop-readers', '--state', state).stdout).toBe('The simulated readers have ended.\n')
})

test.for<[string, (library: string) => void, RegExp]>([
  ['is missing', (library) => rmSync(library), /^Serial ports cannot be used\. .*lectern-agent-serial\.node cannot be read \(ENOENT\)\./],
  [
    'is another one',
    (library) => appendFileSync(library, 'x'),
    /lectern-agent-serial\.node is not the one that belongs to this lectern-agent/,
  ],
])('[AGT-01] where the library of serial ports %s the agent ends with 9 and says so, and status still works', ([name, spoil, sentence]) => {
  const [copy, state] = [join(folder, name), join(folder, `${name}-state`)]
  cpSync(join(dist, 'linux-x64'), copy, { recursive: true })
  cpSync(join(root, 'agent/src/testing/state-0.1.0'), state, { recursive: true })
  chmodSync(state, 0o700)
  spoil(join(copy, 'lectern-agent-serial.node'))
  const program = join(copy, 'lectern-agent')
  const { status, stderr } = start(program, 'run', '--driver', 'serial', '--state', state)
  expect(status).toBe(9)
  expect(stderr).toMatch(sentence)
  expect(start(program, 'status', '--state', state)).toMatchObject({ status: 0 })
})

testDebianLife('bookworm', () => dist)
testDebianLife('trixie', () => dist)
testWindowsLife(() => dist)
test('[AGT-08] of 50 clones with other machine ids none reports; 50 with one id are marked, and nothing is applied', () => runClones(dist))

test('[AGT-11] 1,000 agents of one process and 20 executables restart together: all check in within 90 s, and the portal answers', () =>
  restartTogether(dist))

test('[AGT-06] at rest with 40 readers on serial ports it takes little memory and little of a processor', async () => {
  const { resident, bare, core } = await idle
  console.log(
    `At rest: ${resident.toFixed(1)} MB, ${(resident / bare).toFixed(2)} × Node after one call, ${(100 * core).toFixed(3)} % of a core`,
  )
  expect(resident).toBeLessThanOrEqual(96)
  expect(resident / bare).toBeLessThanOrEqual(1.35)
})
