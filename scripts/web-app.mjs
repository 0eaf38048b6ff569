import { spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { root } from './setup.mjs'
import { step } from './step.mjs'

/** What the built web app is made of. */
const sources = ['web/src', 'web/public', 'web/index.html', 'web/vite.config.ts', 'web/build', 'contract/src', 'package-lock.json']
const built = join(root, 'web/dist/index.html')
/** Lies in the output, so that it goes when that does. */
const stamp = join(root, 'web/dist/.built-from')

/**
 * Builds the web app when it is missing or was built from other sources.
 * @param {string} node path of the Node to build with
 * @throws {Error} with the words of the build
 */
export function ensureWebApp(node) {
  const hash = computeHash(sources)
  if (existsSync(built) && existsSync(stamp) && readFileSync(stamp, 'utf8') === hash) return
  const env = { ...process.env, NODE_ENV: 'production' }
  const done = step('Building the web app', () => spawnSync(node, viteBuild, { cwd: root, encoding: 'utf8', env }))
  if (done.status !== 0) throw new Error(`The web app could not be built:\n${done.stdout}${done.stderr}`)
  writeFileSync(stamp, hash)
}

/** Lets the next start build again: from here on another process writes the output. */
export function forgetWebApp() {
  rmSync(stamp, { force: true })
}

/** The command line, after Node's own path, that builds the web app. */
export const viteBuild = [join(root, 'node_modules/vite/bin/vite.js'), 'build', '--config', 'web/vite.config.ts']

function computeHash(paths) {
  const hash = createHash('sha256')
  for (const path of paths) {
    for (const file of listFiles(path))
      hash
        .update(file)
        .update('\0')
        .update(readFileSync(join(root, file)))
        .update('\0')
  }
  return hash.digest('hex')
}

function listFiles(path) {
  if (!existsSync(join(root, path))) return []
  if (/\.[a-z]+$/.test(path)) return [path]
  return readdirSync(join(root, path), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !/\.test\.tsx?$/.test(entry.name))
    .map((entry) => join(entry.parentPath ?? entry.path, entry.name).slice(root.length + 1))
    .sort()
}
