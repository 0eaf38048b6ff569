import { dirname } from 'node:path'
import { sql } from 'kysely'
import { expect, onTestFinished, test } from 'vitest'
import { openDatabase } from '../../open-database.ts'
import { clusterMaker, newWatch, open } from '../../testing/database/clusters.ts'
import { databaseSettings } from '../../testing/database/database-url.ts'
import { testAudience } from '../../testing/issuer.ts'
import { serverForFile, startServer } from '../../testing/server.ts'
import { parseSettings } from '../settings.ts'

const madeCluster = clusterMaker()
const embedded = { AUTH_DOMAIN: '', EMBEDDED_IDP: 'on', PUBLIC_URL: 'http://localhost:3000' }

async function startOnOwnCluster(environment: Record<string, string> = {}) {
  const dataDir = await madeCluster()
  // A cluster that syncs its files takes a minute to stop on a busy disk.
  const cluster = await open({ dataDir, watch: newWatch() })
  await openDatabase(parseSettings({ DATA_DIR: dirname(dataDir), ...databaseSettings(cluster.url) }))
  const server = await startServer({ databaseUrl: cluster.url, environment })
  onTestFinished(server.stop)
  return { server, stopDatabase: cluster.stop }
}

async function startWithoutDatabase() {
  const { server, stopDatabase } = await startOnOwnCluster()
  const zone = await server.zone()
  const host = await server.host(zone)
  const stopped = performance.now()
  await stopDatabase()
  return { server, zone, host, stopped }
}

const away = 'The database does not respond. Try again in a moment.'
const outageLines = (lines: readonly string[]) => lines.filter((line) => line.includes('"msg":"The database does not respond"'))

test('[FLT-07] while the database is away every call is answered 503 with a sentence and when to try again', async () => {
  const { server, zone, host } = await startWithoutDatabase()
  const params = { organizationId: zone.organization.id }
  const answers = await Promise.all([
    zone.manager.call('listZones', { params }),
    zone.manager.call('createZone', { params: { ...params, location: 'North' } }),
    host.call('getDesired'),
    server.call('getReadiness'),
  ])
  for (const { status, body, headers } of answers) {
    expect(status).toBe(503)
    expect(body).toMatchObject({ status: 503, title: 'Not available', detail: away })
    expect(headers.get('retry-after')).toBe('2')
  }
  expect((await server.call('getLiveness')).status).toBe(200)
  expect(outageLines(server.lines).length).toBeGreaterThan(0)
  expect(server.lines.join('')).not.toMatch(/"stack"|node_modules/)
})

test('[FLT-07] sign-in and token calls are answered 503 too, the pages in words', async () => {
  const { server, stopDatabase } = await startOnOwnCluster(embedded)
  await stopDatabase()
  const token = await server.fetch('/oauth/token', {
    method: 'POST',
    body: new URLSearchParams({ grant_type: 'refresh_token', refresh_token: 'x'.repeat(43), client_id: 'lectern-web' }),
  })
  expect([token.status, token.headers.get('retry-after')]).toEqual([503, '2'])
  expect(await token.json()).toEqual({ error: 'temporarily_unavailable', error_description: away })
  const query = new URLSearchParams({
    client_id: 'lectern-web',
    redirect_uri: 'http://localhost:3000',
    response_type: 'code',
    scope: 'openid',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
    audience: testAudience,
  })
  for (const path of [`/authorize?${query}`, '/reset-password?token=abc']) {
    const page = await server.fetch(path, { headers: { accept: 'text/html' }, redirect: 'manual' })
    expect([path, page.status, page.headers.get('retry-after')]).toEqual([path, 503, '2'])
    expect(await page.text()).toContain(away)
  }
})

test('[FLT-07] an outage logs a line per second at most, which counts what it leaves out', async () => {
  const { server, zone, stopped } = await startWithoutDatabase()
  const params = { organizationId: zone.organization.id }
  for (let round = 0; round < 20; round += 1)
    await Promise.all(Array.from({ length: 10 }, () => zone.manager.call('listZones', { params })))
  const seconds = (performance.now() - stopped) / 1_000
  const lines = outageLines(server.lines).map((line) => JSON.parse(line) as { omitted: number; reason: string })
  expect(lines.length).toBeLessThanOrEqual(Math.floor(seconds) + 1)
  expect(lines[0]!.reason).toMatch(/./)
})

const server = await serverForFile()

test.each(['53100', 'XX000'])(
  '[FLT-07] a full disk of the database (%s) is answered 507 with a sentence, and nothing is saved',
  async (state) => {
    const { db } = server.app
    const { organization, manager } = await server.zone()
    await sql`create function fill() returns trigger language plpgsql as $$ begin
    raise exception 'could not extend file "base/1/2": No space left on device' using errcode = ${sql.lit(state)}; end $$`.execute(db)
    await sql`create trigger fill before insert on zone for each row execute function fill()`.execute(db)
    const params = { organizationId: organization.id, location: 'North' }
    const { status, body, headers } = await manager.call('createZone', { params })
    await sql`drop function fill cascade`.execute(db)
    expect([status, headers.get('retry-after')]).toEqual([507, '60'])
    expect(body).toMatchObject({
      title: 'No space left',
      detail: 'The database has no space left. Nothing was saved. Contact the administrator of the server.',
    })
    expect((await manager.call('createZone', { params })).status).toBe(200)
  },
)
