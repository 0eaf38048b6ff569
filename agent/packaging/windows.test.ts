import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { strFromU8, unzipSync } from 'fflate'
import { expect, onTestFinished, test } from 'vitest'
import { isThere } from './tools.ts'
import { makeService, makeZip, serviceSid, signProgram } from './windows.ts'

function newFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-windows-'))
  onTestFinished(() => rmSync(folder, { recursive: true, force: true }))
  return folder
}

const hashOf = (file: string) => createHash('sha256').update(readFileSync(file)).digest('hex')

test('the security identifier of a service is the one that Windows makes', () => {
  // Of TrustedInstaller, which every Windows has.
  expect(serviceSid('TrustedInstaller')).toBe('S-1-5-80-956008885-3418522649-1831038044-1853292631-2271478464')
})

test.skipIf(!isThere('x86_64-w64-mingw32-gcc'))('the service compiles without a warning, to the same bytes in any folder', () => {
  const [one, other] = [newFolder(), newFolder()]
  for (const folder of [one, other]) makeService(folder)
  const file = join(one, 'lectern-agent-service.exe')
  expect(hashOf(file)).toBe(hashOf(join(other, 'lectern-agent-service.exe')))
  const bytes = readFileSync(file)
  expect(bytes.subarray(0, 2).toString()).toBe('MZ')
  expect(bytes.includes(Buffer.from(serviceSid('lectern-agent'), 'utf16le'))).toBe(true)
})

test('a zip file has the files of the folder alone, and the same bytes in every time zone', () => {
  const [from, to] = [newFolder(), newFolder()]
  writeFileSync(join(from, 'lectern-agent.exe'), 'agent')
  writeFileSync(join(from, 'lectern-agent-serial.node'), 'library')
  const make = (zone: string) => {
    const before = process.env.TZ
    process.env.TZ = zone
    try {
      return hashOf(join(to, makeZip(to, from, { name: `${zone.replace('/', '-')}.zip`, times: 1_767_225_600 })))
    } finally {
      if (before === undefined) delete process.env.TZ
      else process.env.TZ = before
    }
  }
  expect(make('Asia/Tokyo')).toBe(make('America/Denver'))
  const unzipped = unzipSync(readFileSync(join(to, 'Asia-Tokyo.zip')))
  expect(Object.entries(unzipped).map(([name, bytes]) => [name, strFromU8(bytes)])).toEqual([
    ['lectern-agent-serial.node', 'library'],
    ['lectern-agent.exe', 'agent'],
  ])
})

test.skipIf(!isThere('x86_64-w64-mingw32-gcc') || !isThere('osslsigncode') || !isThere('openssl'))(
  'a program is signed with the certificate of the setting, and one that was changed afterwards is found',
  () => {
    const folder = newFolder()
    const run = (command: string, ...words: string[]) => spawnSync(command, words, { cwd: folder, encoding: 'utf8' })
    const subject = ['-subj', '/CN=Lectern test', '-addext', 'extendedKeyUsage=codeSigning']
    run('openssl', 'req', '-x509', '-newkey', 'rsa:2048', '-nodes', '-keyout', 'key.pem', '-out', 'cert.pem', '-days', '2', ...subject)
    writeFileSync(join(folder, 'password'), 'secret')
    run('openssl', 'pkcs12', '-export', '-inkey', 'key.pem', '-in', 'cert.pem', '-out', 'cert.p12', '-passout', 'file:password')
    makeService(folder)
    const file = join(folder, 'lectern-agent-service.exe')
    const verify = () => run('osslsigncode', 'verify', '-CAfile', 'cert.pem', '-in', file).status
    expect(verify()).toBe(1)
    signProgram(file, { certificate: join(folder, 'cert.p12'), passwordFile: join(folder, 'password'), timestamps: null })
    expect(verify()).toBe(0)
    const bytes = readFileSync(file)
    bytes[5_000] = bytes[5_000]! ^ 1
    writeFileSync(file, bytes)
    expect(verify()).toBe(1)
  },
)
