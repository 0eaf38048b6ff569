import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { cp, mkdtemp, rm, writeFile } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'

const program = fileURLToPath(new URL('../../../agent/bin/lectern-agent.mjs', import.meta.url))

/** A host PC with `lectern-agent` on it: a state folder, and the agent's processes one after the other. */
export interface HostPc {
  readonly state: string
  /** Everything the agent has printed since the beginning. */
  log(): string
  /** Runs a command to its end. */
  command(...args: string[]): Promise<{ code: number | null; output: string }>
  /** Starts `run`, with these arguments after its own; resolved at once. */
  start(...more: string[]): void
  isRunning(): boolean
  /** It runs, and has said so: from then on a signal ends it properly. */
  isUp(): boolean
  /** Ends the running agent and waits until it is gone. */
  end(signal: 'SIGKILL' | 'SIGTERM'): Promise<number | null>
  /** Ends agent and readers, and deletes the state folder. */
  remove(): Promise<void>
}

const newFolder = () => mkdtemp(join(tmpdir(), 'lectern-agent-'))

/** Copies the state folder of a host PC whose agent has not run yet, as a disk image does. */
export async function copyHostPc({ state }: HostPc, runArguments: string[]): Promise<HostPc> {
  const copy = await newFolder()
  await cp(state, copy, { recursive: true })
  return openHostPc(copy, runArguments)
}

/** Enrols a new host PC. @param runArguments what `run` is started with; without a driver among them, the simulated one. */
export async function enrollHostPc(
  { server, zoneId, licence, name }: { server: string; zoneId: string; licence: string; name: string },
  runArguments: string[],
): Promise<HostPc> {
  const state = await newFolder()
  const location = join(state, 'Location.ctxdm')
  await writeFile(location, zoneId)
  const host = openHostPc(state, runArguments)
  const { code, output } = await host.command('enroll', location, '--server', server, '--licence', licence, '--name', name)
  if (code === 0) return host
  await host.remove()
  throw new Error(`The host PC could not be enrolled (${code}): ${output}`)
}

function openHostPc(state: string, runArguments: string[]): HostPc {
  let log = ''
  let running: ChildProcess | null = null
  let logAtStart = 0

  function launch(args: string[]): ChildProcess {
    const env = { ...process.env, LECTERN_READERS_IDLE_SECONDS: '300' }
    const child = spawn(process.execPath, [program, ...args, '--state', state], { env, stdio: ['ignore', 'pipe', 'pipe'] })
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (bytes: Buffer) => {
        log += bytes.toString('utf8')
      })
    return child
  }

  const host: HostPc = {
    state,
    log: () => log,
    async command(...args) {
      const before = log.length
      const [code] = (await once(launch(args), 'close')) as [number | null]
      return { code, output: log.slice(before) }
    },
    start(...more) {
      logAtStart = log.length
      running = launch(['run', '--driver', 'simulated', ...runArguments, ...more])
    },
    isUp: () => host.isRunning() && /lectern-agent \d/.test(log.slice(logAtStart)),
    isRunning: () => running !== null && running.exitCode === null && running.signalCode === null,
    async end(signal) {
      if (!running || !host.isRunning()) return running?.exitCode ?? null
      const gone = once(running, 'exit')
      running.kill(signal)
      return ((await gone) as [number | null])[0]
    },
    async remove() {
      await host.end('SIGTERM')
      await host.command('stop-readers')
      await rm(state, { recursive: true, force: true })
    },
  }
  return host
}
