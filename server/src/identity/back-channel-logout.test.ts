import { authorization, hiddenFields, type Visitor, visitor } from '@lectern/idp/testing/test-provider.ts'
import { decodeJwt } from 'jose'
import { uuidv7 } from 'uuidv7'
import { afterAll, describe, expect, test } from 'vitest'
import { startHostedProvider } from '../testing/hosted-provider.ts'
import { startServer, type TestServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'

const logoutEvent = { 'http://schemas.openid.net/event/backchannel-logout': {} }

/** A hosted provider, and two servers on one database that have their tokens from it. */
async function start(namesSession: boolean) {
  let server: TestServer | undefined
  const hosted = await startHostedProvider({ portal: () => server!.url, namesSession })
  const environment = { AUTH_DOMAIN: hosted.url }
  server = await startServer({ environment })
  const other = await startServer({ environment, databaseUrl: server.databaseUrl })
  afterAll(async () => {
    await other.stop()
    await server?.stop()
    await hosted.close()
  })
  return { hosted, server, other }
}

async function signIn(issuer: string, browser: Visitor, name: string) {
  const { path, verifier } = authorization('http://127.0.0.1', { scope: 'openid' })
  const go = async (answer: Response): Promise<URL> => {
    const target = new URL(answer.headers.get('location') ?? '', issuer)
    if (target.port === '') return target
    if (!target.pathname.startsWith('/interaction/')) return go(await browser.send(target.href))
    const prompt = /name="prompt" value="(\w+)"/.exec(await (await browser.send(target.href)).text())![1]!
    return go(await browser.post(target.href, { prompt, login: name, password: 'any' }))
  }
  const arrival = await go(await browser.send(path.replace('/authorize', '/auth')))
  const code = arrival.searchParams.get('code') ?? ''
  const form = {
    grant_type: 'authorization_code',
    client_id: 'lectern-web',
    code,
    code_verifier: verifier,
    redirect_uri: 'http://127.0.0.1/',
  }
  const answer = await fetch(`${issuer}token`, { method: 'POST', body: new URLSearchParams(form) })
  return (await answer.json()) as { access_token: string; id_token: string }
}

async function signOut(browser: Visitor, idToken: string): Promise<void> {
  const asked = await (await browser.send(`/session/end?id_token_hint=${idToken}`)).text()
  await browser.post('/session/end/confirm', { ...hiddenFields(asked.replaceAll('"/>', '">')), logout: 'yes' })
}

const statusAt = async (server: TestServer, token: string) => (await server.call('getCurrentUser', {}, { token })).status
const send = (server: TestServer, token: string) =>
  server.fetch('/backchannel-logout', { method: 'POST', body: new URLSearchParams({ logout_token: token }) })

describe.for([
  ['name their session', true],
  ['do not', false],
] as const)('a hosted provider whose access tokens %s', async ([, namesSession]) => {
  const { hosted, server, other } = await start(namesSession)

  test('[SES-01] says by back-channel logout that a session has ended, and every server refuses its tokens', async () => {
    const [one, two] = [visitor(hosted.url), visitor(hosted.url)]
    const [first, second] = [await signIn(hosted.url, one, 'mia'), await signIn(hosted.url, two, 'mia')]
    const colleague = await signIn(hosted.url, visitor(hosted.url), 'ben')
    for (const each of [server, other])
      for (const { access_token } of [first, second, colleague]) expect(await statusAt(each, access_token)).toBe(200)
    await signOut(one, first.id_token)
    expect(hosted.errors).toEqual([])
    for (const each of [server, other]) await until(async () => (await statusAt(each, first.access_token)) === 401)
    // Where tokens name no session, the person's other browsers renew their tokens.
    for (const each of [server, other]) {
      expect(await statusAt(each, second.access_token)).toBe(namesSession ? 200 : 401)
      expect(await statusAt(each, colleague.access_token)).toBe(200)
    }
  })

  if (!namesSession) return
  test('[SES-01] may name the session alone, which ends, and the person’s other goes on', async () => {
    const [first, second] = [await signIn(hosted.url, visitor(hosted.url), 'leo'), await signIn(hosted.url, visitor(hosted.url), 'leo')]
    const { sid } = decodeJwt(first.access_token)
    const logout = { iss: hosted.url, aud: 'lectern-web', jti: uuidv7(), sid, events: logoutEvent }
    const now = Math.floor(Date.now() / 1_000)
    expect((await send(server, await hosted.sign({ ...logout, iat: now, exp: now + 120 }))).status).toBe(200)
    for (const each of [server, other]) {
      await until(async () => (await statusAt(each, first.access_token)) === 401)
      expect(await statusAt(each, second.access_token)).toBe(200)
    }
  })
})

describe('a logout token', async () => {
  const { hosted, server } = await start(false)
  const now = () => Math.floor(Date.now() / 1_000)
  const claims = (parts: object = {}) => ({
    iss: hosted.url,
    aud: 'lectern-web',
    iat: now(),
    exp: now() + 120,
    jti: uuidv7(),
    sub: 'zoe',
    events: logoutEvent,
    ...parts,
  })

  test('[SES-01] of a subject ends all that it began until then, and is taken once', async () => {
    const { access_token } = await signIn(hosted.url, visitor(hosted.url), 'zoe')
    expect(await statusAt(server, access_token)).toBe(200)
    const token = await hosted.sign(claims())
    const answer = await send(server, token)
    expect([answer.status, answer.headers.get('cache-control'), await answer.text()]).toEqual([200, 'no-store', ''])
    await until(async () => (await statusAt(server, access_token)) === 401)
    const again = await send(server, token)
    expect([again.status, await again.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The logout token was used before.' },
    ])
  })

  test('leaves what began after it', async () => {
    const { access_token } = await signIn(hosted.url, visitor(hosted.url), 'ada')
    expect((await send(server, await hosted.sign(claims({ sub: 'ada', iat: now() - 30 })))).status).toBe(200)
    expect(await statusAt(server, access_token)).toBe(200)
  })

  test.for<[string, object, { typ?: string }?]>([
    ['without events', { events: undefined }],
    ['with another event', { events: { 'https://evil.example/event': {} } }],
    ['with an event that is no object', { events: { 'http://schemas.openid.net/event/backchannel-logout': 'yes' } }],
    ['with a nonce', { nonce: 'n' }],
    ['without an id', { jti: undefined }],
    ['without subject and session', { sub: undefined }],
    ['for another client', { aud: 'somebody' }],
    ['for the API', { aud: 'urn:lectern:test' }],
    ['of another issuer', { iss: 'https://evil.example/' }],
    ['that has expired', { iat: now() - 300, exp: now() - 180 }],
    ['that never expires', { exp: undefined }],
    ['without the time of its making', { iat: undefined }],
    ['of the future', { iat: now() + 3_600, exp: now() + 7_200 }],
    ['that is an access token', {}, { typ: 'at+jwt' }],
  ])('[SES-01] %s ends nothing', async ([, parts, header]) => {
    const { access_token } = await signIn(hosted.url, visitor(hosted.url), 'eva')
    const answer = await send(server, await hosted.sign(claims({ sub: 'eva', ...parts }), header))
    expect([answer.status, await answer.json()]).toEqual([
      400,
      { error: 'invalid_request', error_description: 'The logout token is not valid.' },
    ])
    expect(await server.app.db.selectFrom('ended_session').selectAll().where('subject', '=', 'eva').execute()).toEqual([])
    expect(await statusAt(server, access_token)).toBe(200)
  })

  test('[SES-01] with a changed signature, an ID token, no token and a JSON body end nothing', async () => {
    const { id_token } = await signIn(hosted.url, visitor(hosted.url), 'eva')
    const token = await hosted.sign(claims({ sub: 'eva' }))
    const changed = `${token.slice(0, -8)}${token.endsWith('AAAAAAAA') ? 'BBBBBBBB' : 'AAAAAAAA'}`
    for (const one of [changed, id_token, 'x', '']) expect((await send(server, one)).status).toBe(400)
    const json = { method: 'POST', body: JSON.stringify({ logout_token: token }), headers: { 'content-type': 'application/json' } }
    expect((await server.fetch('/backchannel-logout', json)).status).toBe(400)
  })
})

test('the embedded provider needs no such address', async () => {
  const server = await startServer({ environment: { AUTH_DOMAIN: '', EMBEDDED_IDP: 'on' } })
  afterAll(server.stop)
  expect((await send(server, 'x')).status).toBe(404)
})
