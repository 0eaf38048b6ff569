import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The oldest Node that runs the project; this file itself runs on 20. */
const NEEDED = 24

const modules = join(root, 'node_modules')

/**
 * Installs the dependencies when they are missing or package-lock.json has changed since.
 * @returns {string} the path of the Node that runs the project
 * @throws {Error} with what npm said, or with how to get the right Node
 */
export function ensureInstalled() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const stamp = join(modules, '.lectern-lock')
  const wanted = createHash('sha256').update(lock).digest('hex')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== wanted) {
    const packages = JSON.parse(lock.toString()).packages
    if (!holds(packages)) {
      install()
      if (!holds(packages)) throw new Error('package-lock.json does not fit the package.json files: run "npm install" and commit it.')
    }
    writeFileSync(stamp, wanted)
  }
  return findNode() ?? fetchNode()
}

/** Whether somebody installed this very lock by hand; npm keeps its own account of what is there. */
function holds(packages) {
  const account = join(modules, '.package-lock.json')
  if (!existsSync(account)) return false
  const there = JSON.parse(readFileSync(account, 'utf8')).packages
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.devOptional && !entry.peer && !entry.link)
    .every(([path, entry]) => there[path]?.version === entry.version)
}

function install() {
  console.log('Installing the dependencies …')
  // Not `npm ci`: it refuses a lock without the packages that only other systems need, and a registry may not have those.
  // Production too builds the web app here, with tools that are development dependencies.
  const args = ['install', '--no-save', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  const done = spawnSync('npm', args, { cwd: root, encoding: 'utf8' })
  if (done.error) throw new Error(`npm could not be started: ${done.error.message}`)
  if (done.status !== 0) throw new Error(`npm install failed:\n${done.stdout}${done.stderr}`)
}

/** The Node that came with the dependencies, or the one that runs this, when it is new enough. */
function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `${system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${process.arch}`
  const places = ['node/bin/node', `node/node_modules/${name}/bin/node`, `${name}/bin/node`].map((path) => join(modules, path))
  return [...places, process.execPath].find((path) => versionOf(path) >= NEEDED)
}

function versionOf(node) {
  if (node === process.execPath) return Number.parseInt(process.versions.node, 10)
  if (!existsSync(node)) return 0
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number.parseInt((stdout ?? '').slice(1), 10) || 0
}

/** What the package `node` does when it is installed, for an npm that was told to run no install scripts. */
function fetchNode() {
  const folder = join(modules, 'node')
  if (existsSync(folder)) spawnSync(process.execPath, ['installArchSpecificPackage.js'], { cwd: folder })
  const node = findNode()
  if (!node) throw new Error(`This project runs on Node ${NEEDED}; npm could not bring it along, so install it and start again.`)
  return node
}

/**
 * Finds Chromium for the browser tests; on Debian, as root, installs it.
 * @returns {string} its path
 * @throws {Error} with how to get it
 */
export function ensureChromium() {
  const found = findChromium()
  if (found) return found
  const advice = 'The browser tests need Chromium: install it, or say in CHROMIUM_PATH where it is.'
  if (process.getuid?.() !== 0 || !existsSync('/etc/debian_version')) throw new Error(advice)
  console.log('Installing Chromium …')
  const options = { encoding: 'utf8', stdio: 'pipe', env: { ...process.env, DEBIAN_FRONTEND: 'noninteractive' } }
  try {
    execFileSync('apt-get', ['update'], options)
    execFileSync('apt-get', ['install', '-y', '--no-install-recommends', 'chromium-headless-shell'], options)
  } catch (error) {
    throw new Error(`${advice}\n${error.stdout ?? ''}${error.stderr ?? error.message}`)
  }
  const installed = findChromium()
  if (!installed) throw new Error(advice)
  return installed
}

/** The shell without a window comes first: it draws the same pages for a third less of the processor's time. */
function findChromium() {
  const names = ['chromium-headless-shell', 'chromium', 'chromium-browser', 'google-chrome', 'google-chrome-stable']
  const folders = (process.env.PATH ?? '').split(delimiter).filter((folder) => folder !== '')
  const places = [
    ...folders.flatMap((folder) => names.map((name) => join(folder, name))),
    '/Applications/Google Chrome.app/Contents/MacOS/Google Chrome',
    '/Applications/Chromium.app/Contents/MacOS/Chromium',
  ]
  const named = process.env.CHROMIUM_PATH
  if (named && !isProgram(named)) throw new Error(`CHROMIUM_PATH names ${named}, which is no program.`)
  return named ? named : places.find(isProgram)
}

function isProgram(path) {
  try {
    accessSync(path, constants.X_OK)
    return true
  } catch {
    return false
  }
}

/** A folder for what may be lost: build stamps, reports. */
export function cacheFolder() {
  const folder = join(modules, '.cache/lectern')
  mkdirSync(folder, { recursive: true })
  return folder
}
