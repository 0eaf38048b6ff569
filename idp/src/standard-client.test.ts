import * as oidc from 'openid-client'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { manager, startProvider, type TestProvider, type Visitor, visitor } from './testing/test-provider.ts'

let provider: TestProvider
let client: oidc.Configuration
beforeAll(async () => {
  provider = await startProvider()
  client = await oidc.discovery(new URL(provider.url), 'lectern-web', undefined, oidc.None(), { execute: [oidc.allowInsecureRequests] })
})
afterAll(async () => {
  await provider.close()
  expect(provider.errors.map((error) => String(error))).toEqual([])
})

const audience = { audience: 'urn:lectern:api' }

async function signIn(person: Visitor, extra: Record<string, string> = {}) {
  const pkceCodeVerifier = oidc.randomPKCECodeVerifier()
  const [expectedState, expectedNonce] = [oidc.randomState(), oidc.randomNonce()]
  const address = oidc.buildAuthorizationUrl(client, {
    redirect_uri: `${provider.url}/`,
    scope: 'openid profile email offline_access',
    ...audience,
    ...extra,
    code_challenge: await oidc.calculatePKCECodeChallenge(pkceCodeVerifier),
    code_challenge_method: 'S256',
    state: expectedState,
    nonce: expectedNonce,
  })
  const page = (await person.send(address.href)).headers.get('location') ?? ''
  const end = await person.follow(await person.submit(page, { email: manager.email, password: manager.password }))
  const arrival = new URL(end.headers.get('location') ?? '')
  return oidc.authorizationCodeGrant(client, arrival, { pkceCodeVerifier, expectedState, expectedNonce, idTokenExpected: true })
}

const findSession = async (person: Visitor): Promise<boolean> => {
  const silent = { response_type: 'code', prompt: 'none', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
  const address = oidc.buildAuthorizationUrl(client, { redirect_uri: `${provider.url}/`, scope: 'openid', ...audience, ...silent })
  return new URL((await person.send(address.href)).headers.get('location') ?? '').searchParams.has('code')
}

test('[SES-08] discovery lists what is served and no more', async () => {
  expect(await (await fetch(`${provider.url}/.well-known/openid-configuration`)).json()).toEqual({
    issuer: `${provider.url}/`,
    authorization_endpoint: `${provider.url}/authorize`,
    token_endpoint: `${provider.url}/oauth/token`,
    revocation_endpoint: `${provider.url}/oauth/revoke`,
    userinfo_endpoint: `${provider.url}/userinfo`,
    jwks_uri: `${provider.url}/.well-known/jwks.json`,
    end_session_endpoint: `${provider.url}/v2/logout`,
    response_types_supported: ['code'],
    response_modes_supported: ['form_post', 'fragment', 'query', 'web_message'],
    grant_types_supported: ['authorization_code', 'refresh_token'],
    scopes_supported: ['openid', 'profile', 'email', 'offline_access'],
    claims_supported: ['sub', 'name', 'nickname', 'picture', 'email', 'email_verified', 'acr', 'sid', 'auth_time', 'iss'],
    acr_values_supported: ['phr'],
    claim_types_supported: ['normal'],
    claims_parameter_supported: false,
    request_uri_parameter_supported: false,
    code_challenge_methods_supported: ['S256'],
    subject_types_supported: ['public'],
    token_endpoint_auth_methods_supported: ['none'],
    id_token_signing_alg_values_supported: ['RS256'],
    authorization_response_iss_parameter_supported: true,
  })
})

test('[SES-08] a standard client signs in with PKCE, refreshes and signs out', async () => {
  const person = visitor(provider.url)
  const tokens = await signIn(person)
  expect(tokens.claims()).toMatchObject({ sub: provider.account.id, email: manager.email })
  expect(await oidc.fetchUserInfo(client, tokens.access_token, provider.account.id)).toMatchObject({ email: manager.email })
  const renewed = await oidc.refreshTokenGrant(client, tokens.refresh_token ?? '', audience)
  expect(renewed.refresh_token).not.toBe(tokens.refresh_token)
  const away = oidc.buildEndSessionUrl(client, {
    id_token_hint: renewed.id_token ?? '',
    post_logout_redirect_uri: `${provider.url}/goodbye`,
    state: 'the-end',
  })
  const answer = await person.send(away.href)
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${provider.url}/goodbye?state=the-end`])
  expect(await findSession(person)).toBe(false)
  await expect(oidc.refreshTokenGrant(client, renewed.refresh_token ?? '', audience)).rejects.toMatchObject({ error: 'invalid_grant' })
})

test('[SES-08] a standard client may sign out by POST, and revokes a refresh token', async () => {
  const person = visitor(provider.url)
  const tokens = await signIn(person)
  await oidc.tokenRevocation(client, tokens.refresh_token ?? '')
  await expect(oidc.refreshTokenGrant(client, tokens.refresh_token ?? '', audience)).rejects.toMatchObject({ error: 'invalid_grant' })
  const form = { id_token_hint: tokens.id_token ?? '', post_logout_redirect_uri: `${provider.url}/` }
  const answer = await person.post('/v2/logout', form, { origin: 'https://elsewhere.example' })
  expect([answer.status, answer.headers.get('location')]).toEqual([303, `${provider.url}/`])
  expect(await findSession(person)).toBe(false)
})

test.each(['form_post', 'fragment', 'query'])('[SES-08] a code comes back by %s, as discovery says', async (mode) => {
  const person = visitor(provider.url)
  await signIn(person)
  const silent = { response_type: 'code', prompt: 'none', code_challenge: 'x'.repeat(43), code_challenge_method: 'S256' }
  const parameters = { redirect_uri: `${provider.url}/`, scope: 'openid', response_mode: mode, ...audience, ...silent }
  const answer = await person.send(oidc.buildAuthorizationUrl(client, parameters).href)
  const code = { form_post: /name="code" value="[\w-]+"/, fragment: /#code=[\w-]+/, query: /\?code=[\w-]+/ }[mode]
  expect(mode === 'form_post' ? await answer.text() : answer.headers.get('location')).toMatch(code!)
})

test.each(['id_token', 'code id_token', 'none', 'token'])('[SES-08] what discovery does not list is refused: %s', async (type) => {
  const parameters = { redirect_uri: `${provider.url}/`, scope: 'openid', response_type: type, nonce: 'a', ...audience }
  const answer = await visitor(provider.url).send(oidc.buildAuthorizationUrl(client, parameters).href)
  const target = new URL((answer.headers.get('location') ?? provider.url).replace('#', '?'), provider.url)
  expect(target.searchParams.get('error')).toMatch(/^unsupported_response_type$|^invalid_request$/)
})
