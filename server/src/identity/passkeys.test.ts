import { createPasskey, readOptions } from '@lectern/idp/testing/authenticator.ts'
import { hiddenFields, openSignIn, redeem, signIn, type Visitor, visitor } from '@lectern/idp/testing/test-provider.ts'
import { expect, test } from 'vitest'
import { embeddedForFile, password } from '../testing/embedded-server.ts'
import { createProviderStorage } from './provider-storage.ts'

const server = await embeddedForFile()
const other = await server.another()
const { db } = server.app

/** An organization that requires passkeys, with a manager and a member, who has a passkey. */
async function withMember() {
  const organization = await server.organization()
  const boss = await server.account(['manage:people'], organization)
  const account = await server.account([], organization)
  await db.updateTable('organization').set({ requires_passkeys: true }).where('id', '=', organization.key).execute()
  await db.updateTable('member').set({ built_in_role: 'manager', role_id: null }).where('user_id', '=', boss.userId).execute()
  const passkey = createPasskey(server.url)
  const token = await stepUp(visitor(server.url), account, passkey)
  return { organization, boss, account, passkey, token, params: { organizationId: organization.id } }
}

async function walk(person: Visitor, answer: Response, path: string): Promise<string> {
  const target = answer.headers.get('location')
  if (target === null) return path
  const { pathname } = new URL(target, server.url)
  return walk(person, await person.send(target), pathname)
}

/** To the page that asks for a passkey. */
async function openStepUp(person: Visitor, { email }: { email: string }) {
  const { verifier, page } = await openSignIn(server, person, { acr_values: 'phr' })
  const first = await person.send(page)
  const answer = first.status === 200 ? await person.submit(page, { email, password }) : first
  return { verifier, page: await walk(person, answer, page) }
}

/** The access token of a sign-in that adds a passkey, or uses it. */
async function stepUp(person: Visitor, account: { email: string }, passkey: ReturnType<typeof createPasskey>): Promise<string> {
  const { verifier, page } = await openStepUp(person, account)
  const html = await (await person.send(page)).text()
  const response = page.endsWith('/new-passkey') ? passkey.register(readOptions(html)) : passkey.use(readOptions(html))
  const end = await person.follow(await person.post(page, { ...hiddenFields(html), response }))
  const code = new URL(end.headers.get('location') ?? '', server.url).searchParams.get('code') ?? ''
  return (await redeem(server, code, verifier)).access_token
}

const ask = (token: string) => other.call('getCurrentUser', {}, { token })

test('[SES-05] a member adds a first passkey on the way in, and only a sign-in with it reaches the API, at any server', async () => {
  const { account, passkey, token } = await withMember()
  expect((await ask(token)).status).toBe(200)
  const browser = visitor(server.url)
  expect((await ask((await signIn(server, browser, account)).access_token)).status).toBe(401)
  expect((await ask(await stepUp(browser, account, passkey))).status).toBe(200)
})

test('[SES-05 SES-06] a lost passkey is replaced once another manager confirms it; every step is audited', async () => {
  const { organization, boss, account, params } = await withMember()
  const browser = visitor(server.url)
  const { page } = await openStepUp(browser, account)
  const asked = await (await browser.submit(page.replace(/passkey$/, 'lost-passkey'), {})).text()
  expect(asked).toContain(boss.email)
  expect((await openStepUp(browser, account)).page).toMatch(/\/passkey$/)
  const manager = { token: await stepUp(visitor(server.url), boss, createPasskey(server.url)) }
  const { body: list } = await server.call('listRecoveries', { params }, manager)
  const [{ recoveryId = '' } = {}] = Array.isArray(list) ? list : []
  expect((await server.call('confirmRecovery', { params: { ...params, recoveryId } }, manager)).status).toBe(200)
  const fresh = createPasskey(server.url)
  expect((await ask(await stepUp(browser, account, fresh))).status).toBe(200)
  expect(await db.selectFrom('idp_passkey').select('id').where('account_id', '=', account.id).execute()).toHaveLength(1)
  expect((await openStepUp(visitor(server.url), account)).page).toMatch(/\/passkey$/)
  const entries = await db
    .selectFrom('audit_entry')
    .select('change_type')
    .where('organization_id', '=', organization.key)
    .where('target', '=', account.email)
    .where('change_type', '<>', 'signIn')
    .orderBy('id')
    .execute()
  expect(entries.map(({ change_type }) => change_type)).toEqual([
    'passkeyAdded',
    'recoveryRequested',
    'confirmRecovery',
    'recoveryUsed',
    'passkeyAdded',
  ])
})

test('[SES-05] a recovery ends with a sign-in by passkey after all, and needs a manager of each organization that requires passkeys', async () => {
  const { account, passkey, boss, params } = await withMember()
  const second = await server.organization()
  await server.join(account.userId, second, [])
  await db.updateTable('organization').set({ requires_passkeys: true }).where('id', '=', second.key).execute()
  const browser = visitor(server.url)
  const { page } = await openStepUp(browser, account)
  const lost = page.replace(/passkey$/, 'lost-passkey')
  expect((await browser.submit(lost, {})).status).toBe(409)
  const chief = await server.account([], second)
  await db.updateTable('member').set({ built_in_role: 'manager', role_id: null }).where('user_id', '=', chief.userId).execute()
  expect((await browser.submit(lost, {})).status).toBe(200)
  const open = () => db.selectFrom('passkey_recovery').select('organization_id').where('user_id', '=', account.userId).execute()
  expect(await open()).toHaveLength(2)
  const manager = { token: await stepUp(visitor(server.url), boss, createPasskey(server.url)) }
  const { body: list } = await server.call('listRecoveries', { params }, manager)
  const [{ recoveryId = '' } = {}] = Array.isArray(list) ? list : []
  await server.call('confirmRecovery', { params: { ...params, recoveryId } }, manager)
  // The other organization has not.
  expect((await openStepUp(browser, account)).page).toMatch(/\/passkey$/)
  await stepUp(visitor(server.url), account, passkey)
  expect(await open()).toEqual([])
})

test('[SES-05] two servers that remove the last passkeys at once leave one', async () => {
  const { account } = await withMember()
  const row = { account_id: account.id, public_key: 'key', counter: 0, transports: [], name: 'Second' }
  await db
    .insertInto('idp_passkey')
    .values({ id: `second of ${account.id}`, ...row })
    .execute()
  const ids = (await db.selectFrom('idp_passkey').select('id').where('account_id', '=', account.id).execute()).map(({ id }) => id)
  const storages = [server, other].map(({ app }) => createProviderStorage(app.db, () => false))
  const removed = await Promise.all(
    ids.map((id, at) => storages[at]!.changeProtection(account.id, { withoutPasskey: id, keepsLast: true })),
  )
  expect(removed.filter(Boolean)).toHaveLength(1)
})
