import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorization,
  hiddenFields,
  manager,
  openSignIn,
  redeem,
  renew,
  signIn,
  startProvider,
  type TestProvider,
  type Visitor,
  visitor,
} from '../testing/test-provider.ts'

let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider()
})
afterAll(async () => {
  await provider.close()
  expect(provider.errors.map((error) => String(error))).toEqual([])
})

/** The message of the hidden frame's page, and the verifier of its request. */
async function askSilently(person = visitor(provider.url)) {
  const { path, verifier } = authorization(provider.url, { prompt: 'none', response_mode: 'web_message' })
  const answer = await person.send(path)
  const page = await answer.text()
  const message = JSON.parse(/var data = (.*);/.exec(page)?.[1] ?? '{}') as { response: Record<string, string>; redirect_uri: string }
  return { answer, message, verifier }
}

describe('the hidden frame', () => {
  test('[API-IDP-02] with a session, prompt=none returns a code and shows no screen', async () => {
    const person = visitor(provider.url)
    await signIn(provider, person)
    const { answer, message, verifier } = await askSilently(person)
    expect(answer.status).toBe(200)
    expect(message.redirect_uri).toBe(`${provider.url}/`)
    expect(message.response.state).toBe('the-state')
    expect((await redeem(provider, message.response.code ?? '', verifier)).status).toBe(200)
  })

  test('[API-IDP-02] without a session, prompt=none returns login_required', async () => {
    const { message } = await askSilently()
    expect(message.response).toMatchObject({ error: 'login_required', state: 'the-state' })
  })

  test('[API-IDP-02] only that response may be in a frame, only in the application, and runs only its own script', async () => {
    const { answer } = await askSilently()
    const policy = answer.headers.get('content-security-policy') ?? ''
    expect(policy).toContain(`frame-ancestors 'self' ${provider.url}`)
    expect(policy).toMatch(/script-src 'sha256-[\w+/=]+'(;|$)/)
    expect(answer.headers.get('x-frame-options')).toBeNull()
    const person = visitor(provider.url)
    const page = await person.send((await openSignIn(provider, person)).page)
    expect(page.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(page.headers.get('x-frame-options')).toBe('DENY')
    expect(page.headers.get('content-security-policy')).not.toContain('unsafe')
  })
})

describe('a restart', () => {
  test('signs no one out: session, refresh token and published keys stay', async () => {
    const person = visitor(provider.url)
    const tokens = await signIn(provider, person)
    const keys = await (await fetch(`${provider.url}/.well-known/jwks.json`)).text()
    await provider.restart()
    expect(await (await fetch(`${provider.url}/.well-known/jwks.json`)).text()).toBe(keys)
    expect((await askSilently(person)).message.response.code).toBeTruthy()
    expect((await renew(provider, tokens.refresh_token)).status).toBe(200)
  })

  test('a form opened before it can be sent after it', async () => {
    const person = visitor(provider.url)
    const { page } = await openSignIn(provider, person)
    const filled = await (await person.send(page)).text()
    await provider.restart()
    const proof = /name="proof" value="([^"]*)"/.exec(filled)?.[1] ?? ''
    expect((await person.post(page, { proof, email: manager.email, password: manager.password })).status).toBe(303)
  })
})

describe('signing out', () => {
  const address = (query: Record<string, string>) => `/v2/logout?${new URLSearchParams({ client_id: 'lectern-web', ...query })}`
  const isSignedIn = async (person: Visitor) => Boolean((await askSilently(person)).message.response.code)

  test.each<Record<string, string>>([{}, { federated: '' }])(
    '[API-IDP-04] with the ID token it ends the session and what was granted in it, and returns (%o)',
    async (extra) => {
      const person = visitor(provider.url)
      const tokens = await signIn(provider, person)
      const hint = { id_token_hint: tokens.id_token }
      const answer = await person.send(address({ returnTo: `${provider.url}/goodbye`, ...hint, ...extra }))
      expect([answer.status, answer.headers.get('location')]).toEqual([303, `${provider.url}/goodbye`])
      expect((await askSilently(person)).message.response.error).toBe('login_required')
      expect((await renew(provider, tokens.refresh_token)).error_description).toContain('invalid refresh token')
    },
  )

  test('[API-IDP-04] a session copied before the sign-out is dead too', async () => {
    const [person, before] = [visitor(provider.url), [...provider.records.keys()]]
    const { id_token } = await signIn(provider, person)
    await person.send(address({ id_token_hint: id_token }))
    const left = [...provider.records.keys()].filter((key) => !before.includes(key))
    expect(left.filter((key) => /^(Session|Grant|RefreshToken|AuthorizationCode) /.test(key))).toEqual([])
  })

  test('a link from another page signs nobody out: it asks, and only its own form does', async () => {
    const person = visitor(provider.url)
    await signIn(provider, person)
    const link = address({ returnTo: `${provider.url}/goodbye` })
    const asked = await person.send(link)
    const page = await asked.text()
    expect([asked.status, page]).toEqual([200, expect.stringContaining('Sign out of Lectern?')])
    expect(page).toContain(manager.email)
    expect(await (await person.post(link, {})).text()).toContain('Sign out of Lectern?')
    expect((await person.post(link, { proof: 'x'.repeat(43) })).status).toBe(403)
    expect(await isSignedIn(person)).toBe(true)
    const answer = await person.post(link, hiddenFields(page))
    expect([answer.status, answer.headers.get('location')]).toEqual([303, `${provider.url}/goodbye`])
    expect(await isSignedIn(person)).toBe(false)
  })

  test("another person's ID token, a changed one and none of ours sign nobody out", async () => {
    await provider.storage.createAccount({ ...provider.account, email: 'other@northfield.example' })
    const stranger = await signIn(provider, visitor(provider.url), { email: 'other@northfield.example', password: manager.password })
    const person = visitor(provider.url)
    const own = await signIn(provider, person)
    const [head, , signature] = own.id_token.split('.')
    const claims = { iss: `${provider.url}/`, aud: 'lectern-web', sub: provider.account.id, iat: 1, exp: 9_999_999_999 }
    const forged = [head, Buffer.from(JSON.stringify(claims)).toString('base64url'), signature].join('.')
    for (const hint of [stranger.id_token, forged, own.access_token, 'x'])
      expect(await (await person.send(address({ id_token_hint: hint }))).text(), hint).toContain('Sign out of Lectern?')
    expect(await isSignedIn(person)).toBe(true)
  })

  test('[API-IDP-04] without a return address it goes to the first registered one', async () => {
    expect((await visitor(provider.url).send(address({}))).headers.get('location')).toBe(`${provider.url}/`)
  })

  test.each(['https://evil.example/', '//evil.example/', 'javascript:alert(1)', 'goodbye'])(
    '[API-IDP-04] a return address that is not registered is refused and ends nothing: %s',
    async (returnTo) => {
      const person = visitor(provider.url)
      const { id_token } = await signIn(provider, person)
      for (const name of ['returnTo', 'post_logout_redirect_uri']) {
        const answer = await person.send(address({ [name]: returnTo, id_token_hint: id_token }))
        expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
      }
      expect(await isSignedIn(person)).toBe(true)
    },
  )

  test('[API-IDP-04] another client id is refused', async () => {
    expect((await visitor(provider.url).send('/v2/logout?client_id=somebody')).status).toBe(400)
  })
})

