import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdirSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { expect, vi } from 'vitest'
import { startSerialReader } from '../support/processes/serial-reader.ts'
import { licence, manager, northfield, startStack } from '../support/processes/stack.ts'

const readers = 40
const minutes = Number(process.env.IDLE_MINUTES ?? 10)
/** Hertz of /proc/PID/stat. */
const ticks = 100

/** Megabytes. `core`: the share of a core. `bare`: of Node alone, after one call. */
export interface Idle {
  resident: number
  bare: number
  core: number
}

const memoryOf = ({ pid }: ChildProcess): number =>
  Number(/^VmRSS:\s+(\d+) kB$/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) / 1_024

const processorSecondsOf = ({ pid }: ChildProcess): number => {
  const fields = readFileSync(`/proc/${pid}/stat`, 'utf8')
    .replace(/^.*\) /, '')
    .split(' ')
  return (Number(fields[11]) + Number(fields[12])) / ticks
}

const children = ({ pid }: ChildProcess): string[] =>
  readdirSync(`/proc/${pid}/task`).flatMap((task) => readFileSync(`/proc/${pid}/task/${task}/children`, 'utf8').split(' ').filter(Boolean))

/** Runs the executable with 40 readers on pseudo-terminals, with nothing to do, and measures it (AGT-06). */
export async function measureIdle(dist: string): Promise<Idle> {
  const folder = mkdtempSync(join(tmpdir(), 'lectern-idle-'))
  const stack = await startStack()
  const attached = await Promise.all(
    Array.from({ length: readers }, (_, index) => startSerialReader(`27P77${String(index).padStart(5, '0')}`)),
  )
  const running: ChildProcess[] = []
  try {
    const api = await stack.api(manager)
    const zone = await api('createZone', { params: { organizationId: northfield, location: 'Idle' } })
    const [state, location] = [join(folder, 'state'), join(folder, 'Location.ctxdm')]
    mkdirSync(state, { mode: 0o700 })
    writeFileSync(location, zone.id)
    const start = (...words: string[]) => spawn(join(dist, 'linux-x64/lectern-agent'), [...words, '--state', state], { stdio: 'ignore' })
    await once(start('enroll', location, '--server', stack.url, '--licence', licence, '--name', 'idle-pc'), 'exit')
    const agent = start('run', '--driver', 'serial', ...attached.flatMap(({ port }) => ['--port', port]))
    const bareNode = spawn(process.execPath, [
      '-e',
      `fetch('${stack.url}/livez').then((reply) => reply.text()); setInterval(() => {}, 1e9)`,
    ])
    running.push(agent, bareNode)
    const count = () => stack.sql('select from device d join host h on h.id = d.host_id where h.name = $1', ['idle-pc'])
    await vi.waitFor(async () => expect(await count()).toHaveLength(readers), { timeout: 60_000 })
    const before = processorSecondsOf(agent)
    await pause(minutes * 60_000)
    expect(children(agent)).toEqual([])
    return { resident: memoryOf(agent), bare: memoryOf(bareNode), core: (processorSecondsOf(agent) - before) / (minutes * 60) }
  } finally {
    for (const child of running) child.kill('SIGKILL')
    await Promise.all(attached.map((reader) => reader.remove()))
    await stack.stop()
    rmSync(folder, { recursive: true, force: true })
  }
}
