import { afterAll, expect, test } from 'vitest'
import { hiddenFields, openSignIn, signIn, startProvider, visitor } from '../testing/test-provider.ts'

const provider = await startProvider()
afterAll(provider.close)

const logout = '/v2/logout?client_id=lectern-web'
const pages = [
  logout,
  '/v2/logout',
  '/authorize',
  '/login/unknown',
  '/login/unknown/passkey',
  '/login/unknown/signup',
  '/reset-password',
  '/verify-email',
  '/create-account',
  '/create-account?token=x',
  '/reset-password?token=x',
  '/change-password',
  '/passkeys',
  '/passkeys?passkey',
  '/oauth/token',
  '/oauth/revoke',
  '/userinfo',
  '/authorize/unknown',
]

/** Sent as the form of another site: without cookies, which are only for forms of their own site. */
const sendForeign = (page: string) =>
  fetch(new URL(page, provider.url), {
    method: 'POST',
    redirect: 'manual',
    body: new URLSearchParams(),
    headers: { origin: 'https://evil.example' },
  })

test.for(pages)('[MAY-03] the form of another site to %s leaves every cookie as it is', async (page) => {
  expect((await sendForeign(page)).headers.getSetCookie()).toEqual([])
})

test('[MAY-03] who is signed in stays so, and so does the form they have open', async () => {
  const person = visitor(provider.url)
  await signIn(provider, person)
  const open = hiddenFields(await (await person.send('/reset-password')).text())
  const before = new Map(person.cookies)
  for (const page of pages)
    for (const line of (await sendForeign(page)).headers.getSetCookie()) person.cookies.delete(`${line.split('=')[0]} /`)
  expect(person.cookies).toEqual(before)
  expect((await person.post('/reset-password', { ...open, email: 'nobody@northfield.example' })).status).toBe(200)
  expect((await person.send('/passkeys')).status).toBe(200)
})

test('[MAY-03] a sign-out without a session writes no cookie, and one with a session clears its own', async () => {
  const stranger = visitor(provider.url)
  const answer = await stranger.send(logout)
  expect([answer.status, answer.headers.getSetCookie()]).toEqual([303, []])
  const person = visitor(provider.url)
  const tokens = await signIn(provider, person)
  const ended = await person.send(`${logout}&id_token_hint=${tokens.id_token}`)
  expect(ended.headers.getSetCookie().some((line) => /^idp_session=;.*1970/.test(line))).toBe(true)
  expect((await person.send('/passkeys')).status).toBe(401)
  await openSignIn(provider, person)
})
