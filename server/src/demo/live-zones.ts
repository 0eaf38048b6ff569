import { type ChildProcess, spawn } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import type { Logger } from 'pino'
import type { Database } from '../lib/database/database.ts'
import { demoLicence, northfield } from './accounts.ts'
import { liveZones, makeHostName } from './seed.ts'
import { selectZonesByName } from './sql.ts'

const program = fileURLToPath(new URL('../../../agent/bin/lectern-agent.mjs', import.meta.url))
const readersPerZone = 40

export function startLiveZones(db: Database, publicUrl: string, dataDir: string, log: Logger): { stop(): Promise<void> } {
  const running = new Set<ChildProcess>()
  const states: string[] = []
  let stopping = false

  const run = async (args: string[], state: string): Promise<void> => {
    if (stopping) return
    const child = startAgent([...args, '--state', state], log)
    running.add(child)
    await waitForExit(child)
    running.delete(child)
  }
  const runZone = async (zone: { id: string; name: string }) => {
    // A state folder belongs to the server at which the agent enrolled.
    const state = join(dataDir, 'demo', `${zone.id}-${new URL(publicUrl).port}`)
    states.push(state)
    await mkdir(state, { recursive: true })
    const location = join(state, 'Location.ctxdm')
    await writeFile(location, zone.id)
    const name = makeHostName('NRH', zone.name)
    await run(['enroll', location, '--server', publicUrl, '--licence', demoLicence, '--name', name], state)
    const seed = String(1 + liveZones.indexOf(zone.name))
    await run(['run', '--driver', 'simulated', '--readers', String(readersPerZone), '--seed', seed], state)
  }

  const everything = selectZonesByName(db, northfield, liveZones)
    .then((found) => Promise.all(found.map(runZone)))
    .catch((error) => log.warn({ err: error }, 'The demo has no live zones'))
  return {
    async stop() {
      stopping = true
      for (const child of running) child.kill('SIGTERM')
      await everything
      await Promise.all(states.map((state) => waitForExit(startAgent(['stop-readers', '--state', state], log))))
    },
  }
}

function startAgent(args: string[], log: Logger): ChildProcess {
  const child = spawn(process.execPath, [program, ...args], { stdio: ['ignore', 'pipe', 'pipe'] })
  for (const stream of [child.stdout, child.stderr]) stream?.on('data', (chunk) => log.debug({ agent: args[0] }, String(chunk).trimEnd()))
  return child
}

const waitForExit = (child: ChildProcess): Promise<void> =>
  new Promise((resolve) => (child.exitCode !== null || child.signalCode !== null ? resolve() : child.once('exit', () => resolve())))
