import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { authorization, openSignIn, signIn, startProvider, type TestProvider, type Tokens, visitor } from './testing/test-provider.ts'

const portal = 'https://portal.example'
const applications = [portal, 'https://other-portal.example']
/** Origins that differ from an application's by one letter, port, scheme or level, and that of a sandboxed frame. */
const strangers = ['https://evil.example', `${portal}:8443`, 'http://portal.example', 'https://www.portal.example', 'null']

let provider: TestProvider
let tokens: Tokens
beforeAll(async () => {
  // A visitor without a browser comes back to the provider's own address.
  provider = await startProvider({ logoutUris: [`${portal}/`] })
  await provider.restart({ redirectUris: [`${provider.url}/`, ...applications.map((origin) => `${origin}/`)] })
  tokens = await signIn(provider, visitor(provider.url))
})
afterAll(() => provider.close())

type Ask = (origin: string) => Promise<Response>
const get =
  (path: string, headers: Record<string, string> = {}): Ask =>
  (origin) =>
    fetch(`${provider.url}${path}`, { headers: { ...headers, origin }, redirect: 'manual' })
const post =
  (fields: Record<string, string>): Ask =>
  (origin) =>
    fetch(`${provider.url}/oauth/token`, { method: 'POST', body: new URLSearchParams(fields), headers: { origin } })
const preflight =
  (path: string, method: string, headers: string): Ask =>
  (origin) =>
    fetch(`${provider.url}${path}`, {
      method: 'OPTIONS',
      headers: { origin, 'access-control-request-method': method, 'access-control-request-headers': headers },
    })

const readable: [string, number, () => Ask][] = [
  ['keys', 200, () => get('/.well-known/jwks.json')],
  ['discovery', 200, () => get('/.well-known/openid-configuration')],
  ['/userinfo', 200, () => get('/userinfo', { authorization: `Bearer ${tokens.access_token}` })],
  ['/userinfo of an ended session', 401, () => get('/userinfo', { authorization: 'Bearer a.b.c' })],
  ['/userinfo without a token', 401, () => get('/userinfo')],
  ['the preflight of /userinfo', 204, () => preflight('/userinfo', 'GET', 'authorization')],
  ['the preflight of the token endpoint', 204, () => preflight('/oauth/token', 'POST', 'auth0-client,content-type')],
  ['a refused renewal', 400, () => post({ grant_type: 'refresh_token', client_id: 'lectern-web', refresh_token: 'never given' })],
  ['a token request without a client', 400, () => post({ grant_type: 'refresh_token' })],
]

describe.each(readable)('%s', (_, status, ask) => {
  test.each(applications)('can be read by the application at %s', async (origin) => {
    const answer = await ask()(origin)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, origin])
    expect(answer.headers.get('vary')).toMatch(/\borigin\b/i)
    expect(answer.headers.get('access-control-allow-credentials')).toBeNull()
  })

  test.each(strangers)('cannot be read at %s', async (origin) => {
    expect((await ask()(origin)).headers.get('access-control-allow-origin')).toBeNull()
  })
})

test('[API-IDP-03] a code is redeemed for an application, and for no script of a stranger', async () => {
  const [evil = ''] = strangers
  for (const [origin, status] of [
    [evil, 400],
    [portal, 200],
  ] as const) {
    const person = visitor(provider.url)
    const { page, verifier } = await openSignIn(provider, person)
    const end = await person.follow(await person.submit(page, { email: 'manager@northfield.example', password: 'lectern-demo' }))
    const code = new URL(end.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const grant = { grant_type: 'authorization_code', client_id: 'lectern-web', code, code_verifier: verifier }
    const answer = await post({ ...grant, redirect_uri: `${provider.url}/` })(origin)
    expect([answer.status, answer.headers.get('access-control-allow-origin')]).toEqual([status, origin === evil ? null : origin])
  }
})

test('nothing that a person goes to can be read by script', async () => {
  for (const path of [authorization(provider.url).path, '/v2/logout', '/login/x', '/reset-password', '/login/assets/sign-in.css'])
    expect((await get(path)(portal)).headers.get('access-control-allow-origin')).toBeNull()
})

test('[API-IDP-02] the hidden frame’s answer may provider in the application’s origins', async () => {
  const { path } = authorization(provider.url, { prompt: 'none', response_mode: 'web_message', redirect_uri: `${portal}/` })
  const answer = await visitor(provider.url).send(path)
  expect(answer.headers.get('content-security-policy')).toContain(`frame-ancestors 'self' ${provider.url} ${applications.join(' ')}`)
  expect(answer.headers.get('x-frame-options')).toBeNull()
  expect(/"redirect_uri":"([^"]*)"/.exec(await answer.text())?.[1]).toBe(`${portal}/`)
})

test('the pages lead back to the application, not to the provider’s own origin', async () => {
  const person = visitor(provider.url)
  const page = await (await person.send('/reset-password')).text()
  expect([...page.matchAll(/href="(http[^"]*)"/g)].map(([, href]) => href)).toEqual([`${portal}/`, `${portal}/`])
  expect((await person.send('/v2/logout?client_id=lectern-web')).headers.get('location')).toBe(`${portal}/`)
})