describe('/userinfo', () => {
  const ask = (token: string) => fetch(`${provider.url}/userinfo`, { headers: { authorization: `Bearer ${token}` } })

  test("returns the person of an API's access token", async () => {
    const tokens = await signIn(provider, visitor(provider.url))
    const answer = await ask(tokens.access_token)
    expect(answer.status).toBe(200)
    expect(await answer.json()).toMatchObject({
      sub: provider.account.id,
      email: manager.email,
      email_verified: true,
      name: 'Maya Okafor',
      nickname: 'manager',
    })
  })

  test('refuses a token whose session has ended, a changed one and an ID token', async () => {
    const person = visitor(provider.url)
    const tokens = await signIn(provider, person)
    const [head, body, signature] = tokens.access_token.split('.') as [string, string, string]
    const claims = JSON.parse(Buffer.from(body, 'base64url').toString()) as Record<string, unknown>
    const changed = Buffer.from(JSON.stringify({ ...claims, exp: 9_999_999_999 })).toString('base64url')
    expect((await ask(`${head}.${changed}.${signature}`)).status).toBe(401)
    expect((await ask(tokens.id_token)).status).toBe(401)
    await person.send(`/v2/logout?id_token_hint=${tokens.id_token}`)
    expect((await ask(tokens.access_token)).status).toBe(401)
  })
})

test('addresses come from the public address, whatever Host header a request carries', async () => {
  const response = await visitor(provider.url).send('/.well-known/openid-configuration', {
    headers: { 'x-forwarded-host': 'evil.example' },
  })
  const discovery = (await response.json()) as Record<string, string>
  expect(discovery).toMatchObject({
    issuer: `${provider.url}/`,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/oauth/token`,
    userinfo_endpoint: `${provider.url}/userinfo`,
  })
})

test('over https cookies have the prefixes that no other host can set', async () => {
  const secure = await startProvider({ publicUrl: 'https://login.example', redirectUris: ['https://portal.example/'] })
  const { path } = authorization('https://portal.example')
  const begun = await fetch(`${secure.url}${path}`, { redirect: 'manual' })
  const page = new URL(begun.headers.get('location') ?? '', secure.url)
  const cookie = begun.headers.getSetCookie().map((line) => line.split(';')[0])
  const form = await fetch(page, { headers: { cookie: cookie.join('; ') } })
  expect(form.headers.get('cross-origin-opener-policy')).toBeNull()
  const set = [...begun.headers.getSetCookie(), ...form.headers.getSetCookie()].filter((line) => !line.includes('.sig='))
  const names = set.map((line) => line.split('=')[0])
  expect(names.sort()).toEqual(['__Host-idp_form', '__Secure-idp_interaction', '__Secure-idp_resume'])
  for (const line of set) expect(line).toMatch(/; secure; httponly/i)
  const reset = await fetch(`${secure.url}/reset-password`)
  expect([reset.headers.get('cross-origin-opener-policy'), reset.headers.get('permissions-policy')]).toEqual([
    'same-origin',
    expect.stringContaining('camera=()'),
  ])
  await secure.close()
})

test('over https the session and the known browser have them too', async () => {
  const secure = await startProvider({ publicUrl: 'https://login.example', redirectUris: ['https://login.example/'] })
  const person = visitor(secure.url)
  const { path } = authorization('https://login.example')
  const toHere = (answer: Response) => new URL(answer.headers.get('location') ?? '').pathname
  const page = (await person.send(path)).headers.get('location') ?? ''
  const hidden = hiddenFields(await (await person.send(page)).text())
  const fields = { ...hidden, email: manager.email, password: manager.password }
  const signedIn = await person.post(page, fields, { origin: 'https://login.example' })
  await person.send(toHere(signedIn))
  const names = new Set([...person.cookies.keys()].map((key) => key.replace('.sig', '')))
  expect(names).toContain('__Host-idp_session /')
  expect(names).toContain('__Host-idp_browser /')
  await secure.close()
})
