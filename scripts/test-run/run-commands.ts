// npm run check:commands [-- NAME …] [--third]: starts every command of package.json in miniature, in a copy of the checkout, and sees that none changes a file.
// With --third every third of them, chosen by the commit.
import { type ChildProcess, execFileSync, spawn } from 'node:child_process'
import { createHash } from 'node:crypto'
import { once } from 'node:events'
import { cpSync, existsSync, mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { parseArgs } from 'node:util'
import { copyCheckout } from '../copy-checkout.ts'
import { type Miniature, miniatures } from './commands.ts'

/** Milliseconds after which a command that does not end is a failure. */
const patience = 300_000

const root = join(import.meta.dirname, '../..')
const { values, positionals } = parseArgs({ allowPositionals: true, options: { third: { type: 'boolean' } } })
const folder = mkdtempSync(join(tmpdir(), 'lectern-commands-'))
const copy = join(folder, 'checkout')
const file = join(folder, 'backup')

function choose(): string[] {
  const names = [...miniatures.keys()]
  const unknown = positionals.filter((name) => !names.includes(name))
  if (unknown.length > 0) throw new Error(`package.json has no ${unknown.join(' and no ')}.`)
  if (positionals.length > 0) return positionals
  if (!values.third) return names
  const commit = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: root, encoding: 'utf8' })
  const part = Number.parseInt(commit.slice(0, 8), 16) % 3
  return names.filter((_, index) => index % 3 === part)
}

/** Makes the copy look as if packages were installed and the web app built. */
function makeCopy(): void {
  copyCheckout(root, copy)
  // Commands ask git for the list of files.
  execFileSync('git', ['init', '--quiet'], { cwd: copy })
  for (const name of ['node_modules/.lectern-lock', 'node_modules/.package-lock.json', 'web/dist'])
    if (existsSync(join(root, name))) cpSync(join(root, name), join(copy, name), { recursive: true })
}

/** A digest of every file that git would know. */
function digestFiles(): Map<string, string> {
  const ignored = /^(node_modules|web\/dist|\.lectern|test-results|host|\.git)(\/|$)|\/node_modules(\/|$)|\.tmp$/
  const walk = (at: string): string[] =>
    readdirSync(join(copy, at), { withFileTypes: true }).flatMap((entry) => {
      const path = at === '' ? entry.name : `${at}/${entry.name}`
      if (ignored.test(path)) return []
      return entry.isDirectory() ? walk(path) : [path]
    })
  return new Map(
    walk('').map((path) => [
      path,
      createHash('sha256')
        .update(readFileSync(join(copy, path)))
        .digest('hex'),
    ]),
  )
}

function findChanged(before: Map<string, string>): string[] {
  const after = digestFiles()
  return [...new Set([...before.keys(), ...after.keys()])].filter((path) => before.get(path) !== after.get(path))
}

interface Place {
  port: number
  data: string
}

async function findPort(): Promise<number> {
  const server = createServer().listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  await once(server, 'close')
  return port
}

function start(name: string, { args = [], env = {} }: Miniature, { port, data }: Place) {
  const words: Record<string, string> = { FILE: file, URL: `http://localhost:${port}`, REPLIES: join(folder, 'replies') }
  const { LECTERN_TEST_PART: _, ...outer } = process.env
  const child = spawn('npm', ['run', '--silent', name, '--', ...args.map((arg) => words[arg] ?? arg)], {
    cwd: copy,
    env: { ...outer, PORT: String(port), DATA_DIR: data, ...env },
    stdio: ['ignore', 'pipe', 'pipe'],
    // Ctrl+C must reach npm and what it started.
    detached: true,
  })
  let printed = ''
  const listeners = new Set<() => void>()
  for (const stream of [child.stdout, child.stderr])
    stream.on('data', (chunk) => {
      printed += String(chunk)
      for (const listener of listeners) listener()
    })
  const timer = setTimeout(() => interrupt(child, 'SIGKILL'), patience)
  const ended = once(child, 'close').then(([code]) => {
    clearTimeout(timer)
    return code as number | null
  })
  const says = (pattern: RegExp) =>
    new Promise<void>((resolve) => {
      const look = () => pattern.test(printed) && resolve()
      listeners.add(look)
      look()
    })
  return { child, ended, says, printed: () => printed }
}

function interrupt({ pid }: ChildProcess, signal: NodeJS.Signals): void {
  try {
    process.kill(-pid!, signal)
  } catch {
    // It has ended already.
  }
}

type Running = ReturnType<typeof start>

/** Waits until it is ready, or has ended without becoming so. */
const untilReady = (running: Running, pattern: RegExp): Promise<string | null> =>
  Promise.race([running.says(pattern).then(() => null), running.ended.then((code) => `It ended with ${code}.`)])

async function stop(running: Running): Promise<void> {
  interrupt(running.child, 'SIGINT')
  await running.ended
}

/** @returns what is wrong; null where nothing is */
async function tryCommand(name: string, miniature: Miniature, place: Place): Promise<string | null> {
  const running = start(name, miniature, place)
  if (miniature.until) {
    const problem = await untilReady(running, miniature.until)
    await stop(running)
    return problem && `${problem}\n${running.printed()}`
  }
  const code = await running.ended
  if (code !== 0 && miniature.needs?.test(running.printed())) return null
  if (code !== 0 || (miniature.prints && !miniature.prints.test(running.printed()))) return `It ended with ${code}.\n${running.printed()}`
  return null
}

async function main(): Promise<number> {
  const names = choose()
  makeCopy()
  const place = async (data: string): Promise<Place> => ({ port: await findPort(), data: join(folder, data) })
  const shared = await place('portal')
  let portal: Running | undefined
  let wrong = 0
  for (const name of names) {
    const miniature = miniatures.get(name)!
    const before = digestFiles()
    const startedAt = Date.now()
    let problem: string | null = null
    if (miniature.beside === 'portal' && !portal) {
      portal = start('start', miniatures.get('start')!, shared)
      problem = await untilReady(portal, miniatures.get('start')!.until!)
    }
    // A backup of the portal is loaded into an empty database.
    if (name === 'restore' && !existsSync(file)) problem = await tryCommand('backup', miniatures.get('backup')!, shared)
    problem ??= await tryCommand(name, miniature, miniature.beside === 'portal' ? shared : await place(`data-${name.replace(':', '-')}`))
    const changed = findChanged(before)
    if (changed.length > 0) problem = `It wrote ${changed.join(', ')}.\n${problem ?? ''}`
    if (problem) wrong += 1
    console.log(
      `${name.padEnd(20)} ${problem ? 'FAILED' : 'ok    '} ${((Date.now() - startedAt) / 1_000).toFixed(1)} s${problem ? `\n${problem}` : ''}`,
    )
  }
  if (portal) await stop(portal)
  console.log(`${names.length - wrong} of ${names.length} commands start`)
  return wrong === 0 ? 0 : 1
}

try {
  process.exitCode = await main()
} catch (error) {
  console.error((error as Error).message)
  process.exitCode = 1
} finally {
  rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 200 })
}
