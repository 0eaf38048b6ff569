import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { expect, onTestFinished, test } from 'vitest'
import { makeDebianPackage, makeRepository, readTimes } from './debian.ts'
import { isThere } from './tools.ts'

function newFolder(name: string): string {
  const folder = mkdtempSync(join(tmpdir(), `lectern-${name}-`))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

/** The package of an executable that is none, which is quick to pack. */
function makeSmallPackage(): { folder: string; name: string } {
  const [folder, from] = [newFolder('out'), newFolder('system')]
  for (const name of ['lectern-agent', 'lectern-agent-serial.node']) writeFileSync(join(from, name), name)
  const work = join(folder, '.work')
  mkdirSync(work)
  return { folder, name: makeDebianPackage(folder, { from, work, version: '1.2.3', times: 1_767_225_600 }) }
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')
const print = (file: string, ...options: string[]) => spawnSync('dpkg-deb', [...options, file], { encoding: 'utf8' }).stdout

test.skipIf(!isThere('dpkg-deb'))(
  'the package has program, unit, device rule and scripts, owned by root, and the same bytes each time',
  () => {
    const [one, other] = [makeSmallPackage(), makeSmallPackage()]
    const file = join(one.folder, one.name)
    expect(readFileSync(file).equals(readFileSync(join(other.folder, other.name)))).toBe(true)
    expect(print(file, '--field')).toMatch(/^Package: lectern-agent\nVersion: 1\.2\.3\nArchitecture: amd64\n[\s\S]*^Depends: .*libatomic1/m)
    const entries = print(file, '--contents')
      .trim()
      .split('\n')
      .map((line) => line.split(/\s+/))
      .filter(([mode]) => !mode!.startsWith('d'))
      .map(([mode, owner, , , , path]) => [mode, owner, path])
      .sort((one, other) => (one[2]! < other[2]! ? -1 : 1))
    expect(entries).toEqual([
      ['lrwxrwxrwx', 'root/root', './usr/bin/lectern-agent'],
      ['-rwxr-xr-x', 'root/root', './usr/lib/lectern-agent/lectern-agent'],
      ['-rw-r--r--', 'root/root', './usr/lib/lectern-agent/lectern-agent-serial.node'],
      ['-rw-r--r--', 'root/root', './usr/lib/systemd/system/lectern-agent.service'],
      ['-rw-r--r--', 'root/root', './usr/lib/udev/rules.d/60-lectern-agent.rules'],
      ['-rw-r--r--', 'root/root', './usr/share/doc/lectern-agent/copyright'],
    ])
  },
)

test.skipIf(!isThere('dpkg-deb'))('the unit starts the agent again only where that helps', () => {
  const { folder, name } = makeSmallPackage()
  const root = newFolder('root')
  spawnSync('dpkg-deb', ['--extract', join(folder, name), root])
  const unit = readFileSync(join(root, 'usr/lib/systemd/system/lectern-agent.service'), 'utf8')
  // Usage, refused, not enrolled, another agent, the state folder, the library of serial ports.
  expect(unit).toMatch(/^RestartPreventExitStatus=2 3 4 5 7 8 9 21$/m)
  expect(unit).toMatch(/^ConditionPathExists=\/var\/lib\/lectern-agent\/enrolment\.json$/m)
})

test.skipIf(!isThere('dpkg-deb'))('the repository names the package with its size and hash', () => {
  const { folder, name } = makeSmallPackage()
  expect(makeRepository(folder, { times: 1_767_225_600, key: null })).toEqual(['Packages', 'Release'])
  const sha256 = hashOf(join(folder, name))
  const packages = readFileSync(join(folder, 'Packages'), 'utf8')
  expect(packages).toContain(
    `Filename: lectern-agent_1.2.3_amd64.deb\nSize: ${readFileSync(join(folder, name)).length}\nSHA256: ${sha256}\n`,
  )
  const index = hashOf(join(folder, 'Packages'))
  expect(readFileSync(join(folder, 'Release'), 'utf8')).toContain(`SHA256:\n ${index} ${packages.length} Packages\n`)
})

test.skipIf(!isThere('dpkg-deb'))(
  'the date of the repository is SOURCE_DATE_EPOCH, else the same each time, and it does not expire',
  () => {
    const { folder } = makeSmallPackage()
    const readRelease = (environment: NodeJS.ProcessEnv) => {
      makeRepository(folder, { times: readTimes(environment), key: null })
      return readFileSync(join(folder, 'Release'), 'utf8')
    }
    expect(readRelease({ SOURCE_DATE_EPOCH: '1795824000' })).toContain('\nDate: Sat, 28 Nov 2026 00:00:00 GMT\n')
    expect(readRelease({})).toContain('\nDate: Thu, 01 Jan 2026 00:00:00 GMT\n')
    expect(readRelease({})).not.toContain('Valid-Until')
    expect(() => readTimes({ SOURCE_DATE_EPOCH: 'now' })).toThrow('SOURCE_DATE_EPOCH is now. Give whole seconds since 1970.')
  },
)
