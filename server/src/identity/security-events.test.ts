import { signIn, type Visitor, visitor } from '@lectern/idp/testing/test-provider.ts'
import { expect, test } from 'vitest'
import { embeddedForFile, password } from '../testing/embedded-server.ts'
import type { TestOrganization } from '../testing/makers.ts'
import { until } from '../testing/until.ts'
import { changeAccount } from './identity.ts'

const server = await embeddedForFile({ TRUST_PROXY: '1' })
const { db } = server.app

/** A person of an organization, whose audit log they may read. */
async function newcomer() {
  const organization = await server.organization()
  const account = await server.account(['access:audit_log'], organization)
  const browser = visitor(server.url)
  const tokens = await signIn(server, browser, account)
  const readLog = async () => {
    const params = { organizationId: organization.id }
    const { body } = await server.call('listAuditEntries', { params, query: { PageSize: 25 } }, { token: tokens.access_token })
    return 'entryList' in body ? body.entryList : body
  }
  return { ...account, organization, browser, tokens, readLog }
}

const listEvents = (email: string) =>
  server.lines
    .map((line) => JSON.parse(line) as Record<string, unknown>)
    .filter(({ event, email: of }) => event !== undefined && of === email)
    .map(({ event, reason, level }) => [event, reason, level])

const countEntries = async ({ key }: TestOrganization, type: string) =>
  (await db.selectFrom('audit_entry').select('id').where('organization_id', '=', key).where('change_type', '=', type).execute()).length

async function guess(email: string, times: number, guessed = 'Wr0ng-guess-of-a-test') {
  const browser: Visitor = visitor(server.url)
  for (let turn = 0; turn < times; turn += 1) await signIn(server, browser, { email, password: guessed })
}

test('[SES-06] sign-ins, good and bad, and a lock-out are in the log; sign-ins and lock-outs in the audit log', async () => {
  const who = await newcomer()
  await guess(who.email, 12)
  await until(async () => (await countEntries(who.organization, 'lockOut')) > 0)
  expect(listEvents(who.email)).toEqual([
    ['signIn', undefined, 30],
    ...Array.from({ length: 10 }, () => ['signInRefused', 'password', 40]),
    ['lockOut', undefined, 40],
    ...Array.from({ length: 2 }, () => ['signInRefused', 'locked', 40]),
  ])
  // However often a stranger guesses.
  const entries = await who.readLog()
  expect(entries.map(({ changeType, user, target }) => [changeType, user?.email, target])).toEqual([
    ['lockOut', undefined, who.email],
    ['signIn', who.email, who.email],
  ])
  for (const { address, requestId } of entries) {
    expect(address).toBe('127.0.0.1')
    expect(requestId).toMatch(/^[0-9a-f-]{36}$/)
  }
})

test('[SES-06] changes and resets of a password and blocks are in both', async () => {
  const who = await newcomer()
  const another = 'another password of tests'
  await who.browser.submit('/change-password', { current: password, password: another })
  await signIn(server, who.browser, { ...who, password: another })
  await who.browser.submit('/reset-password', { email: who.email })
  const find = () =>
    db.selectFrom('idp_message').select('body').where('recipient', '=', who.email).where('subject', 'like', 'Choose%').executeTakeFirst()
  await until(async () => Boolean(await find()))
  await who.browser.submit(/\/reset-password\?token=\S+/.exec((await find())!.body)![0], { password: 'a third password of tests' })
  const { issuer } = server.settings.auth
  for (const blocked of [true, false]) await changeAccount({ db, identity: db }, issuer, who.email, { blocked })
  const tokens = await signIn(server, who.browser, { ...who, password: 'a third password of tests' })
  await who.browser.send(`/v2/logout?id_token_hint=${tokens.id_token}`)
  await until(async () => (await countEntries(who.organization, 'signIn')) === 3)
  expect(listEvents(who.email).map(([event]) => event)).toEqual([
    ...['signIn', 'passwordChanged', 'signIn', 'resetRequested', 'passwordReset', 'signIn', 'signOut'],
  ])
  const entries = await db
    .selectFrom('audit_entry')
    .select(['change_type', 'new_value', 'initiator_email'])
    .where('organization_id', '=', who.organization.key)
    .orderBy('in_effect_since')
    .execute()
  expect(entries.map(({ change_type, new_value, initiator_email }) => [change_type, new_value, initiator_email === who.email])).toEqual([
    ['signIn', null, true],
    ['passwordChanged', null, true],
    ['signIn', null, true],
    ['passwordReset', null, true],
    ['accountBlocked', 'true', false],
    ['accountBlocked', 'false', false],
    ['signIn', null, true],
  ])
})

test('[SES-06] a guess at an account that is not there says nothing of what was entered, and no line has a secret', async () => {
  const entered = 'my-password-in-the-wrong-field@nowhere.example'
  await guess(entered, 1)
  const who = await newcomer()
  const refused = server.lines.filter((line) => line.includes('"reason":"account"'))
  expect(refused).toHaveLength(1)
  expect(JSON.parse(refused[0]!)).toMatchObject({ event: 'signInRefused', account: null, email: null, address: '127.0.0.1' })
  const all = server.lines.join('')
  for (const secret of [entered, 'Wr0ng-guess-of-a-test', password, who.tokens.access_token, who.tokens.refresh_token]) {
    expect(all).not.toContain(secret)
  }
})
