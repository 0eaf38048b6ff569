import { createPasskey, readOptions } from '@lectern/idp/testing/authenticator.ts'
import { hiddenFields, openSignIn, redeem, renew, signIn, type Visitor, visitor } from '@lectern/idp/testing/test-provider.ts'
import { uuidv7 } from 'uuidv7'
import { describe, expect, test } from 'vitest'
import { embeddedForFile, password } from '../testing/embedded-server.ts'
import type { TestOrganization } from '../testing/makers.ts'
import { until } from '../testing/until.ts'

const server = await embeddedForFile()
const other = await server.another()
const { db } = server.app

type Passkey = ReturnType<typeof createPasskey>
type Fields = (html: string) => Record<string, string>

const fill = async (browser: Visitor, page: string, fields: Fields) => {
  const html = await (await browser.send(page)).text()
  return browser.post(page, { ...hiddenFields(html), ...fields(html) })
}

/** Goes to where the sign-in with this passkey leads, and what redeems it. */
async function useAtSignIn(browser: Visitor, passkey: Passkey) {
  const { verifier, page } = await openSignIn(server, browser, { prompt: 'login' })
  const answer = await fill(browser, `${page}/passkey`, (html) => ({ response: passkey.use(readOptions(html)) }))
  return { verifier, answer }
}

async function signInBy(passkey: Passkey) {
  const browser = visitor(server.url)
  const { verifier, answer } = await useAtSignIn(browser, passkey)
  const end = await browser.follow(answer)
  const code = new URL(end.headers.get('location') ?? '', server.url).searchParams.get('code') ?? ''
  return { browser, tokens: await redeem(server, code, verifier) }
}

/** An owner with a passkey, and a thief with the passkey's device, who has signed in with it and is half-way through a second sign-in. */
async function robbed() {
  const organization = await server.organization()
  const account = await server.account(['manage:cfg', 'manage:firmware'], organization)
  const browser = visitor(server.url)
  const tokens = await signIn(server, browser, account)
  const passkey = createPasskey(server.url)
  const added = await fill(browser, '/passkeys', (html) => ({ action: 'add', response: passkey.register(readOptions(html)) }))
  expect(added.status).toBe(303)
  const thief = await signInBy(passkey)
  const second = visitor(server.url)
  const halfway = await useAtSignIn(second, passkey)
  return { organization, account, owner: { browser, tokens }, passkey, thief, second, halfway }
}
type Robbed = Awaited<ReturnType<typeof robbed>>

async function follow({ id }: TestOrganization, token: string) {
  const { body: zone } = await server.call('createZone', { params: { organizationId: id, location: `Zone ${uuidv7()}` } }, { token })
  const rollout = uuidv7()
  const params = { organizationId: id, location: zone.id, device: 'CR2700' }
  await server.call('publishCfg', { params, body: { cfg: '<cfg></cfg>', rollout } }, { token })
  const response = await other.fetch(`/api/codedm/organization/${id}/rollouts/${rollout}/events`, {
    headers: { authorization: `Bearer ${token}` },
  })
  expect(response.status).toBe(200)
  return { ended: response.text() }
}

const ask = (at: typeof other, token: string) => at.call('getCurrentUser', {}, { token })

const remove = async ({ owner: { browser }, account }: Robbed) => {
  const { id } = await db.selectFrom('idp_passkey').select('id').where('account_id', '=', account.id).executeTakeFirstOrThrow()
  expect((await fill(browser, '/passkeys', () => ({ action: 'remove', id }))).headers.get('location')).toBe('/passkeys')
}

async function recover({ organization, account, owner: { browser } }: Robbed) {
  const boss = await server.account(['manage:people'], organization)
  await db.updateTable('member').set({ built_in_role: 'manager', role_id: null }).where('user_id', '=', boss.userId).execute()
  await db.updateTable('organization').set({ requires_passkeys: true }).where('id', '=', organization.key).execute()
  const { page } = await openSignIn(server, browser, { acr_values: 'phr' })
  expect((await fill(browser, `${page}/lost-passkey`, () => ({}))).status).toBe(200)
  await db.updateTable('passkey_recovery').set({ confirmed_at: new Date() }).where('user_id', '=', account.userId).execute()
  const fresh = createPasskey(server.url)
  const used = await fill(browser, `${page}/new-passkey`, (html) => ({ response: fresh.register(readOptions(html)) }))
  expect(used.status).toBe(303)
  await db.updateTable('organization').set({ requires_passkeys: false }).where('id', '=', organization.key).execute()
}

async function resetPassword({ account: { email } }: Robbed) {
  const browser = visitor(server.url)
  await browser.submit('/reset-password', { email })
  const find = () =>
    db.selectFrom('idp_message').select('body').where('recipient', '=', email).where('body', 'like', '%token=%').executeTakeFirst()
  await until(async () => Boolean(await find()))
  const link = /\/reset-password\?token=\S+/.exec((await find())!.body)![0]
  expect((await browser.submit(link, { password: 'another password of tests' })).status).toBe(200)
}

async function changePassword({ owner: { browser }, passkey }: Robbed) {
  await fill(browser, '/change-password', (html) => ({ response: passkey.use(readOptions(html)) }))
  expect((await browser.submit('/change-password', { current: password, password: 'another password of tests' })).status).toBe(200)
}

const changes = [
  ['removed', remove, 'stays', 'passkeyRemoved', 'A passkey was removed from your Lectern account'],
  ['replaced by a recovery', recover, 'stays', 'recoveryUsed', 'A new passkey replaced those of your Lectern account'],
  ['ended by a reset', resetPassword, 'ends', 'passwordReset', 'Your Lectern password was changed'],
  ['beside a changed password', changePassword, 'ends', 'passwordChanged', 'Your Lectern password was changed'],
] as const

describe('a passkey that is', () => {
  test.for(changes)('[MAY-02] %s takes every other session along', async ([, change, own, event, subject]) => {
    const who = await robbed()
    const { organization, account, owner, thief, second, halfway } = who
    const stream = await follow(organization, thief.tokens.access_token)
    expect((await ask(other, thief.tokens.access_token)).status).toBe(200)
    await until(async () => (await ask(other, owner.tokens.access_token)).status === 200)
    await change(who)
    for (const each of [server, other]) await until(async () => (await ask(each, thief.tokens.access_token)).status === 401)
    expect(await stream.ended).toContain('event: rollout')
    expect((await renew(server, thief.tokens.refresh_token)).status).toBe(400)
    expect((await thief.browser.send('/passkeys')).status).toBe(401)
    // Nor does the sign-in that was under way lead anywhere.
    await second.follow(halfway.answer)
    expect((await second.send('/passkeys')).status).toBe(401)
    const remains = own === 'stays' ? 200 : 401
    // A server believes for a moment what it has read of a session.
    for (const each of [server, other]) await until(async () => (await ask(each, owner.tokens.access_token)).status === remains)
    expect((await owner.browser.send('/passkeys')).status).toBe(remains)
    expect((await renew(server, owner.tokens.refresh_token)).status).toBe(own === 'stays' ? 200 : 400)
    const mails = await db.selectFrom('idp_message').select('subject').where('recipient', '=', account.email).execute()
    expect(mails.map((mail) => mail.subject)).toContain(subject)
    const entries = await db.selectFrom('audit_entry').select('change_type').where('organization_id', '=', organization.key).execute()
    expect(entries.map(({ change_type }) => change_type)).toContain(event)
  })
})
