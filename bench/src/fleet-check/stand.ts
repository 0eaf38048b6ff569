import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream, readFileSync } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as pause } from 'node:timers/promises'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openIssuer } from '../portal.ts'
import { endProgram, startProgram } from '../programs.ts'

const project = fileURLToPath(new URL('../../..', import.meta.url))

/** A server with its embedded PostgreSQL, started again whenever it ends. */
export interface Stand {
  url: string
  issuer: Awaited<ReturnType<typeof openIssuer>>
  /** The file with the server's log. */
  logFile: string
  /** When the running server was ready, by `performance.now()`; 0 while none is. */
  readySince(): number
  /** How often the server was started, without the first time. */
  restarts(): number
  /** Sends SIGKILL. Returns false where there is no process to kill. */
  kill(victim: 'server' | 'postgres'): boolean
  ready(): Promise<void>
  connect(): Promise<pg.Client>
  stop(): Promise<void>
}

export async function openStand(): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-fleet-'))
  // Needed by PostgreSQL's user, where root runs this.
  await chmod(folder, 0o755)
  // This process opens the server's cluster, and closes it last. It starts PostgreSQL once; later the server does.
  const opened = await startProgram(
    'server/src/testing/database/open-cluster.ts',
    [JSON.stringify({ dataDir: join(folder, 'postgres') })],
    {},
    '"url"',
  )
  const cluster = JSON.parse(opened.line) as { url: string; folder: string }
  const issuer = await openIssuer()
  const logFile = join(tmpdir(), `lectern-fleet-${process.pid}.log`)
  const port = await freePort()
  const server = superviseServer(logFile, {
    PORT: String(port),
    DATA_DIR: folder,
    AUTH_DOMAIN: issuer.domain,
    DEMO: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '10000000',
  })
  const stand: Stand = {
    url: `http://localhost:${port}`,
    issuer,
    logFile,
    readySince: server.readySince,
    restarts: server.restarts,
    kill: (victim) => (victim === 'server' ? server.kill() : killPostgres(cluster.folder)),
    async ready() {
      while (server.readySince() === 0) await pause(20)
    },
    async connect() {
      const client = new pg.Client({ connectionString: cluster.url })
      client.on('error', () => undefined)
      await client.connect()
      return client
    },
    async stop() {
      await server.stop()
      issuer.close()
      await endProgram(opened.child, 'input')
      await rm(folder, { recursive: true, force: true })
    },
  }
  await stand.ready()
  return stand
}

/** Starts the server, and again whenever it ends, as a supervisor does. */
function superviseServer(logFile: string, settings: Record<string, string>) {
  const log = createWriteStream(logFile)
  let child: ChildProcess
  let ready = 0
  let starts = 0
  let isStopping = false
  const start = () => {
    starts += 1
    const current = spawn(process.execPath, ['server/src/main.ts'], {
      cwd: project,
      env: { ...process.env, ...settings },
      stdio: ['ignore', 'pipe', 'pipe'],
    })
    child = current
    let output = ''
    for (const stream of [current.stdout, current.stderr])
      stream.on('data', (chunk: Buffer) => {
        log.write(chunk)
        if (child !== current || ready > 0) return
        output += chunk
        if (output.includes('Lectern is ready')) ready = performance.now()
      })
    current.once('exit', () => {
      ready = 0
      if (!isStopping) start()
    })
  }
  start()
  process.once('exit', () => child.kill('SIGKILL'))
  const isRunning = () => child.exitCode === null && child.signalCode === null
  return {
    readySince: () => ready,
    restarts: () => starts - 1,
    kill() {
      ready = 0
      return isRunning() && child.kill('SIGKILL')
    },
    async stop() {
      isStopping = true
      if (isRunning()) {
        const gone = once(child, 'exit')
        child.kill('SIGTERM')
        await gone
      }
      log.end()
    },
  }
}

function killPostgres(folder: string): boolean {
  try {
    const pid = Number.parseInt(readFileSync(join(folder, 'data/postmaster.pid'), 'utf8'), 10)
    // Process ids are used again, so only a process on this folder is the right one.
    if (!readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(folder)) return false
    return process.kill(pid, 'SIGKILL')
  } catch {
    return false
  }
}

async function freePort(): Promise<number> {
  const server = createServer()
  server.listen(0, '127.0.0.1')
  await once(server, 'listening')
  const { port } = server.address() as { port: number }
  server.close()
  return port
}
