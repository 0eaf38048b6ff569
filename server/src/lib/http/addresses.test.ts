import { expect, onTestFinished, test } from 'vitest'
import { startServer, type TestServer } from '../../testing/server.ts'

async function open(environment: Record<string, string>): Promise<TestServer> {
  const server = await startServer({ environment })
  onTestFinished(server.stop)
  return server
}

const statusesOf = (calls: number, call: (turn: number) => Promise<Response>) =>
  Promise.all(Array.from({ length: calls }, async (_, turn) => (await call(turn)).status))
const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length

test('[LMT-06] behind proxies the address that the outermost has seen counts, whatever its caller invents', async () => {
  const server = await open({ RATE_LIMIT: '20', TRUST_PROXY: '2' })
  const statuses = await statusesOf(25, (turn) =>
    server.fetch('/api/settings', { headers: { 'x-forwarded-for': `8.8.8.${turn}, 203.0.113.7, 10.0.0.1` } }),
  )
  expect([count(statuses, 200), count(statuses, 429)]).toEqual([20, 5])
  const { status } = await server.fetch('/api/settings', { headers: { 'x-forwarded-for': '203.0.113.8, 10.0.0.1' } })
  expect(status).toBe(200)
})

test('[LMT-06] the audit log has that address', async () => {
  const [proxied, direct] = [await open({ TRUST_PROXY: '1' }), await open({})]
  for (const [server, address] of [
    [proxied, '203.0.113.7'],
    [direct, '127.0.0.1'],
  ] as const) {
    const organization = await server.organization()
    const { token } = await server.person({ organization, permissions: ['manage:firmware'] })
    const { status } = await server.fetch(`/api/codedm/organization/${organization.id}/location/Ward`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'x-forwarded-for': '8.8.8.8, 203.0.113.7' },
    })
    expect(status).toBe(200)
    const entries = await server.app.db
      .selectFrom('audit_entry')
      .select('address')
      .where('organization_id', '=', organization.key)
      .execute()
    expect(entries).toEqual([{ address }])
  }
})

test('[LMT-07] the paths of the identity provider count with all others', async () => {
  const server = await open({ AUTH_DOMAIN: '', EMBEDDED_IDP: 'on', RATE_LIMIT: '20' })
  const paths = ['/authorize?client_id=none', '/login/none', '/.well-known/openid-configuration', '/userinfo', '/reset-password']
  const statuses = await statusesOf(25, (turn) => server.fetch(paths[turn % paths.length]!, { redirect: 'manual' }))
  expect(count(statuses, 429)).toBe(5)
  const refused = await server.fetch('/authorize')
  expect([refused.status, ((await refused.json()) as { detail: string }).detail]).toEqual([
    429,
    'Too many requests. Wait a moment and try again.',
  ])
  expect((await server.fetch('/api/settings')).status).toBe(429)
  expect((await server.fetch('/livez')).status).toBe(200)
})

test('[LMT-07] a sign-in that is begun and not finished is removed within an hour', async () => {
  const server = await open({ AUTH_DOMAIN: '', EMBEDDED_IDP: 'on' })
  const { publicUrl } = server.settings
  const query = new URLSearchParams({
    client_id: 'lectern-web',
    response_type: 'code',
    redirect_uri: publicUrl,
    scope: 'openid',
    state: 's',
    code_challenge: 'a'.repeat(43),
    code_challenge_method: 'S256',
  })
  const answer = await server.fetch(`/authorize?${query}`, { redirect: 'manual' })
  expect(answer.status).toBe(303)
  const { db } = server.app
  const records = () => db.selectFrom('idp_record').select(['model', 'expires_at']).execute()
  // The sweep, which runs once a minute, needs the rest.
  for (const { expires_at } of await records()) expect(expires_at!.getTime()).toBeLessThan(Date.now() + 58 * 60_000)
  expect((await records()).length).toBeGreaterThan(0)
  await db
    .updateTable('idp_record')
    .set({ expires_at: new Date(Date.now() - 1_000) })
    .execute()
  await server.app.sweep()
  expect(await records()).toEqual([])
})
