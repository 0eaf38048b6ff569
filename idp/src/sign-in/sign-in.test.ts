import { createLocalJWKSet, decodeJwt, type JSONWebKeySet, jwtVerify } from 'jose'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import {
  authorization,
  manager,
  openSignIn,
  redeem,
  renew,
  scope,
  signIn,
  startProvider,
  type TestProvider,
  token,
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

async function verified(jwt: string, audience: string) {
  const keys = (await (await fetch(`${provider.url}/.well-known/jwks.json`)).json()) as JSONWebKeySet
  expect(keys.keys.every((key) => !('d' in key))).toBe(true)
  return jwtVerify(jwt, createLocalJWKSet(keys), { issuer: `${provider.url}/`, audience, algorithms: ['RS256'] })
}

/** Runs an act twice at once, so that both have read the stored record before either marks it as used. */
async function atOnce<T>(model: string, act: () => Promise<T>): Promise<T[]> {
  const find = provider.storage.findRecord
  const looked = Promise.withResolvers<void>()
  let looks = 0
  provider.storage.findRecord = async (of, id) => {
    const record = await find(of, id)
    if (of !== model) return record
    looks += 1
    if (looks === 2) looked.resolve()
    await looked.promise
    return record
  }
  const results = await Promise.all([act(), act()])
  provider.storage.findRecord = find
  return results
}

describe('signing in', () => {
  test('[API-IDP-01] [ACC-05] the authorize address shows the sign-in page, and ends at the application with a code', async () => {
    const person = visitor(provider.url)
    const { page, verifier } = await openSignIn(provider, person)
    expect(page).toMatch(/^\/login\/[\w-]+$/)
    const end = await person.follow(await person.submit(page, manager as never))
    const arrival = new URL(end.headers.get('location') ?? '')
    expect(arrival.origin).toBe(provider.url)
    expect(arrival.searchParams.get('state')).toBe('the-state')
    expect((await redeem(provider, arrival.searchParams.get('code') ?? '', verifier)).status).toBe(200)
  })

  test('[API-IDP-03] the access token is a JWT for the API with the permissions, the ID token names the person', async () => {
    const tokens = await signIn(provider, visitor(provider.url))
    const { payload, protectedHeader } = await verified(tokens.access_token, 'urn:lectern:api')
    expect(protectedHeader.typ).toBe('at+jwt')
    expect(payload).toMatchObject({
      sub: provider.account.id,
      permissions: manager.permissions,
      email: manager.email,
      email_verified: true,
      name: 'Maya Okafor',
    })
    expect(tokens.expires_in).toBe(3600)
    // The scope is what was asked, less what the account may not do.
    expect(new Set(tokens.scope.split(' '))).toEqual(new Set(scope.replace(' access:audit_log', '').split(' ')))
    const id = (await verified(tokens.id_token, 'lectern-web')).payload
    expect(id).toMatchObject({
      sub: provider.account.id,
      nonce: 'the-nonce',
      email: manager.email,
      email_verified: true,
      nickname: 'manager',
    })
    expect(id.name).toBe('Maya Okafor')
    expect(id.picture).toMatch(/^data:image\/svg\+xml,/)
  })

  test('[API-IDP-03] the token endpoint takes a form as well as JSON, and refuses JSON it cannot read', async () => {
    for (const as of ['form', 'json'] as const) {
      const person = visitor(provider.url)
      const { page, verifier } = await openSignIn(provider, person)
      const end = await person.follow(await person.submit(page, manager as never))
      const code = new URL(end.headers.get('location') ?? '').searchParams.get('code') ?? ''
      const fields = { grant_type: 'authorization_code', code, code_verifier: verifier, redirect_uri: `${provider.url}/` }
      expect((await token(provider, fields, as)).status).toBe(200)
      expect(await token(provider, fields, as)).toMatchObject({ status: 400, error: 'invalid_grant' })
    }
    const broken = await fetch(`${provider.url}/oauth/token`, {
      method: 'POST',
      body: '{"a":',
      headers: { 'content-type': 'application/json' },
    })
    expect([broken.status, ((await broken.json()) as { error: string }).error]).toEqual([400, 'invalid_request'])
    expect((await token(provider, { grant_type: 'authorization_code', code: 'x'.repeat(100_000) })).status).toBe(400)
  })

  test('[ACC-05] a request without PKCE is refused, and a code with the wrong verifier is', async () => {
    const { path } = authorization(provider.url)
    const bare = path.replace(/&code_challenge=[^&]*&code_challenge_method=S256/, '')
    const refused = (await visitor(provider.url).send(bare)).headers.get('location') ?? ''
    expect(new URL(refused).searchParams.get('error')).toBe('invalid_request')
    const person = visitor(provider.url)
    const { page } = await openSignIn(provider, person)
    const end = await person.follow(await person.submit(page, manager as never))
    const code = new URL(end.headers.get('location') ?? '').searchParams.get('code') ?? ''
    expect(await redeem(provider, code, 'x'.repeat(43))).toMatchObject({ status: 400, error: 'invalid_grant' })
  })

  test('of two redemptions of one code at once, one gets tokens', async () => {
    const person = visitor(provider.url)
    const { page, verifier } = await openSignIn(provider, person)
    const end = await person.follow(await person.submit(page, manager as never))
    const code = new URL(end.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const both = await atOnce('AuthorizationCode', () => redeem(provider, code, verifier))
    expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  })

  test('a code that is redeemed again ends what was granted for it', async () => {
    const person = visitor(provider.url)
    const { page, verifier } = await openSignIn(provider, person)
    const end = await person.follow(await person.submit(page, manager as never))
    const code = new URL(end.headers.get('location') ?? '').searchParams.get('code') ?? ''
    const tokens = await redeem(provider, code, verifier)
    expect((await redeem(provider, code, verifier)).error).toBe('invalid_grant')
    expect((await renew(provider, tokens.refresh_token)).error).toBe('invalid_grant')
  })

  test('each sign-in has a session of its own, and that of before is gone', async () => {
    const person = visitor(provider.url)
    await signIn(provider, person)
    const former = person.cookies.get('idp_session /')!.pair.split('=')[1]!
    // 258 bits.
    expect(former).toMatch(/^[\w-]{43}$/)
    expect([...provider.records.keys()]).toContain(`Session ${former}`)
    const { page } = await openSignIn(provider, person, { prompt: 'login' })
    await person.follow(await person.submit(page, manager as never))
    expect(person.cookies.get('idp_session /')!.pair.split('=')[1]).not.toBe(former)
    expect([...provider.records.keys()]).not.toContain(`Session ${former}`)
  })

  test('a redirect address that is not registered is refused on a page, never followed', async () => {
    const { path } = authorization(provider.url, { redirect_uri: 'https://evil.example/' })
    const answer = await visitor(provider.url).send(path, { headers: { accept: 'text/html' } })
    expect([answer.status, answer.headers.get('location')]).toEqual([400, null])
    expect(await answer.text()).toContain('Sign-in failed')
  })

  test('an audience other than the API is refused', async () => {
    const { path } = authorization(provider.url, { audience: 'urn:another:api' })
    const target = (await visitor(provider.url).send(path)).headers.get('location') ?? ''
    expect(new URL(target).searchParams.get('error')).toBe('invalid_target')
  })

  test('another account signing in within the same browser replaces the first', async () => {
    await provider.storage.createAccount({ ...provider.account, email: 'second@northfield.example' })
    const person = visitor(provider.url)
    const first = await signIn(provider, person)
    const { page, verifier } = await openSignIn(provider, person, { prompt: 'login' })
    const end = await person.follow(await person.submit(page, { email: 'second@northfield.example', password: manager.password }))
    const second = await redeem(provider, new URL(end.headers.get('location') ?? '').searchParams.get('code') ?? '', verifier)
    expect(decodeJwt(second.access_token).email).toBe('second@northfield.example')
    expect((await renew(provider, first.refresh_token)).status).toBe(400)
  })
})

describe('renewing', () => {
  test('[ACC-06] offline_access gives a refresh token that renews the access token, and rotates', async () => {
    const first = await signIn(provider, visitor(provider.url))
    const second = await renew(provider, first.refresh_token)
    expect(second.status).toBe(200)
    expect(second.refresh_token).not.toBe(first.refresh_token)
    expect(decodeJwt(second.access_token)).toMatchObject({
      sub: provider.account.id,
      aud: 'urn:lectern:api',
      permissions: manager.permissions,
    })
    expect((await renew(provider, second.refresh_token)).status).toBe(200)
  })

  test('[API-IDP-03] a refresh token used twice is refused as an invalid refresh token, and its successors die with it', async () => {
    const first = await signIn(provider, visitor(provider.url))
    const second = await renew(provider, first.refresh_token)
    const third = await renew(provider, second.refresh_token)
    const again = await renew(provider, first.refresh_token)
    expect(again).toMatchObject({ status: 400, error: 'invalid_grant' })
    expect(again.error_description).toContain('invalid refresh token')
    expect((await renew(provider, third.refresh_token)).error_description).toContain('invalid refresh token')
    expect((await renew(provider, 'never-given')).error_description).toContain('invalid refresh token')
  })

  test('without offline_access there is no refresh token', async () => {
    const person = visitor(provider.url)
    const { page, verifier } = await openSignIn(provider, person, { scope: 'openid profile email' })
    const end = await person.follow(await person.submit(page, manager as never))
    const tokens = await redeem(provider, new URL(end.headers.get('location') ?? '').searchParams.get('code') ?? '', verifier)
    expect([tokens.status, tokens.refresh_token]).toEqual([200, undefined])
  })

  test('permissions taken away are gone from the next token; a blocked account gets none', async () => {
    const created = await provider.storage.createAccount({ ...provider.account, email: 'changing@northfield.example' })
    const account = provider.accounts.get(created?.id ?? '')
    if (!account) throw new Error('no account')
    const person = visitor(provider.url)
    const first = await signIn(provider, person, { email: account.email, password: manager.password })
    account.permissions = ['manage:cfg']
    const second = await renew(provider, first.refresh_token)
    expect(decodeJwt(second.access_token).permissions).toEqual(['manage:cfg'])
    account.blocked = true
    expect((await renew(provider, second.refresh_token)).error_description).toContain('invalid refresh token')
    const { page } = await openSignIn(provider, person)
    const answer = await person.submit(page, { email: account.email, password: manager.password })
    expect(await answer.text()).toContain('This account is blocked.')
  })
})
