import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { createServer } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { exportJWK, generateKeyPair, SignJWT } from 'jose'
import pg from 'pg'
import { endProgram, pickPort, startProgram } from './programs.ts'
import { openWiretap, type Wiretap } from './wiretap.ts'

const withoutRowSecurity = fileURLToPath(new URL('without-row-security.ts', import.meta.url))

/** A server on a database of its own, with a signed-in user. */
export interface Portal {
  url: string
  inspectorPort: number
  /** A connection that is not counted. */
  client: pg.Client
  /** A connection by one of the server's logins, not counted. */
  findClient(login: string): Promise<pg.Client>
  userId: string
  token: string
  ask(path: string): Promise<unknown>
  /** `bearer`: in place of the user's token. */
  send(path: string, init?: RequestInit, bearer?: string): Promise<Response>
  pid: number
  /** The server's settings. */
  settings: Record<string, string>
  /** The owner's, for programs that are not counted. */
  databaseUrl: string
  /** Since the last call. */
  take: Wiretap['take']
}

interface PortalOptions {
  /** Whether `take` counts, which costs time. */
  isCounted?: boolean
  /** A folder that keeps the database; absent: it is empty and migrated, and removed afterwards. */
  folder?: string | undefined
  /** Whether the server is the database's owner, without row security; its figures are not a server's then. */
  asOwner?: boolean
}

/** Runs `work` with a server on a database of its own. */
export async function withPortal(
  permissions: string[],
  work: (portal: Portal) => Promise<void>,
  { isCounted = true, folder: kept, asOwner = false }: PortalOptions = {},
): Promise<void> {
  const folder = kept ?? (await mkdtemp(join(tmpdir(), 'lectern-bench-')))
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
    ...toDatabases(asOwner ? { server: url, crossing: url, identity: url } : urls, isCounted ? `127.0.0.1:${wiretap.port}` : undefined),
    MIGRATION_DATABASE_URL: url,
    AUTH_DOMAIN: issuer.domain,
    LOG_LEVEL: 'silent',
    RATE_LIMIT: '1000000',
    STREAMS_PER_ACCOUNT: '1000000',
    NODE_OPTIONS: `--inspect=127.0.0.1:${inspectorPort}${asOwner ? ` --import=${withoutRowSecurity}` : ''}`,
  }
  const { findClient, end } = createClients(url)
  const client = await findClient(new URL(address).username)
  if (isCounted) await client.query(tellPlans)
  const server = await startProgram('server/src/main.ts', [], settings, 'Lectern is ready')
  try {
    const { userId, subject } = await createUser(client, `${issuer.domain}/`)
    const token = await issuer.token(subject, permissions)
    const send: Portal['send'] = async (path, init = {}, bearer = token) => {
      const headers = { ...init.headers, authorization: `Bearer ${bearer}` }
      const response = await fetch(`http://localhost:${port}${path}`, { ...init, headers })
      // A refusal that says how to ask for less counts as a response.
      if (!response.ok && response.status !== 422) throw new Error(`${path}: ${response.status} ${await response.text()}`)
      return response
    }
    const ask = async (path: string) => (await send(path)).json()
    await work({
      url: `http://localhost:${port}`,
      inspectorPort,
      client,
      findClient,
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
    if (kept === undefined) await rm(folder, { recursive: true, force: true })
  }
}

/** Makes PostgreSQL report to each connection of the server and the owner how it executed each statement. */
const tellPlans = ['lectern', 'lectern_server', 'lectern_crossing', 'lectern_identity']
  .flatMap((login) =>
    [
      "session_preload_libraries = 'auto_explain'",
      'auto_explain.log_min_duration = 0',
      'auto_explain.log_analyze = on',
      'auto_explain.log_buffers = on',
      'auto_explain.log_timing = off',
      "auto_explain.log_format = 'json'",
      "auto_explain.log_level = 'notice'",
    ].map((setting) => `alter role ${login} in database lectern set ${setting}`),
  )
  .join('; ')

/**
 * The server's connection strings, through the wiretap where it counts.
 * @param wiretap host and port
 */
function toDatabases(urls: { server: string; crossing: string; identity: string }, wiretap: string | undefined) {
  const lead = (url: string) => {
    if (wiretap === undefined) return url
    const { username, pathname } = new URL(url.replace('@/', '@socket/'))
    return `postgres://${username}@${wiretap}${pathname}`
  }
  return { DATABASE_URL: lead(urls.server), CROSSING_DATABASE_URL: lead(urls.crossing), IDENTITY_DATABASE_URL: lead(urls.identity) }
}

/** One for each login. */
function createClients(ownerUrl: string) {
  const clients = new Map<string, Promise<pg.Client>>()
  const open = async (login: string) => {
    const client = new pg.Client({ connectionString: ownerUrl.replace(/(?<=\/\/)lectern(?=[:@])/, login), pipeline: true })
    client.on('notice', () => undefined)
    await client.connect()
    return client
  }
  return {
    findClient(login: string): Promise<pg.Client> {
      const client = clients.get(login) ?? open(login)
      clients.set(login, client)
      return client
    },
    async end() {
      for (const client of clients.values()) await (await client).end()
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

/** An identity provider that publishes a key and signs access tokens with it. */
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
