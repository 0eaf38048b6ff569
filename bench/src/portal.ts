import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import pg from 'pg'
import { endProgram, pickPort, startProgram } from './programs.ts'
import { openWiretap, type Statement } from './wiretap.ts'

/** A server on a database of its own, with a signed-in user. */
export interface Portal {
  url: string
  inspectorPort: number
  /** A connection that is not counted. */
  client: pg.Client
  /** As `client`, with what a connection of the server has set. */
  clientWith(settings: string): Promise<pg.Client>
  userId: string
  token: string
  ask(path: string): Promise<unknown>
  /** `bearer` in place of the user's token. */
  send(path: string, init?: RequestInit, bearer?: string): Promise<Response>
  pid: number
  /** Of the server. */
  settings: Record<string, string>
  /** For programs that are not counted; the owner's. */
  databaseUrl: string
  /** Since the last call. */
  take(): { statements: Statement[]; roundTrips: number }
}

/** Runs `work` with a server on an empty, migrated database; everything is gone afterwards. @param isCounted whether `take` counts, at some cost */
export async function withPortal(permissions: string[], work: (portal: Portal) => Promise<void>, isCounted = true): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'lectern-bench-'))
  const cluster = await startProgram(
    'server/src/testing/database/open-cluster.ts',
    [JSON.stringify({ dataDir: join(folder, 'postgres'), durable: false })],
    {},
    '"url"',
  )
  const { url, urls } = JSON.parse(cluster.line) as { url: string; urls: { server: string; crossing: string; identity: string } }
  const address = new URL(url.replace('@/', '@socket/'))
  const wiretap = await openWiretap(join(address.searchParams.get('host')!, `.s.PGSQL.${address.searchParams.get('port') ?? 5432}`))
  const issuer = await openIssuer()
  const [port, inspectorPort] = [String(pickPort()), pickPort()]
  const settings = {
    PORT: port,
    DATA_DIR: folder,
    ...toDatabases(urls, isCounted ? `127.0.0.1:${wiretap.port}${address.pathname}` : undefined),
    MIGRATION_DATABASE_URL: url,
    AUTH_DOMAIN: issuer.domain,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '1000000',
    STREAMS_PER_ACCOUNT: '1000000',
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}`,
  }
  const server = await startProgram('server/src/main.ts', [], settings, 'Lectern is ready')
  const { clientWith, end } = createClients(url)
  const client = await clientWith('')
  try {
    const { userId, subject } = await createUser(client, `${issuer.domain}/`)
    const token = await issuer.token(subject, permissions)
    const send: Portal['send'] = async (path, init = {}, bearer = token) => {
      const headers = { ...init.headers, authorization: `Bearer ${bearer}` }
      const response = await fetch(`http://localhost:${port}${path}`, { ...init, headers })
      if (!response.ok) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response
    }
    const ask = async (path: string) => (await send(path)).json()
    await work({
      url: `http://localhost:${port}`,
      inspectorPort,
      client,
      clientWith,
      userId,
      token,
      ask,
      send,
      pid: server.child.pid as number,
      settings,
      databaseUrl: url,
      take: wiretap.take,
    })
  } finally {
    await end()
    await endProgram(server.child, 'signal')
    wiretap.close()
    issuer.close()
    await endProgram(cluster.child, 'input')
    await rm(folder, { recursive: true, force: true })
  }
}

/** The server's, through the wiretap where it counts. */
const toDatabases = (urls: { server: string; crossing: string; identity: string }, counted: string | undefined) => ({
  DATABASE_URL: counted ? `postgres://lectern_server@${counted}` : urls.server,
  CROSSING_DATABASE_URL: counted ? `postgres://lectern_crossing@${counted}` : urls.crossing,
  IDENTITY_DATABASE_URL: counted ? `postgres://lectern_identity@${counted}` : urls.identity,
})

/** One for each set of settings. */
function createClients(connectionString: string) {
  const clients = new Map<string, pg.Client>()
  return {
    async clientWith(settings: string): Promise<pg.Client> {
      const found = clients.get(settings)
      if (found) return found
      const client = new pg.Client({ connectionString })
      clients.set(settings, client)
      await client.connect()
      if (settings !== '') await client.query(settings)
      return client
    },
    async end() {
      for (const client of clients.values()) await client.end()
    },
  }
}

async function createUser(client: pg.Client, issuer: string) {
  const [userId, subject] = [randomUUID(), randomUUID()]
  await client.query(`insert into "user" (id, issuer, subject, email, email_verified) values ($1, $2, $3, 'bench@bench.example', true)`, [
    userId,
    issuer,
    subject,
  ])
  return { userId, subject }
}

const audience = 'urn:lectern:api'

/** An identity provider: publishes a key and signs access tokens with it. */
export async function openIssuer(): Promise<{
  domain: string
  token(subject: string, permissions: string[]): Promise<string>
  close(): void
}> {
  const { publicKey, privateKey } = await generateKeyPair('RS256')
  const jwk = { ...(await exportJWK(publicKey)), kid: 'bench', alg: 'RS256', use: 'sig' }
  const server = createServer((request, response) => {
    const issuer = `http://${request.headers.host}/`
    const discovery = { issuer, jwks_uri: `${issuer}.well-known/jwks.json`, userinfo_endpoint: `${issuer}userinfo` }
    response
      .setHeader('content-type', 'application/json')
      .end(JSON.stringify(request.url?.endsWith('jwks.json') ? { keys: [jwk] } : discovery))
  })
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve))
  const domain = `http://127.0.0.1:${(server.address() as { port: number }).port}`
  return {
    domain,
    token: (subject, permissions) =>
      new SignJWT({ permissions, email: 'bench@bench.example', email_verified: true })
        .setProtectedHeader({ alg: 'RS256', kid: 'bench' })
        .setIssuer(`${domain}/`)
        .setAudience(audience)
        .setSubject(subject)
        .setExpirationTime('12h')
        .sign(privateKey),
    close: () => server.close(),
  }
}
