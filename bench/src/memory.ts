import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { judge } from './measure.ts'
import { endProgram, pickPort, startProgram } from './programs.ts'

const minutes = Number(process.env.MINUTES ?? 5)
/** MB of proportional memory of all processes together (SCL-15). */
const allowed = 350

interface Process {
  pid: number
  parent: number
  command: string
  /** Proportional: shared memory is divided among those that share it. */
  megabytes: number
}

/** The memory that `npm start` holds with the demo's live zones after some idle minutes. Reads /proc, so on Linux only. */
export async function benchMemory(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-memory-'))
  const port = String(pickPort())
  const settings = { DATA_DIR: folder, PORT: port, PUBLIC_URL: `http://localhost:${port}` }
  const portal = await startProgram('scripts/start.mjs', [], settings, 'Licence number')
  try {
    await pause(60_000 * minutes)
    const all = await listProcesses()
    const own = [portal.child.pid!]
    for (const pid of own) own.push(...all.filter(({ parent }) => parent === pid).map((one) => one.pid))
    const processes = all.filter(({ pid }) => own.includes(pid)).toSorted((a, b) => b.megabytes - a.megabytes)
    for (const { megabytes, command } of processes)
      process.stdout.write(`${megabytes.toFixed(1).padStart(8)} MB  ${command.slice(0, 100)}\n`)
    judge(
      'SCL-15',
      `MB of npm start after ${minutes} idle minutes`,
      Math.round(processes.reduce((sum, { megabytes }) => sum + megabytes, 0)),
      { most: allowed },
    )
    judge('SCL-15', 'processes of all simulated readers', processes.filter(({ command }) => command.includes('lectern-agent')).length, {
      most: 1,
    })
  } finally {
    await endProgram(portal.child, 'signal')
    await rm(folder, { recursive: true, force: true })
  }
}

async function listProcesses(): Promise<Process[]> {
  const pids = (await readdir('/proc')).filter((name) => /^\d+$/.test(name))
  // Processes may end while they are read.
  const read = await Promise.all(pids.map((pid) => readProcess(pid).catch(() => null)))
  return read.filter((one) => one !== null)
}

async function readProcess(pid: string): Promise<Process> {
  const [status, memory, command] = await Promise.all(
    ['status', 'smaps_rollup', 'cmdline'].map((file) => readFile(join('/proc', pid, file), 'utf8')),
  )
  const find = (text: string, name: string) => Number(new RegExp(`^${name}:\\s+(\\d+)`, 'm').exec(text)?.[1])
  return {
    pid: Number(pid),
    parent: find(status!, 'PPid'),
    command: command!.replaceAll('\0', ' '),
    megabytes: find(memory!, 'Pss') / 1_024,
  }
}
