import { randomUUID } from 'node:crypto'
import { createServer } from 'node:http'
import type { AddressInfo } from 'node:net'
import { generateKeyPair, type JWTPayload, SignJWT } from 'jose'
import { expect, onTestFinished, test } from 'vitest'
import { signToken, startIssuer, testAudience } from '../testing/issuer.ts'
import { serverForFile, startServer } from '../testing/server.ts'

const server = await serverForFile()
const { issuer } = server
const now = () => Math.floor(Date.now() / 1000)
const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url')

/** Claims of a token that would be good, were it signed well. */
const claims = (parts: JWTPayload = {}): JWTPayload => ({
  iss: issuer.url,
  aud: testAudience,
  sub: randomUUID(),
  email: 'somebody@people.example',
  iat: now(),
  exp: now() + 60,
  ...parts,
})
const status = async (token: string) => (await server.call('getCurrentUser', {}, { token })).status

test('[PPL-01] accepts a token of the issuer and knows the person', async () => {
  const organization = await server.organization()
  const person = await server.person({ organization, permissions: ['manage:cfg'], email: 'mia@people.example' })
  const { status, body } = await person.call('getCurrentUser')
  expect(status).toBe(200)
  expect(body).toEqual({
    userId: 'mia@people.example',
    email: 'mia@people.example',
    organizationId: [organization.id],
    organizations: [{ id: organization.id, name: organization.name, role: { roleId: expect.any(String), name: 'manage:cfg' } }],
    permissions: ['manage:cfg'],
    group: { gid: organization.groupId, name: `${organization.name} Products`, products: [] },
    phone: null,
    countryCode: null,
    firstName: null,
    lastName: null,
  })
})

test('[PER-01] the first organization is the one joined first', async () => {
  const [second, first] = [await server.organization(), await server.organization()]
  const person = await server.person({ organization: second })
  const membership = { organization_id: first.key, user_id: person.userId, group_id: first.groupId, joined_at: new Date(0) }
  await server.app.db.insertInto('member').values(membership).execute()
  const { body } = await person.call('getCurrentUser')
  expect(body.organizationId).toEqual([first.id, second.id])
  expect(body.group?.gid).toBe(first.groupId)
})

test('[PER-19] refuses a token signed by another key', async () => {
  const stranger = await startIssuer()
  onTestFinished(stranger.close)
  expect(await status(await stranger.token('x', claims()))).toBe(401)
  const { privateKey } = await generateKeyPair('RS256')
  expect(await status(await signToken(privateKey, claims()))).toBe(401)
})

test('[PER-19] refuses a token without a signature, one signed by a shared secret, and one that was changed', async () => {
  expect(await status(`${encoded({ alg: 'none' })}.${encoded(claims())}.`)).toBe(401)
  const secret = new SignJWT(claims()).setProtectedHeader({ alg: 'HS256', kid: 'test' })
  expect(await status(await secret.sign(Buffer.alloc(32, 'public key')))).toBe(401)
  const [header, , signature] = (await issuer.token('x', claims())).split('.')
  expect(await status(`${header}.${encoded(claims({ permissions: ['manage:cfg'] }))}.${signature}`)).toBe(401)
  for (const token of ['x', 'a.b.c', '..', 'e30.e30.e30']) expect(await status(token)).toBe(401)
})

test.for<[string, JWTPayload]>([
  ['another issuer', { iss: 'https://elsewhere.example/' }],
  ['the issuer without its slash', { iss: issuer.url.slice(0, -1) }],
  ['another audience', { aud: 'urn:other:api' }],
  ['no audience', { aud: undefined }],
  ['no expiry', { exp: undefined }],
  ['a time to begin that lies ahead', { nbf: now() + 600 }],
  ['no subject', { sub: undefined }],
  ['an empty subject', { sub: '' }],
  ['permissions that are no list', { permissions: 'manage:cfg' }],
])('[PER-19] refuses a token of %s', async ([, parts]) => {
  const { status, problem } = await server.call('getCurrentUser', {}, { token: await issuer.token('x', claims(parts)) })
  expect([status, problem.detail]).toEqual([401, 'The access token is not valid. Sign in again.'])
})

test('[PER-19] refuses a token that is written in another way than it was given out', async () => {
  const token = await issuer.token(randomUUID(), claims())
  // 256 bytes leave four bits of the last letter unused.
  const other = token.slice(0, -1) + { A: 'B', Q: 'R', g: 'h', w: 'x' }[token.at(-1) as 'A']
  for (const written of [`${token}=`, `${token}==`, other]) expect(await status(written)).toBe(401)
  expect(await status(token)).toBe(200)
})

test('[PER-19] refuses an ID token: it is made for the web app, not for the API', async () => {
  expect(await status(await issuer.token('x', claims({ aud: server.settings.auth.clientId, nonce: 'n' })))).toBe(401)
})

test('[PER-19] an expired session is reported as expired', async () => {
  const { status, problem } = await server.call('getCurrentUser', {}, { token: await issuer.token('x', claims({ exp: now() - 1 })) })
  expect([status, problem.detail]).toEqual([401, 'The session has expired. Sign in again.'])
})

test('[PER-19] a token that was accepted is refused from its expiry on', async () => {
  const token = await issuer.token(randomUUID(), claims({ exp: now() + 3 }))
  expect([await status(token), await status(token)]).toEqual([200, 200])
  await expect.poll(() => status(token)).toBe(401)
})

