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

const readCode = (page: string): string => /Your code is (\d{6})\./.exec(page)?.[1] ?? ''

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
  const code = readCode(asked)
  expect((await openStepUp(browser, account)).page).toMatch(/\/passkey$/)
  const manager = { token: await stepUp(visitor(server.url), boss, createPasskey(server.url)) }
  const { body: list } = await server.call('listRecoveries', { params }, manager)
  const [{ recoveryId = '' } = {}] = Array.isArray(list) ? list : []
  expect((await server.call('confirmRecovery', { params: { ...params, recoveryId }, body: { code } }, manager)).status).toBe(200)
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
  const asked = await browser.submit(lost, {})
  expect(asked.status).toBe(200)
  const code = readCode(await asked.text())
  const open = () => db.selectFrom('passkey_recovery').select('organization_id').where('user_id', '=', account.userId).execute()
  expect(await open()).toHaveLength(2)
  const manager = { token: await stepUp(visitor(server.url), boss, createPasskey(server.url)) }
  const { body: list } = await server.call('listRecoveries', { params }, manager)
  const [{ recoveryId = '' } = {}] = Array.isArray(list) ? list : []
  await server.call('confirmRecovery', { params: { ...params, recoveryId }, body: { code } }, manager)
  // The other organization has not.
  expect((await openStepUp(browser, account)).page).toMatch(/\/passkey$/)
  await stepUp(visitor(server.url), account, passkey)
  expect(await open()).toEqual([])
})

test('[MAY-04] who asks second takes nothing from who asked first; the owner gets a mail of each, and three are open at most', async () => {
  const { account, boss, params } = await withMember()
  const lose = async (agent: string) => {
    const browser = visitor(server.url)
    const { page } = await openStepUp(browser, account)
    const lost = page.replace(/passkey$/, 'lost-passkey')
    const fields = hiddenFields(await (await browser.send(lost)).text())
    const answer = await browser.post(lost, fields, { 'user-agent': agent })
    return { browser, status: answer.status, text: await answer.text() }
  }
  const firefox = 'Mozilla/5.0 (Windows NT 10.0; Win64; x64; rv:146.0) Gecko/20100101 Firefox/146.0'
  const own = await lose(firefox)
  const thief = await lose('curl/8')
  expect(own.text).toContain('from the address 127.0.0.1 with Firefox on Windows.')
  expect(readCode(own.text)).toMatch(/^\d{6}$/)
  expect((await lose(firefox)).status).toBe(200)
  const fourth = await lose(firefox)
  expect([fourth.status, fourth.text.includes('3 recoveries of this account are open already.')]).toEqual([409, true])
  const manager = { token: await stepUp(visitor(server.url), boss, createPasskey(server.url)) }
  const { body: list } = await server.call('listRecoveries', { params }, manager)
  expect(list).toMatchObject(
    ['Firefox on Windows', 'an unknown browser', 'Firefox on Windows'].map((browser) => ({ browser, address: '127.0.0.1' })),
  )
  const [{ recoveryId = '' } = {}] = Array.isArray(list) ? list : []
  const confirm = (code: string) => server.call('confirmRecovery', { params: { ...params, recoveryId }, body: { code } }, manager)
  expect((await confirm(readCode(thief.text))).status).toBe(400)
  expect((await confirm(readCode(own.text))).status).toBe(200)
  expect((await openStepUp(thief.browser, account)).page).toMatch(/\/passkey$/)
  expect((await openStepUp(own.browser, account)).page).toMatch(/\/new-passkey$/)
  const mails = db.selectFrom('idp_message').select('body').where('recipient', '=', account.email).where('subject', 'like', '%recovery%')
  const bodies = (await mails.execute()).map(({ body }) => body)
  expect(bodies.map((body) => /with (Firefox on Windows|an unknown browser)/.exec(body)?.[1]).sort()).toEqual([
    'Firefox on Windows',
    'Firefox on Windows',
    'an unknown browser',
  ])
  expect(bodies.join()).not.toContain(readCode(own.text))
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
