import { customerPermissions, type Permission } from '@lectern/contract/http/permissions.ts'
import { renew, signIn, token, type Visitor, visitor } from '@lectern/idp/testing/test-provider.ts'
import { decodeJwt, importJWK, type JWK, SignJWT } from 'jose'
import { sql } from 'kysely'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { recheckMs } from '../lib/http/send-events.ts'
import { embeddedForFile, password } from '../testing/embedded-server.ts'
import type { TestOrganization } from '../testing/makers.ts'
import type { TestServer } from '../testing/server.ts'
import { until } from '../testing/until.ts'
import { changeAccount, ensureAccount, listAccounts, removeAccount } from './identity.ts'
import { sessionKeptMs } from './sessions.ts'

const server = await embeddedForFile()
const other = await server.another()
const { db } = server.app

const all: Permission[] = ['manage:cfg', 'manage:firmware']

/** Somebody who has signed in, and has their browser. */
async function newcomer(organization?: TestOrganization, permissions = all) {
  const account = await server.account(permissions, organization)
  const browser = visitor(server.url)
  const tokens = await signIn(server, browser, account)
  return { ...account, browser, tokens, token: tokens.access_token }
}

type Newcomer = Awaited<ReturnType<typeof newcomer>>

async function changePassword({ browser }: { browser: Visitor }): Promise<void> {
  const fields = { current: password, password: 'another password of tests' }
  expect((await browser.submit('/change-password', fields)).status).toBe(200)
}

async function resetPassword({ browser, email }: Newcomer): Promise<void> {
  await browser.submit('/reset-password', { email })
  const find = () => db.selectFrom('idp_message').select('body').where('recipient', '=', email).executeTakeFirst()
  await until(async () => Boolean(await find()))
  const link = /\/reset-password\?token=\S+/.exec((await find())!.body)![0]
  expect((await browser.submit(link, { password: 'another password of tests' })).status).toBe(200)
}

test('[INP-02] an account is found by either form of its domain', async () => {
  const [readable, sent] = ['anna@b\u00fccher.example', 'anna@xn--bcher-kva.example']
  for (const [stored, entered] of [
    [sent, readable],
    [readable, sent],
  ]) {
    const account = await server.account(all)
    await db.updateTable('idp_account').set({ email: stored! }).where('id', '=', account.id).execute()
    const tokens = await signIn(server, visitor(server.url), { ...account, email: entered! })
    expect(decodeJwt(tokens.access_token).sub).toBe(account.id)
    await removeAccount(db, entered!)
  }
  const first = await ensureAccount(db, { email: sent, password, name: 'Anna', permissions: [] })
  expect(await ensureAccount(db, { email: readable, password, name: 'Anna', permissions: [] })).toBe(first)
  expect((await listAccounts(db)).filter(({ email }) => email.startsWith('anna@')).map(({ email }) => email)).toEqual([readable])
  await removeAccount(db, sent)
})

const ends: [string, (who: Newcomer) => Promise<unknown>][] = [
  ['a sign-out', ({ browser, tokens }) => browser.send(`/v2/logout?id_token_hint=${tokens.id_token}`)],
  ['a change of the password', changePassword],
  ['a reset of the password', resetPassword],
  ['a block', ({ email }) => changeAccount({ db, identity: db }, server.settings.auth.issuer, email, { blocked: true })],
  ['the removal of the account', ({ email }) => removeAccount(db, email)],
  ['the theft of a refresh token', steal],
]

async function steal({ tokens }: Newcomer): Promise<void> {
  const { refresh_token } = await renew(server, tokens.refresh_token)
  await renew(server, refresh_token)
  expect((await renew(server, tokens.refresh_token)).status).toBe(400)
}

const scope = 'openid profile email offline_access'
const refreshAt = ({ url }: TestServer, refresh_token: string) =>
  token({ url }, { grant_type: 'refresh_token', refresh_token, scope, audience: 'urn:lectern:api' }, 'json', { origin: server.url })

const ask = (at: TestServer, token: string) => at.call('getCurrentUser', {}, { token })

