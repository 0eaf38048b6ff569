import { hiddenFields, openSignIn, signIn, type Visitor, visitor } from '@lectern/idp/testing/test-provider.ts'
import { expect, test } from 'vitest'
import { embeddedForFile, password } from '../testing/embedded-server.ts'

const server = await embeddedForFile({ RATE_LIMIT: '100000', TRUST_PROXY: '1' })
const other = await server.another()
const { db } = server.app

let lastAddress = 0
const newAddress = () => `203.0.113.${++lastAddress}`

/** A browser at its sign-in page, whose form can be sent to each server again and again. */
async function browserAt(browser: Visitor = visitor(server.url), address = newAddress()) {
  const { page } = await openSignIn(server, browser)
  const hidden = hiddenFields(await (await browser.send(page)).text())
  const guess = async (email: string, guessed = 'a wrong password', at: { url: string } = server) => {
    const answer = await browser.post(`${at.url}${page}`, { ...hidden, email, password: guessed }, { 'x-forwarded-for': address })
    await answer.text()
    return answer.status
  }
  return { browser, guess }
}

const times = (amount: number) => Array.from({ length: amount }, (_, turn) => turn)
const count = (statuses: readonly number[], status: number) => statuses.filter((one) => one === status).length

/** The present cookies of the browser in which an account is known. */
const knownCookies = (browser: Visitor) => new Map([...browser.cookies].filter(([key]) => key.startsWith('idp_browser')))

async function lock(email: string): Promise<void> {
  const attacker = await browserAt()
  for (const _ of times(10)) await attacker.guess(email)
  expect(await attacker.guess(email, password)).toBe(429)
}

test('[SES-03] of 30 guesses at once at two servers, exactly 10 are looked at, wherever they come from', async () => {
  const { email } = await server.account()
  const attackers = await Promise.all(times(3).map(() => browserAt()))
  const statuses = await Promise.all(times(30).map((turn) => attackers[turn % 3]!.guess(email, 'wrong', turn % 2 === 0 ? server : other)))
  expect([count(statuses, 400), count(statuses, 429)]).toEqual([10, 20])
  expect(await (await browserAt()).guess(email, password, other)).toBe(429)
})

test('[SES-03] of 120 guesses of one address at two servers, exactly 100 are looked at', async () => {
  const accounts = await Promise.all(times(12).map(() => server.account()))
  const attacker = await browserAt()
  const statuses = await Promise.all(
    times(120).map((turn) => attacker.guess(accounts[turn % 12]!.email, 'wrong', turn % 2 === 0 ? server : other)),
  )
  expect([count(statuses, 400), count(statuses, 429)]).toEqual([100, 20])
  const { email } = await server.account()
  expect(await attacker.guess(email, password)).toBe(429)
  expect(await (await browserAt()).guess(email, password)).toBe(303)
})

test('[SES-03] the owner gets in from a browser that signed in before, at any server and at the address of the guesser', async () => {
  const account = await server.account()
  const browser = visitor(server.url)
  await signIn(server, browser, account)
  const address = newAddress()
  const attacker = await browserAt(visitor(server.url), address)
  for (const _ of times(100)) await attacker.guess((await server.account()).email)
  await lock(account.email)
  expect(await attacker.guess(account.email, password)).toBe(429)
  browser.cookies.delete('idp_session /')
  const owner = await browserAt(browser, address)
  expect(await owner.guess(account.email, 'a slip of the hand', other)).toBe(400)
  expect(await owner.guess(account.email, password, other)).toBe(303)
})

test('[SES-03] a browser that signed in before has ten wrong guesses of its own', async () => {
  const account = await server.account()
  const browser = visitor(server.url)
  await signIn(server, browser, account)
  await lock(account.email)
  browser.cookies.delete('idp_session /')
  const thief = await browserAt(browser)
  const statuses = []
  for (const _ of times(12)) statuses.push(await thief.guess(account.email))
  expect([count(statuses, 400), count(statuses, 429)]).toEqual([10, 2])
})

test('[SES-03] a browser is known for its own accounts, with the cookie of its newest sign-in, until the password is another', async () => {
  const [account, stranger] = [await server.account(), await server.account()]
  const browser = visitor(server.url)
  const { id_token } = await signIn(server, browser, account)
  const first = knownCookies(browser)
  expect(first.size).toBe(2)
  const withCookies = async (cookies: ReturnType<typeof knownCookies>) => {
    const thief = visitor(server.url)
    for (const [key, cookie] of cookies) thief.cookies.set(key, cookie)
    return browserAt(thief)
  }
  await lock(account.email)
  await lock(stranger.email)
  const copied = await withCookies(first)
  expect(await copied.guess(stranger.email, password)).toBe(429)
  expect(await copied.guess(account.email, 'wrong')).toBe(400)

  const changed = new Map([...first].map(([key, { pair, path }]) => [key, { pair: key.includes('.sig') ? `${pair}x` : pair, path }]))
  expect(await (await withCookies(changed)).guess(account.email, password)).toBe(429)

  await browser.send(`/v2/logout?id_token_hint=${id_token}`)
  await signIn(server, browser, account)
  expect(await (await withCookies(first)).guess(account.email, password)).toBe(429)
  const second = knownCookies(browser)
  const fields = { current: password, password: 'another password of tests' }
  expect((await browser.submit('/change-password', fields)).status).toBe(200)
  expect(await (await withCookies(second)).guess(account.email, fields.password)).toBe(429)
  // Who changed it is still known here.
  expect(await (await browserAt(browser)).guess(account.email, fields.password)).toBe(303)
})

test('[SES-03] one browser knows ten accounts at most', async () => {
  const browser = visitor(server.url)
  for (const _ of times(11)) {
    await signIn(server, browser, await server.account())
    browser.cookies.delete('idp_session /')
  }
  const value = [...knownCookies(browser).values()].map(({ pair }) => pair).find((pair) => !pair.includes('.sig='))!
  expect(value.split('~')).toHaveLength(10)
})

test('a window ends after an hour, and what was counted in it goes with the sweep', async () => {
  const { email } = await server.account()
  await lock(email)
  await db.updateTable('idp_attempt').set({ ends_at: new Date() }).execute()
  expect(await (await browserAt()).guess(email, password)).toBe(303)
  await db.updateTable('idp_attempt').set({ ends_at: new Date() }).execute()
  await server.app.sweep()
  expect(await db.selectFrom('idp_attempt').selectAll().execute()).toEqual([])
})
