import type { ChildProcess } from 'node:child_process'
import { randomUUID } from 'node:crypto'
import { mkdtemp, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { type Arguments, type EndpointName, endpoints, type Response } from '@lectern/contract/endpoints.ts'
import { type CallArguments, toRequest } from '@lectern/contract/http/request.ts'
import pg from 'pg'
import type { Browser, BrowserContext, BrowserContextOptions, Page } from 'playwright-core'
import { inject } from 'vitest'
import { accessToken, sessionCookies } from '../sign-in.ts'
import { startApp, stopApp } from './apps.ts'
import { openBrowser, openContext } from './browser.ts'
import { end, freePort, startProgram } from './program.ts'

declare module 'vitest' {
  interface ProvidedContext {
    clusterUrl: string
    templateDatabase: string
    demoDatabase: string
  }
}

export const manager = 'manager@northfield.example'
export const member = 'member@northfield.example'
export const foreigner = 'manager@harborline.example'
/** An account of the vendor, which belongs to no organization. */
export const staff = 'staff@quietzone.example'
/** The demo organization of `manager` and `member`. */
export const northfield = '0198c0de-0001-7000-8000-000000000001'
export const licence = 'LEC-DEMO-NORTHFIELD'

/** Calls endpoints of the contract as one account. Returns their responses; throws with the problem's words where they refuse. */
export type Caller = <N extends EndpointName>(name: N, args: Arguments<N>, headers?: Record<string, string>) => Promise<Response<N>>

/** Done with a page before it loads anything. */
export type Prepare = (page: Page) => unknown

export interface Stack {
  url: string
  databaseUrl: string
  browser: Browser
  /** A page of a fresh browser context, signed in and showing `path`. */
  page(account?: string, path?: string, options?: BrowserContextOptions, prepare?: Prepare): Promise<Page>
  api(account?: string): Promise<Caller>
  sql<Row extends pg.QueryResultRow>(text: string, values?: unknown[]): Promise<Row[]>
  stop(): Promise<void>
}

/** A stack whose server can be killed. */
export interface LoneStack extends Stack {
  /** Stops the server the way a crash does; `start` brings it back on the same port, data and database. */
  crash(): Promise<void>
  start(): Promise<void>
  /** Of the server's process. */
  pid(): number
  /** Sends the server a signal and waits until it has ended. */
  signal(name: NodeJS.Signals): Promise<void>
}

interface StackOptions {
  env?: Record<string, string>
}

interface LoneStackOptions extends StackOptions {
  /** Whether the demo's simulated hosts run. */
  hasFleet?: boolean
}

/**
 * The product on a database of its own: an app in the server of all files, with identity provider, and a browser. It has the demo, without
 * its simulated fleet.
 */
export async function startStack({ env = {} }: StackOptions = {}): Promise<Stack> {
  const ground = await makeGround(env)
  await startApp(ground.settings)
  return assemble(ground, () => stopApp(ground.url))
}

/**
 * As `startStack`, with the server as a process of its own, which takes a second longer: for tests that kill it, or that concern its whole
 * process.
 */
export async function startLoneStack({ env = {}, hasFleet = false }: LoneStackOptions = {}): Promise<LoneStack> {
  const ground = await makeGround(env)
  const command = ['server/src/main.ts', ...(hasFleet ? [] : ['--no-fleet'])]
  let server: ChildProcess | undefined
  const start = async () => {
    server = await startProgram(command, 'Lectern is ready', { ...process.env, ...ground.settings })
  }
  await start()
  return {
    ...(await assemble(ground, () => end(server, 'SIGTERM'))),
    crash: () => end(server, 'SIGKILL'),
    pid: () => server!.pid!,
    signal: (name) => end(server, name),
    start,
  }
}

/** What a server needs below it. */
interface Ground {
  url: string
  settings: Record<string, string>
  databaseUrl: string
  pool: pg.Pool
  remove(): Promise<void>
}

async function makeGround(env: Record<string, string>): Promise<Ground> {
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-e2e-'))
  const database = await createDatabase(env.DEMO === 'off' ? inject('templateDatabase') : inject('demoDatabase'))
  const port = await freePort()
  const url = env.PUBLIC_URL ?? `http://localhost:${port}`
  const pool = new pg.Pool({ connectionString: database.url, max: 2 })
  // Dropping the database cuts connections that are still closing. What concerns a query is reported by the query.
  pool.on('connect', (client) => client.on('error', () => undefined))
  pool.on('error', () => undefined)
  // The demo was made when the run began. Its host PCs must have checked in just now.
  await pool.query('update host set last_seen_at = now() where last_seen_at is not null')
  return {
    url,
    // Batteries of simulated readers wear over the years, which must not change tests.
    settings: {
      DATA_DIR: dataDir,
      ...databaseSettings(database.url),
      PORT: String(port),
      DEMO: 'on',
      LOG_LEVEL: 'warn',
      MIN_BATTERY: '0',
      ...env,
    },
    databaseUrl: database.url,
    pool,
    async remove() {
      await pool.end()
      await database.drop()
      await rm(dataDir, { recursive: true, force: true })
    },
  }
}

/** Stacks that are running. They share the browser. */
const up = new Set<Ground>()

async function assemble(ground: Ground, stopServer: () => Promise<void>): Promise<Stack> {
  const { url, databaseUrl, pool } = ground
  const browser = await openBrowser()
  up.add(ground)
  const sessions: Sessions = new Map()
  return {
    url,
    databaseUrl,
    browser,
    page: (account = manager, path = '/codedm', options = {}, prepare = () => {}) =>
      signedInPage(browser, url, { account, path, options, prepare, sessions }),
    api: async (account = manager) => caller(url, await accessToken(url, account)),
    sql: async <Row extends pg.QueryResultRow>(text: string, values: unknown[] = []) => (await pool.query<Row>(text, values)).rows,
    async stop() {
      up.delete(ground)
      // Leaves nothing of a file to the next one.
      if (up.size === 0) for (const context of browser.contexts()) await context.close()
      await stopServer()
      await ground.remove()
    },
  }
}

/** The cookies by which the provider knows a browser that has signed in. */
type Sessions = Map<string, Parameters<BrowserContext['addCookies']>[0]>

interface SignedIn {
  account: string
  path: string
  options: BrowserContextOptions
  prepare: Prepare
  /** By account: later pages reuse the session of the first one, unless it was ended. */
  sessions: Sessions
}

async function signedInPage(browser: Browser, url: string, { account, path, options, prepare, sessions }: SignedIn): Promise<Page> {
  const context = await openContext(browser, options)
  // The form takes a second, and only its own tests need it. Sessions of another provider are not kept here.
  await context.addCookies([...(sessions.get(account) ?? (await sessionCookies(url, account).catch(() => [])))])
  const page = await context.newPage()
  await prepare(page)
  const form = page.locator('input[name=email]')
  const signedIn = page.waitForResponse((response) => response.url() === `${url}/oauth/token` && response.ok())
  await page.goto(`${url}${path}`)
  await Promise.race([signedIn, form.waitFor()])
  if (await form.isVisible()) await signIn(page, account)
  await signedIn
  // The app has removed the code from the address by then, and may have left `path`.
  await page.waitForURL(({ searchParams }) => !searchParams.has('code'))
  sessions.set(account, await context.cookies(url))
  return page
}

/** Fills in the shown sign-in page of the provider. */
export async function signIn(page: Page, account: string, password = 'lectern-demo'): Promise<void> {
  await page.locator('input[name=email]').fill(account)
  await page.locator('input[name=password]').fill(password)
  await page.getByRole('button', { name: 'Sign in' }).click()
}

/** Signs in on the first page. Leaving it before the app has its token would lose the code in the address. */
export async function arrive(page: Page, url: string, account: string): Promise<void> {
  const signedIn = page.waitForResponse((response) => response.url() === `${url}/oauth/token` && response.ok())
  await page.goto(url)
  await signIn(page, account)
  await signedIn
  await page.locator('#frame').waitFor({ state: 'detached' })
}

/** Calls with a bearer credential: an access token, or a host's own. */
export function caller(url: string, token: string): Caller {
  return async (name, args, headers = {}) => {
    const { url: path, ...request } = toRequest(endpoints[name], args as CallArguments)
    const response = await fetch(`${url}${path}`, {
      ...request,
      headers: { ...request.headers, ...headers, authorization: `Bearer ${token}` },
    })
    const text = await response.text()
    if (!response.ok) throw new Error(`${response.status} ${text}`)
    return (text === '' ? undefined : JSON.parse(text)) as never
  }
}

/** For the roles of a server, which the cluster has. */
function databaseSettings(url: string) {
  const as = (login: string) => url.replace(/(?<=\/\/)lectern(?=[:@])/, login)
  return {
    DATABASE_URL: as('lectern_server'),
    CROSSING_DATABASE_URL: as('lectern_crossing'),
    IDENTITY_DATABASE_URL: as('lectern_identity'),
    MIGRATION_DATABASE_URL: url,
  }
}

async function createDatabase(template: string): Promise<{ url: string; drop(): Promise<void> }> {
  const clusterUrl = inject('clusterUrl')
  const name = `test_e2e_${randomUUID().replaceAll('-', '')}`
  const run = async (statement: string) => {
    const client = new pg.Client({ connectionString: clusterUrl })
    await client.connect()
    try {
      await client.query(statement)
    } finally {
      await client.end()
    }
  }
  await run(`create database ${name} template ${template}`)
  return { url: clusterUrl.replace(/(@[^/]*\/)\w+/, `$1${name}`), drop: () => run(`drop database if exists ${name} with (force)`) }
}