/** Follows a rollout's stream. `ended` settles when the server ends it. */
async function follow(at: TestServer, { id }: TestOrganization, rollout: string, token: string) {
  const response = await at.fetch(`/api/codedm/organization/${id}/rollouts/${rollout}/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  return { status: response.status, ended: response.text() }
}

async function publish(organization: TestOrganization, token: string): Promise<string> {
  const params = { organizationId: organization.id, location: `Zone ${uuidv7()}` }
  const { body: zone } = await server.call('createZone', { params }, { token })
  const rollout = uuidv7()
  const place = { organizationId: organization.id, location: zone.id, device: 'CR2700' }
  const answer = await server.call('publishCfg', { params: place, body: { cfg: '<cfg></cfg>', rollout } }, { token })
  expect(answer.status).toBe(200)
  return rollout
}

describe.concurrent('access ends', () => {
  test.for(ends)('[SES-01] after %s every server refuses the old access token', async ([, end]) => {
    const who = await newcomer()
    for (const each of [server, other]) expect((await ask(each, who.token)).status).toBe(200)
    await end(who)
    for (const each of [server, other]) {
      await until(async () => (await ask(each, who.token)).status === 401)
      expect((await ask(each, who.token)).problem.detail).toBe('The session has ended. Sign in again.')
    }
  })

  test('[SES-01] an event stream ends with the session it was opened in, at every server', async () => {
    const organization = await server.organization()
    const [who, colleague] = [await newcomer(organization), await newcomer(organization)]
    const rollout = await publish(organization, who.token)
    const streams = [await follow(server, organization, rollout, who.token), await follow(other, organization, rollout, who.token)]
    const stays = await follow(server, organization, rollout, colleague.token)
    expect([...streams, stays].map(({ status }) => status)).toEqual([200, 200, 200])
    await who.browser.send(`/v2/logout?id_token_hint=${who.tokens.id_token}`)
    for (const { ended } of streams) expect(await ended).toContain('event: rollout')
    expect(await Promise.race([stays.ended, 'still open'])).toBe('still open')
    expect((await follow(other, organization, rollout, who.token)).status).toBe(401)
  })

  test('[SES-01] an event stream ends with the membership', async () => {
    const organization = await server.organization()
    const who = await newcomer(organization)
    const rollout = await publish(organization, who.token)
    const { ended } = await follow(server, organization, rollout, who.token)
    await db
      .deleteFrom('member')
      .where('organization_id', '=', organization.key)
      .where('user_id', '=', sql<string>`(select id from "user" where subject = ${who.id})`)
      .execute()
    expect(await ended).toContain('event: rollout')
    expect((await follow(server, organization, rollout, who.token)).status).toBe(404)
  })

  test('[SES-01] what a role no longer permits is refused, and streams are opened anew', async () => {
    const organization = await server.organization()
    const who = await newcomer(organization)
    const rollout = await publish(organization, who.token)
    const { ended } = await follow(server, organization, rollout, who.token)
    const create = (at: TestServer) =>
      at.call('createZone', { params: { organizationId: organization.id, location: `Zone ${uuidv7()}` } }, { token: who.token })
    const manager = await server.account([...customerPermissions], organization)
    const { access_token } = await signIn(server, visitor(server.url), manager)
    const params = { organizationId: organization.id, memberId: who.userId }
    expect((await server.call('changeMemberRole', { params, body: { roleId: 'viewer' } }, { token: access_token })).status).toBe(200)
    expect(await ended).toContain('event: rollout')
    for (const each of [server, other]) await until(async () => (await create(each)).status === 403)
    expect((await follow(server, organization, rollout, who.token)).status).toBe(200)
  })

  test('[SES-01] provider-wide permissions that are taken away are gone from the old token; those that are given are not in it', async () => {
    const [one, more]: Permission[] = ['global:access:analytics', 'global:access:organizations']
    const staff = await newcomer(undefined, [one!])
    const permissionsAt = async (at: TestServer) => (await ask(at, staff.token)).body.permissions
    expect(await permissionsAt(other)).toEqual([one])
    await changeAccount({ db, identity: db }, server.settings.auth.issuer, staff.email, { permissions: [one!, more!] })
    expect(await permissionsAt(other)).toEqual([one])
    await changeAccount({ db, identity: db }, server.settings.auth.issuer, staff.email, { permissions: [more!] })
    for (const each of [server, other]) await until(async () => (await permissionsAt(each)).length === 0)
  })

  test('the access token of a sign-in that is too long ago is refused before it expires', async () => {
    const who = await newcomer()
    await sql`update idp_record set expires_at = now() where model = 'Grant' and payload ->> 'accountId' = ${who.id}`.execute(db)
    await until(async () => (await ask(server, who.token)).status === 401)
  })

  test('[SES-10] a refresh whose answer was lost is repeated at another server, and a later one there ends the family', async () => {
    const who = await newcomer()
    const { tokens } = who
    const lost = await renew(server, tokens.refresh_token)
    const again = await refreshAt(other, tokens.refresh_token)
    expect([again.status, again.refresh_token]).toEqual([200, lost.refresh_token])
    await sql`update idp_record set consumed_at = consumed_at - interval '31 seconds' where id = ${tokens.refresh_token}`.execute(db)
    expect((await refreshAt(other, tokens.refresh_token)).status).toBe(400)
    expect((await renew(server, again.refresh_token)).status).toBe(400)
    await until(async () => (await ask(server, who.token)).status === 401)
  })
})

test('a token of the embedded provider that is no access token is refused', async () => {
  const who = await newcomer()
  const { jwk } = await db.selectFrom('idp_key').select('jwk').executeTakeFirstOrThrow()
  const sign = async (typ: string) =>
    new SignJWT(decodeJwt(who.token)).setProtectedHeader({ alg: 'RS256', typ }).sign(await importJWK(jwk as JWK, 'RS256'))
  expect((await ask(server, await sign('at+jwt'))).status).toBe(200)
  expect((await ask(server, await sign('JWT'))).status).toBe(401)
  expect((await ask(server, who.tokens.id_token)).status).toBe(401)
})

test('[SES-01] what servers remember and how often they look adds up to less than five seconds', () => {
  expect(sessionKeptMs + recheckMs).toBeLessThanOrEqual(4_000)
})
