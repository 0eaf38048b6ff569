import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import pg from 'pg'
import { openIssuer } from './issuer.ts'
import { endProgram, startProgram } from './programs.ts'
import { openWiretap, type Statement } from './wiretap.ts'

/** A server on a database of its own, with somebody signed in. */
export interface Portal {
  /** A connection that nobody listens to. */
  client: pg.Client
  /** The signed-in person, who is on the books. */
  userId: string
  /** Asks the server, and answers what it says. */
  ask(path: string): Promise<unknown>
  /** Sends the server a request as it is, and answers its answer; `bearer` stands in for the signed-in person. */
  send(path: string, init?: RequestInit, bearer?: string): Promise<Response>
  /** The server's process. */
  pid: number
  /** What the server has sent to PostgreSQL since the last call. */
  take(): { statements: Statement[]; roundTrips: number }
}

/** Runs `work` with a server on an empty, migrated database; everything is gone afterwards. */
export async function withPortal(permissions: string[], work: (portal: Portal) => Promise<void>): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const cluster = await startProgram(
    'server/src/testing/database/open-cluster.ts',
    [JSON.stringify({ dataDir: join(folder, 'postgres'), durable: false })],
    {},
    '"url"',
  )
  const { url } = JSON.parse(cluster.line) as { url: string }
  const address = new URL(url.replace('@/', '@socket/'))
  const wiretap = await openWiretap(join(address.searchParams.get('host')!, `.s.PGSQL.${address.searchParams.get('port') ?? 5432}`))
  const issuer = await openIssuer()
  const port = String(20_000 + Math.floor(Math.random() * 20_000))
  const settings = {
    PORT: port,
    DATA_DIR: folder,
    DATABASE_URL: `postgres://lectern@127.0.0.1:${wiretap.port}${address.pathname}`,
    AUTH_DOMAIN: issuer.domain,
    LOG_LEVEL: 'silent',
  }
  const server = await startProgram('server/src/main.ts', [], settings, 'Lectern is ready')
  const client = new pg.Client({ connectionString: url })
  await client.connect()
  try {
    const [userId, subject] = [randomUUID(), randomUUID()]
    await client.query(`insert into "user" (id, issuer, subject, email, email_verified) values ($1, $2, $3, 'bench@bench.example', true)`, [
      userId,
      `${issuer.domain}/`,
      subject,
    ])
    const token = await issuer.token(subject, permissions)
    const send: Portal['send'] = async (path, init = {}, bearer = token) => {
      const headers = { ...init.headers, authorization: `Bearer ${bearer}` }
      const response = await fetch(`http://localhost:${port}${path}`, { ...init, headers })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response
    }
    const ask = async (path: string) => (await send(path)).json()
    await work({ client, userId, ask, send, pid: server.child.pid as number, take: wiretap.take })
  } finally {
    await client.end()
    await endProgram(server.child, 'signal')
    wiretap.close()
    issuer.close()
    await endProgram(cluster.child, 'input')
    await rm(folder, { recursive: true, force: true })
  }
}
