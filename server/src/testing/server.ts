import { mkdtemp, rm } from 'node:fs/promises'
import type { AddressInfo } from 'node:net'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { EndpointName } from '@lectern/contract/endpoints.ts'
import type { CallArguments } from '@lectern/contract/http/request.ts'
import { afterAll } from 'vitest'
import { type App, createApp } from '../app.ts'
import { createDatabase as createKysely, createPool } from '../lib/database/database.ts'
import { createLog } from '../lib/log.ts'
import { parseSettings, type Settings } from '../lib/settings.ts'
import { type Answer, callEndpoint } from './call.ts'
import { createDatabase } from './database/database.ts'
import { databaseUrls } from './database/database-url.ts'
import { startIssuer, type TestIssuer, testAudience } from './issuer.ts'
import { makers } from './makers.ts'

interface Options {
  /** Environment variables beside those of the issuer. */
  environment?: Record<string, string>
  /** As the cluster's owner; absent: a new database. */
  databaseUrl?: string
}

export interface TestServer extends ReturnType<typeof makers> {
  url: string
  /** Its `db` has all rights. */
  app: App
  settings: Settings
  issuer: TestIssuer
  /** As the cluster's owner. */
  databaseUrl: string
  /** The lines of the log. */
  lines: string[]
  fetch(path: string, init?: RequestInit): Promise<Response>
  /** Without `token` the call has no credential. */
  call<N extends EndpointName>(
    name: N,
    args?: CallArguments,
    init?: { token?: string; headers?: Record<string, string> },
  ): Promise<Answer<N>>
  stop(): Promise<void>
}

/** Stops after the tests of the file. */
export async function serverForFile(options: Options = {}): Promise<TestServer> {
  const server = await startServer(options)
  afterAll(server.stop)
  return server
}

/** The caller must stop it. */
export async function startServer({ environment = {}, databaseUrl }: Options = {}): Promise<TestServer> {
  const database = databaseUrl === undefined ? await createDatabase() : undefined
  const issuer = await startIssuer()
  const dataDir = await mkdtemp(join(tmpdir(), 'lectern-test-'))
  // In tests one account makes calls that elsewhere many make.
  const many = { BODIES_AT_ONCE: '100' }
  const settings = parseSettings({ AUTH_DOMAIN: issuer.url, AUTH_AUDIENCE: testAudience, DATA_DIR: dataDir, ...many, ...environment })
  const lines: string[] = []
  const log = createLog('debug', { write: (line: string) => void lines.push(line) })
  const address = databaseUrl ?? database!.url
  const release = async () => {
    await issuer.close()
    await database?.drop()
    await rm(dataDir, { recursive: true, force: true })
  }
  const served = await createApp(settings, databaseUrls(address), log).catch(async (error: unknown) => {
    await release()
    throw error
  })
  const app = { ...served, db: createKysely(createPool(address)) }
  await app.http.listen({ port: Number(environment.PORT ?? 0), host: '127.0.0.1' })
  const url = `http://127.0.0.1:${(app.http.server.address() as AddressInfo).port}`
  const call: TestServer['call'] = (name, args = {}, { token, headers = {} } = {}) =>
    callEndpoint(url, name, args, token === undefined ? headers : { ...headers, authorization: `Bearer ${token}` })
  let stopped: Promise<void> | undefined
  return {
    url,
    app,
    settings,
    issuer,
    databaseUrl: address,
    lines,
    call,
    fetch: (path, init) => fetch(`${url}${path}`, init),
    ...makers(app.db, issuer, call),
    stop() {
      stopped ??= (async () => {
        await app.close()
        await app.db.destroy()
        await release()
      })()
      return stopped
    },
  }
}