test('[PPL-01] provider-wide permissions are those of this token, not of an earlier one', async () => {
  const { subject, call } = await server.person({ permissions: ['global:access:analytics'] })
  expect((await call('getCurrentUser')).body.permissions).toEqual(['global:access:analytics'])
  const { body } = await server.call('getCurrentUser', {}, { token: await issuer.token(subject, {}) })
  expect(body.permissions).toEqual([])
})

test('a person is an issuer and a subject: an e-mail that changes hands over no account', async () => {
  const organization = await server.organization()
  const owner = await server.person({ organization, email: 'wanted@people.example' })
  const thief = await issuer.token(randomUUID(), { email: 'wanted@people.example', email_verified: true })
  const stolen = await server.call('getCurrentUser', {}, { token: thief })
  expect(stolen.body).toMatchObject({ email: 'wanted@people.example', organizationId: [] })

  const renamed = await issuer.token(owner.subject, { email: 'renamed@people.example' })
  const { body } = await server.call('getCurrentUser', {}, { token: renamed })
  expect(body).toMatchObject({ userId: 'renamed@people.example', email: 'renamed@people.example', organizationId: [organization.id] })
})

test('a subject of another issuer is another person', async () => {
  const organization = await server.organization()
  const { userId, subject, email } = await server.person({ organization })
  await server.app.db.updateTable('user').set({ issuer: 'https://other.example/' }).where('id', '=', userId).execute()
  const { body } = await server.call('getCurrentUser', {}, { token: await issuer.token(subject, { email, email_verified: true }) })
  expect(body).toMatchObject({ email, organizationId: [] })
})

test('an e-mail that the token lacks comes from userinfo, once', async () => {
  const subject = randomUUID()
  issuer.people.set(subject, { email: 'asked@people.example', email_verified: true })
  const token = await issuer.token(subject)
  for (let turn = 0; turn < 2; turn++) expect((await server.call('getCurrentUser', {}, { token })).body.email).toBe('asked@people.example')
  expect(issuer.asked.filter((asked) => asked === subject)).toHaveLength(1)
  const row = server.app.db.selectFrom('user').select('email_verified').where('subject', '=', subject)
  expect(await row.executeTakeFirst()).toEqual({ email_verified: true })
})

test('a person whom the issuer no longer knows is refused with a readable problem', async () => {
  const { status, problem } = await server.call('getCurrentUser', {}, { token: await issuer.token(randomUUID()) })
  expect([status, problem.detail]).toEqual([401, 'The identity provider no longer knows this session. Sign in again.'])
})

test('twenty first calls of one person add one', async () => {
  const token = await issuer.token(randomUUID(), { email: 'eager@people.example' })
  const answers = await Promise.all(Array.from({ length: 20 }, () => server.call('getCurrentUser', {}, { token })))
  expect(new Set(answers.map(({ status }) => status))).toEqual(new Set([200]))
})

test('an issuer that fails is not blamed on the caller, and is asked again', async () => {
  let status = 500
  const failing = createServer((request, response) => {
    const url = `http://${request.headers.host}`
    const discovery = JSON.stringify({ issuer: `${url}/`, jwks_uri: `${url}/keys`, userinfo_endpoint: `${url}/userinfo` })
    response.writeHead(request.url === '/keys' ? 500 : status, { 'content-type': 'application/json' }).end(discovery)
  })
  await new Promise<void>((resolve) => failing.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void failing.close())
  const address = `http://127.0.0.1:${(failing.address() as AddressInfo).port}`
  const portal = await startServer({ environment: { AUTH_DOMAIN: address } })
  onTestFinished(portal.stop)
  const token = await issuer.token('x', claims({ iss: `${address}/` }))
  const refusal = async () => {
    const { status, problem } = await portal.call('getCurrentUser', {}, { token })
    return [status, problem.detail]
  }
  const unreachable = [503, 'The identity provider does not respond.']
  expect(await refusal()).toEqual(unreachable)
  status = 200
  expect(await refusal()).toEqual(unreachable)
})

test.for<[string | undefined, string | string[], number]>([
  [undefined, testAudience, 200],
  ['JWT', testAudience, 200],
  ['JWT', [testAudience, 'https://login.example/userinfo'], 200],
  ['at+jwt', [testAudience, 'lectern-web'], 200],
  ['application/at+jwt', testAudience, 200],
  ['JWT', [testAudience, 'lectern-web'], 401],
  [undefined, ['lectern-web', testAudience], 401],
  ['logout+jwt', testAudience, 401],
  ['dpop+jwt', testAudience, 401],
])('a token of the type %s for %s is an access token, or none', async ([typ, aud, expected]) => {
  expect(await status(await issuer.token(randomUUID(), claims({ aud }), typ))).toBe(expected)
})

test('a provider whose documents name another issuer stops the start', async () => {
  const documents = createServer((_request, response) =>
    response.end(JSON.stringify({ issuer: issuer.url, jwks_uri: `${issuer.url}keys`, userinfo_endpoint: `${issuer.url}userinfo` })),
  )
  await new Promise<void>((resolve) => documents.listen(0, '127.0.0.1', resolve))
  onTestFinished(() => void documents.close())
  const url = `http://127.0.0.1:${(documents.address() as AddressInfo).port}`
  await expect(startServer({ environment: { AUTH_DOMAIN: url } })).rejects.toThrow(
    `AUTH_DOMAIN: ${url}/.well-known/openid-configuration is of the issuer ${issuer.url}, not of ${url}/`,
  )
})
