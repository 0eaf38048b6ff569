import { type ChildProcess, spawn } from 'node:child_process'
import { once } from 'node:events'
import { createWriteStream } from 'node:fs'
import { chmod, mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import pg from 'pg'
import { openIssuer } from '../portal.ts'
import { endProgram, pickPort, startProgram } from '../programs.ts'
import { startHaproxy } from './haproxy.ts'

const project = fileURLToPath(new URL('../../..', import.meta.url))

export const names = ['a', 'b'] as const
export type ServerName = (typeof names)[number]

/**
 * What keeps errors from clients during a restart. The check takes each away to see that it is missed: `delay`, until haproxy knows;
 * `finish`, of requests under way.
 */
export const safeguards = ['delay', 'finish'] as const
export type Safeguard = (typeof safeguards)[number]

/** Two servers on one database and one folder, behind haproxy. */
export interface Stand {
  url: string
  issuer: Awaited<ReturnType<typeof openIssuer>>
  client: pg.Client
  logFile: string
  /** Stops it, starts it again, and waits until it gets its share of requests. Returns the milliseconds that stopping took. */
  restart(name: ServerName): Promise<number>
  stop(): Promise<void>
}

export async function openStand(without: readonly Safeguard[]): Promise<Stand> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-rolling-'))
  // Needed by PostgreSQL's user, where root runs this.
  await chmod(folder, 0o755)
  const cluster = await startProgram(
    'server/src/testing/database/open-cluster.ts',
    [JSON.stringify({ dataDir: join(folder, 'postgres'), durable: false })],
    {},
    '"url"',
  )
  const { url: databaseUrl, urls } = JSON.parse(cluster.line) as {
    url: string
    urls: { server: string; crossing: string; identity: string }
  }
  const issuer = await openIssuer()
  const [port, a, b] = [pickPort(), pickPort(), pickPort()]
  const ports = { a, b }
  const logFile = join(tmpdir(), `lectern-rolling-${process.pid}.log`)
  const log = createWriteStream(logFile)
  const settings = {
    DATABASE_URL: urls.server,
    CROSSING_DATABASE_URL: urls.crossing,
    IDENTITY_DATABASE_URL: urls.identity,
    MIGRATION_DATABASE_URL: databaseUrl,
    DATA_DIR: folder,
    AUTH_DOMAIN: issuer.domain,
    PUBLIC_URL: `http://localhost:${port}`,
    TRUST_PROXY: '1',
    STOP_DELAY: without.includes('delay') ? '0' : '5',
    DEMO: 'off',
    LOG_LEVEL: 'warn',
    RATE_LIMIT: '10000000',
    STREAMS_PER_ACCOUNT: '1000',
    BODIES_AT_ONCE: '1000',
  }
  const start = (name: ServerName) => startServer({ ...settings, PORT: String(ports[name]) }, log)
  // One after the other, as the first one migrates the database.
  const running: Record<ServerName, ChildProcess> = { a: await start('a'), b: await start('b') }
  const proxy = await startHaproxy(folder, port, ports)
  for (const name of names) await proxy.until(name, true)
  process.once('exit', () => {
    for (const name of names) running[name].kill('SIGKILL')
  })
  const client = new pg.Client({ connectionString: databaseUrl })
  await client.connect()
  return {
    url: `http://127.0.0.1:${port}`,
    issuer,
    client,
    logFile,
    async restart(name) {
      const took = await stopServer(running[name], without.includes('finish') ? 'SIGKILL' : 'SIGTERM')
      await proxy.until(name, false)
      running[name] = await start(name)
      await proxy.until(name, true)
      return took
    },
    async stop() {
      await client.end()
      await Promise.all(names.map((name) => stopServer(running[name], 'SIGKILL')))
      await proxy.stop()
      issuer.close()
      await endProgram(cluster.child, 'input')
      log.end()
      await rm(folder, { recursive: true, force: true })
    },
  }
}

async function startServer(settings: Record<string, string>, log: NodeJS.WritableStream): Promise<ChildProcess> {
  const child = spawn(process.execPath, ['server/src/main.ts'], {
    cwd: project,
    env: { ...process.env, ...settings },
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  child.stderr.pipe(log, { end: false })
  await new Promise<void>((resolve, reject) => {
    let printed = ''
    child.stdout.on('data', (chunk: Buffer) => {
      log.write(chunk)
      printed += chunk
      if (printed.includes('Lectern is ready')) resolve()
    })
    child.once('exit', (code) => reject(new Error(`The server ended with ${code}:\n${printed}`)))
  })
  return child
}

async function stopServer(child: ChildProcess, signal: 'SIGTERM' | 'SIGKILL'): Promise<number> {
  const since = performance.now()
  const gone = once(child, 'exit')
  child.kill(signal)
  const [code] = await gone
  if (signal === 'SIGTERM' && code !== 0) throw new Error(`The server ended with ${code} in place of 0.`)
  return performance.now() - since
}
