import { once } from 'node:events'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { startServer } from './testing/server.ts'
import { until } from './testing/until.ts'

const deadDatabase = 'postgresql://lectern@127.0.0.1:1/lectern'

async function newServer(options?: Parameters<typeof startServer>[0]) {
  const server = await startServer(options)
  onTestFinished(server.stop)
  return server
}

test('with its database it is alive and ready', async () => {
  const server = await newServer()
  expect((await server.call('getLiveness')).body).toEqual({ status: 'alive' })
  expect((await server.call('getReadiness')).body).toEqual({ status: 'ready' })
})

test('without its database it is alive, not ready, and asks for patience', async () => {
  const server = await newServer({ databaseUrl: deadDatabase })
  expect((await server.call('getLiveness')).status).toBe(200)
  const ready = await server.call('getReadiness')
  expect([ready.status, ready.problem.detail]).toEqual([503, 'The database does not respond. Try again in a moment.'])
  const { status, problem } = await server.call('getDesired', {}, { token: 'some-host' })
  expect([status, problem.detail]).toEqual([503, 'The database does not respond. Try again in a moment.'])
})

test('[LMT-08] while an entry of the audit log cannot be written it is not ready, however many ask; then it is again', async () => {
  const server = await newServer()
  const { db } = server.app
  const entries = async () => (await db.selectFrom('audit_entry').select('id').execute()).length
  const isReady = () => server.call('getReadiness')
  expect(await Promise.all(Array.from({ length: 20 }, async () => (await isReady()).status))).toEqual(Array(20).fill(200))
  expect(await entries()).toBe(0)

  // As after an upgrade of PostgreSQL's libraries below a running server.
  await sql`create function break_entries() returns trigger language plpgsql as $$
    begin raise exception 'could not load library' using errcode = '58P01'; end $$`.execute(db)
  await sql`create trigger broken before insert on audit_entry for each row execute function break_entries()`.execute(db)
  await expect.poll(async () => (await isReady()).status, { timeout: 10_000 }).toBe(503)
  const refused = await isReady()
  expect(refused.problem.detail).toBe('The database cannot be written to. Contact the administrator of the server.')
  expect(refused.headers.get('retry-after')).toBe('2')
  expect((await server.call('getLiveness')).status).toBe(200)

  await sql`drop trigger broken on audit_entry`.execute(db)
  await expect.poll(async () => (await isReady()).status, { timeout: 10_000 }).toBe(200)
})

test('a database that breaks off in the middle is no mistake of the caller', async () => {
  const server = await newServer()
  const zone = await server.zone()
  const { db } = server.app
  const release = await lockZones(server)
  const waiting = zone.manager.call('createZone', { params: { organizationId: zone.organization.id, location: 'B' } })
  await until(async () => (await waitingFor(server)) === 1)
  await sql`select pg_terminate_backend(pid) from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(
    db,
  )
  expect((await waiting).status).toBe(503)
  await release()
  expect((await server.call('getReadiness')).status).toBe(200)
})

test('who calls is known while searches of the vendor hold all their connections', async () => {
  const server = await newServer()
  const zone = await server.zone()
  const newStaff = () => server.person({ permissions: ['global:access:organizations'] })
  const [one, two] = [await newStaff(), await newStaff()]
  const locked = await server.app.db.startTransaction().execute()
  await sql`lock table support_case in access exclusive mode`.execute(locked)
  const searches = [one, two, one, two, one, two, one, two].map(({ call }) => call('listAllCases'))
  await until(async () => (await waitingFor(server)) === 8)
  expect((await zone.manager.call('getOrganizationSummary', { params: { organizationId: zone.organization.id } })).status).toBe(200)
  await locked.rollback().execute()
  expect((await Promise.all(searches)).map(({ status }) => status)).toEqual(Array(8).fill(200))
})

test('a stop finishes the request that is under way, then lets go', async () => {
  const server = await newServer()
  const zone = await server.zone()
  const release = await lockZones(server)
  const running = zone.manager.call('createZone', { params: { organizationId: zone.organization.id, location: 'Late' } })
  await until(async () => (await waitingFor(server)) === 1)
  const closed = once(server.app.http.server, 'close')
  const stopped = server.stop()
  await until(() => !server.app.http.server.listening)
  await release()
  const { status, body } = await running
  expect([status, body.name]).toEqual([200, 'Late'])
  await Promise.all([stopped, closed])
  await expect(server.fetch('/livez')).rejects.toThrow('fetch failed')
})

test('a stop ends streams of events', async () => {
  const server = await newServer()
  const host = await server.host(await server.zone())
  const stream = await server.fetch('/api/agent/events', { headers: { authorization: `Bearer ${host.credential}` } })
  const text = stream.text()
  await server.stop()
  expect(await text).toContain('event: desired')
})

test('the web app gets its settings, and no secret', async () => {
  const environment = {
    PROVIDER_NAME: 'Acme',
    FEATURE_FLAGS: 'showAuditLog',
    LOCAL_TOKEN: 'off',
    SENTRY_DSN: 'https://key@errors.example/1',
    LARGE_PUBLISH_READERS: '700',
  }
  const server = await newServer({ environment })
  expect((await server.call('getPublicSettings')).body).toEqual({
    providerName: 'Acme',
    auth: { domain: server.issuer.url, clientId: 'lectern-web', audience: 'urn:lectern:test' },
    featureFlags: 'showAuditLog',
    accountUrl: 'https://account.quietzone.example/',
    supportPhone: '+1 800 555 0142',
    brands: ['Acme', 'Lectern'],
    localToken: false,
    sentryDsn: 'https://key@errors.example/1',
    largePublish: { zones: 10, readers: 700 },
  })
})

type Server = Awaited<ReturnType<typeof startServer>>

/** Makes every new zone wait, until the answer is called. */
async function lockZones({ app }: Server): Promise<() => Promise<void>> {
  const transaction = await app.db.startTransaction().execute()
  await sql`lock table zone in share mode`.execute(transaction)
  return async () => {
    await transaction.rollback().execute()
  }
}

/** Counts connections to the server's database that wait for a lock. */
async function waitingFor({ app }: Server): Promise<number> {
  const { rows } = await sql<{ count: number }>`
    select count(*)::int as count from pg_stat_activity where wait_event_type = 'Lock' and datname = current_database()`.execute(app.db)
  return rows[0]?.count ?? 0
}
