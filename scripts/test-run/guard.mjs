// node scripts/test-run/guard.mjs RUN PARENT CLUSTER: watches the processes of a test run, which all have LECTERN_TEST_RUN=RUN in their environment.
// When its input ends, however PARENT ended, it ends those that are left, and prints what the run took and whom it ended, as JSON.
// A worker cannot do this itself: afterAll is not called where a filter leaves no test of a file, and nothing is called when it is killed.
import { spawn } from 'node:child_process'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'

const [run = '', parent = '', cluster = ''] = process.argv.slice(2)
const runner = Number(parent)
const mark = `LECTERN_TEST_RUN=${run}`
/** Milliseconds between two looks. A process that loses its parent and ends between two is not counted. */
const interval = 1_000
/** Milliseconds that a process has to end properly. */
const patience = 5_000
/** Linux counts a process's time in hundredths. */
const ticksPerSecond = 100

/** @typedef {{ key: string, pid: number, parent: number, name: string, own: number, children: number }} Running `children`: those that have ended and were waited for; in seconds */

/** By `pid` and start, as numbers are used again. @type {Map<string, boolean>} */
const marked = new Map()
/** The last that was seen of processes of the run without a parent in it. @type {Map<string, number>} */
const orphans = new Map()
let cpuSeconds = 0

/** Every process of the run but this one. Nothing where the system has no /proc. @returns {Running[]} */
function look() {
  const all = listProcesses()
  const byPid = new Map(all.map((one) => [one.pid, one]))
  const isOfRun = (one) => one !== undefined && (isMarked(one) || (one.pid !== runner && isOfRun(byPid.get(one.parent))))
  const own = all.filter((one) => one.pid !== process.pid && one.parent !== process.pid && one.pid !== runner && isOfRun(one))
  measure(own, byPid.get(runner))
  return own
}

function listProcesses() {
  try {
    return readdirSync('/proc')
      .filter((name) => /^\d+$/.test(name))
      .flatMap((pid) => readProcess(Number(pid)) ?? [])
  } catch {
    return []
  }
}

/** @returns {Running | undefined} */
function readProcess(pid) {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8')
    const name = text.slice(text.indexOf('(') + 1, text.lastIndexOf(')'))
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ')
    const [user, system, usersOfChildren, systemOfChildren] = fields.slice(11, 15).map((ticks) => Number(ticks) / ticksPerSecond)
    if (fields[0] === 'Z') return undefined
    return {
      key: `${pid} ${fields[19]}`,
      pid,
      parent: Number(fields[1]),
      name,
      own: user + system,
      children: usersOfChildren + systemOfChildren,
    }
  } catch {
    return undefined
  }
}

function isMarked({ key, pid }) {
  const known = marked.get(key)
  if (known === true) return true
  try {
    const has = readFileSync(`/proc/${pid}/environ`, 'latin1').split('\0').includes(mark)
    marked.set(key, has)
    return has
  } catch {
    return false
  }
}

/** Time of a child is its parent's once it was waited for. So all is in the runner, in those that run, and in those that lost their parent. */
function measure(own, first) {
  const pids = new Set(own.map(({ pid }) => pid))
  let sum = first ? first.own + first.children : 0
  for (const one of own) {
    if (one.parent === runner || pids.has(one.parent)) sum += one.own + one.children
    else orphans.set(one.key, one.own + one.children)
  }
  for (const seconds of orphans.values()) sum += seconds
  cpuSeconds = Math.max(cpuSeconds, sum)
}

const isPostgres = ({ name }) => name === 'postgres' || name === 'initdb'

async function endAll() {
  const left = look().filter((one) => !isPostgres(one))
  // Node's own name says nothing.
  const names = new Map(left.map(({ name, pid }) => [pid, `${readCommand(pid).slice(1, 3).join(' ') || name} (${pid})`]))
  for (const { pid } of left) signal(pid, 'SIGTERM')
  const deadline = Date.now() + patience
  while (Date.now() < deadline && look().some((one) => !isPostgres(one))) await pause(20)
  for (const one of look()) if (!isPostgres(one)) signal(one.pid, 'SIGKILL')
  await endDatabases()
  return left.map(({ pid }) => names.get(pid))
}

/** Another run may use the shared cluster: its last user stops it. Others belong to one test. */
async function endDatabases() {
  const postmasters = look().filter((one) => isPostgres(one) && readCommand(one.pid).includes('-D'))
  for (const { pid } of postmasters) {
    const command = readCommand(pid)
    if (!command[command.indexOf('-D') + 1]?.startsWith(`${cluster}/`)) signal(pid, 'SIGINT')
    else await letGo()
  }
  const isOwn = (one) =>
    isPostgres(one) && !readCommand(one.pid).some((part) => part.startsWith(`${cluster}/`)) && readCommand(one.pid).includes('-D')
  const deadline = Date.now() + patience
  while (Date.now() < deadline && look().some(isOwn)) await pause(20)
}

function letGo() {
  const child = spawn(
    process.execPath,
    [
      '--disable-warning=ExperimentalWarning',
      join(import.meta.dirname, '../../server/src/testing/database/open-cluster.ts'),
      JSON.stringify({ dataDir: cluster, durable: false }),
    ],
    { stdio: 'ignore' },
  )
  return new Promise((resolve) => {
    child.once('exit', resolve)
    child.once('error', resolve)
  })
}

function readCommand(pid) {
  try {
    return readFileSync(`/proc/${pid}/cmdline`, 'utf8').split('\0')
  } catch {
    return []
  }
}

function signal(pid, name) {
  try {
    process.kill(pid, name)
  } catch {
    // It has ended since.
  }
}

// It outlives what stops the run.
for (const name of ['SIGINT', 'SIGTERM', 'SIGHUP']) process.on(name, () => {})
// The reader of the last line may have ended.
process.stdout.on('error', () => {})
const looking = setInterval(look, interval)
process.stdin.resume()
process.stdin.once('end', async () => {
  clearInterval(looking)
  const ended = await endAll()
  process.stdout.write(`${JSON.stringify({ cpuSeconds, ended })}\n`)
})
