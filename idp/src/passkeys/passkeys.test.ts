import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import type { SecurityEvent } from '../sign-in/security-log.ts'
import { createPasskey, readOptions } from '../testing/authenticator.ts'
import {
  authorization,
  hiddenFields,
  manager,
  openSignIn,
  redeem,
  signIn,
  startProvider,
  type Visitor,
  visitor,
} from '../testing/test-provider.ts'
import type { PasskeyRules } from './rules.ts'

const events: SecurityEvent[] = []
let isRequired = false
let managers: string | null = 'Ada Example (ada@example.org)'
const recovery = { browser: '', code: '', address: '', agent: '', isConfirmed: false, isUsed: false }
const passkeyRules: PasskeyRules = {
  isRequired: async () => isRequired,
  askRecovery: async (_account, request) => {
    if (managers === null) return { refused: 'no manager' }
    Object.assign(recovery, { ...request, isConfirmed: false, isUsed: false })
    return { managers }
  },
  isRecoveryConfirmed: async (_account, browser) => recovery.isConfirmed && !recovery.isUsed && recovery.browser === browser,
  async useRecovery(_account, browser) {
    if (!recovery.isConfirmed || recovery.isUsed || recovery.browser !== browser) return false
    recovery.isUsed = true
    return true
  },
  cancelRecovery: async () => void Object.assign(recovery, { isUsed: true }),
}
const provider = await startProvider({ host: 'localhost', passkeyRules, onSecurityEvent: async (event) => void events.push(event) })
afterAll(provider.close)

beforeEach(async () => {
  Object.assign(recovery, { browser: '', isConfirmed: false, isUsed: false })
  isRequired = false
  managers = 'Ada Example (ada@example.org)'
  events.length = 0
  await provider.storage.changeProtection(provider.account.id, { onlyPasskey: null })
})

const kinds = () => events.map(({ kind }) => kind)
const readClaims = (token: string) => JSON.parse(Buffer.from(token.split('.')[1] ?? '', 'base64url').toString()) as Record<string, unknown>

/** The page of a form, filled with what the passkey says to its options. */
async function answer(person: Visitor, page: string, say: (options: { challenge: string }) => string): Promise<Response> {
  const html = await (await person.send(page)).text()
  return person.post(page, { ...hiddenFields(html), response: say(readOptions(html)) })
}

/** Somebody who signed in with the password and added a passkey. */
async function newcomer() {
  const person = visitor(provider.url)
  await signIn(provider, person)
  const passkey = createPasskey(provider.url)
  expect((await answer(person, '/passkeys', (options) => passkey.register(options))).status).toBe(303)
  return { person, passkey }
}

async function finish(person: Visitor, response: Response, verifier: string) {
  const end = await person.follow(response)
  const code = new URL(end.headers.get('location') ?? '', provider.url).searchParams.get('code') ?? ''
  return redeem(provider, code, verifier)
}

test('[SES-05] an account registers several passkeys, and signs in with either', async () => {
  const { person, passkey } = await newcomer()
  const second = createPasskey(provider.url)
  expect((await answer(person, '/passkeys', (options) => second.register(options))).status).toBe(303)
  const list = await (await person.send('/passkeys')).text()
  expect(list.match(/aria-label="Rename Passkey of /g)).toHaveLength(2)
  for (const each of [passkey, second]) {
    const other = visitor(provider.url)
    const { verifier, page } = await openSignIn(provider, other)
    const tokens = await finish(other, await answer(other, `${page}/passkey`, (options) => each.use(options)), verifier)
    expect(readClaims(tokens.access_token)).toMatchObject({ sub: provider.account.id, amr: ['pop', 'user'] })
  }
  expect(kinds()).toEqual(['signIn', 'passkeyAdded', 'passkeyAdded', 'signIn', 'signIn'])
})

test('[SES-05] a token says that its sign-in was with a password', async () => {
  expect(readClaims((await signIn(provider, visitor(provider.url))).access_token).amr).toEqual(['pwd'])
})

const refusals: [string, Parameters<ReturnType<typeof createPasskey>['use']>[1]][] = [
  ['of another site', { origin: 'https://portal.example' }],
  ['for another site', { rpId: 'portal.example' }],
  ['to another challenge', { challenge: Buffer.from('a challenge of nobody, 32 bytes.').toString('base64url') }],
  ['without checking the person', { isVerified: false }],
]

test.each(refusals)('[SES-05] a passkey that answers %s is refused, and it is logged', async (_what, changes) => {
  const { passkey } = await newcomer()
  const person = visitor(provider.url)
  const { page } = await openSignIn(provider, person)
  const response = await answer(person, `${page}/passkey`, (options) => passkey.use(options, changes))
  expect(response.status).toBe(400)
  expect(kinds().at(-1)).toBe('passkeyRefused')
})

test('[SES-05] a passkey of another site is not registered', async () => {
  const person = visitor(provider.url)
  await signIn(provider, person)
  for (const changes of [{ origin: 'https://portal.example' }, { rpId: 'portal.example' }]) {
    const response = await answer(person, '/passkeys', (options) => createPasskey(provider.url).register(options, changes))
    expect(response.status).toBe(400)
  }
  expect(await provider.storage.listPasskeys(provider.account.id)).toEqual([])
})

test('[SES-05] a counter that goes back is refused and said in the log', async () => {
  const { passkey } = await newcomer()
  const attempt = async (counter: number) => {
    const person = visitor(provider.url)
    const { page } = await openSignIn(provider, person)
    return (await answer(person, `${page}/passkey`, (options) => passkey.use(options, { counter }))).status
  }
  expect(await attempt(9)).toBe(303)
  expect(await attempt(9)).toBe(400)
  expect(events.at(-1)).toMatchObject({ kind: 'passkeyRefused', reason: 'its counter went from 9 to 9' })
})

test('[SES-05] a challenge is for one use, and for the browser that it was made for', async () => {
  const { passkey } = await newcomer()
  const [person, thief] = [visitor(provider.url), visitor(provider.url)]
  const [{ page }, { page: other }] = [await openSignIn(provider, person), await openSignIn(provider, thief)]
  const html = await (await person.send(`${page}/passkey`)).text()
  const stolen = passkey.use(readOptions(html))
  const own = hiddenFields(await (await thief.send(`${other}/passkey`)).text())
  expect((await thief.post(`${other}/passkey`, { ...own, response: stolen })).status).toBe(400)
  const fields = { ...hiddenFields(html), response: stolen }
  expect((await person.post(`${page}/passkey`, fields)).status).toBe(303)
  const again = passkey.use(readOptions(html))
  const { page: next } = await openSignIn(provider, person, { prompt: 'login' })
  expect((await person.post(`${next}/passkey`, { ...fields, response: again })).status).toBe(400)
})

test('[SES-05] a passkey is renamed and removed; the last one stays where one is required', async () => {
  const { person, passkey } = await newcomer()
  const own = async () => (await provider.storage.listPasskeys(provider.account.id)).map(({ name }) => name)
  const [{ id = '' } = {}] = await provider.storage.listPasskeys(provider.account.id)
  const act = async (fields: Record<string, string>) =>
    person.post('/passkeys', { ...hiddenFields(await (await person.send('/passkeys')).text()), id, ...fields })
  expect((await act({ action: 'rename', name: '<b>Key of the ward</b>' })).status).toBe(303)
  expect(await own()).toEqual(['<b>Key of the ward</b>'])
  expect(await (await person.send('/passkeys')).text()).not.toContain('<b>Key')
  expect((await act({ action: 'rename', name: ' ' })).status).toBe(400)
  isRequired = true
  // Signed in with the password.
  expect((await person.send('/passkeys')).status).toBe(403)
  const { page } = await openSignIn(provider, person, { prompt: 'login' })
  await person.follow(await answer(person, `${page}/passkey`, (options) => passkey.use(options)))
  expect(await (await act({ action: 'remove' })).text()).toContain('This is your last passkey')
  expect(await own()).toHaveLength(1)
  isRequired = false
  // Signed in with it: another factor confirms that it is removed.
  const asked = (await act({ action: 'remove' })).headers.get('location') ?? ''
  expect([asked, await own()]).toEqual([`/passkeys?removes=${id}`, ['<b>Key of the ward</b>']])
  expect((await person.submit(asked, { password: manager.password })).headers.get('location')).toBe('/passkeys')
  expect(await own()).toEqual([])
  expect(kinds().filter((kind) => kind.startsWith('passkey'))).toEqual(['passkeyAdded', 'passkeyRemoved'])
})

const stepUp = { acr_values: 'phr' }

/** Goes from the password, if it is asked for, to the page that asks for a passkey. */
async function stepUpFrom(person: Visitor) {
  const { verifier, page } = await openSignIn(provider, person, stepUp)
  const first = await person.send(page)
  const answer = first.status === 200 ? await person.submit(page, { email: manager.email, password: manager.password }) : first
  return { verifier, page: await walk(person, answer, page) }
}

/** The path of the page that redirects lead to. */
async function walk(person: Visitor, answer: Response, path: string): Promise<string> {
  const target = answer.headers.get('location')
  if (target === null) return path
  const { pathname } = new URL(target, provider.url)
  return walk(person, await person.send(target), pathname)
}

test('[SES-05] where a passkey is asked for, a password alone is not enough; the first passkey is added on the way', async () => {
  const person = visitor(provider.url)
  const { verifier, page } = await stepUpFrom(person)
  expect(page).toMatch(/^\/login\/[\w-]+\/new-passkey$/)
  const passkey = createPasskey(provider.url)
  const tokens = await finish(person, await answer(person, page, (options) => passkey.register(options)), verifier)
  expect(readClaims(tokens.access_token).amr).toEqual(['pop', 'user'])

  // From then on that passkey, not another one.
  const other = visitor(provider.url)
  const second = await stepUpFrom(other)
  expect(second.page).toMatch(/\/passkey$/)
  const adding = second.page.replace(/passkey$/, 'new-passkey')
  expect((await other.send(adding)).headers.get('location')).toMatch(/\/passkey$/)
  const own = hiddenFields(await (await other.send(second.page)).text())
  const refused = await other.post(adding, { ...own, response: createPasskey(provider.url).register({ challenge: 'x' }) })
  expect(refused.headers.get('location')).toMatch(/\/passkey$/)
  expect(await provider.storage.listPasskeys(provider.account.id)).toHaveLength(1)
})

test('[SES-05] a passkey that another account has does not become a first one', async () => {
  const passkey = createPasskey(provider.url)
  const { id } = JSON.parse(passkey.register({ challenge: '' })) as { id: string }
  await provider.storage.addPasskey({ id, accountId: 'another', publicKey: 'AA', counter: 0, transports: [], name: 'Theirs' } as never)
  const person = visitor(provider.url)
  const { page } = await stepUpFrom(person)
  expect((await answer(person, page, (options) => passkey.register(options))).status).toBe(400)
  expect(kinds()).not.toContain('passkeyAdded')
  await provider.storage.changeProtection('another', { onlyPasskey: null })
})

test('[SES-05] a sign-in that is too long ago adds no passkey: it begins with the password', async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
  const person = visitor(provider.url)
  await signIn(provider, person)
  // The sign-in ends after 30 days, although the cookie of its session was renewed in between.
  for (const days of [10, 10, 9]) {
    vi.setSystemTime(Date.now() + days * 24 * 3_600_000)
    await person.send(authorization(provider.url, { prompt: 'none' }).path)
  }
  vi.setSystemTime(Date.now() + 25 * 3_600_000)
  const { page } = await openSignIn(provider, person, stepUp)
  expect(await (await person.send(page)).text()).toContain('<h1>Sign in</h1>')
  expect((await person.send(`${page}/new-passkey`)).headers.get('location')).toBe(`${page}/passkey`)
})

test('[SES-05] a confirmed recovery adds one passkey in the browser that asked, in place of the lost ones', async () => {
  await newcomer()
  const person = visitor(provider.url)
  const asking = await stepUpFrom(person)
  const asked = await person.submit(asking.page.replace(/passkey$/, 'lost-passkey'), {})
  expect(await asked.text()).toContain('Tell it to Ada Example (ada@example.org)')
  // Not confirmed yet.
  expect((await stepUpFrom(person)).page).toMatch(/\/passkey$/)
  recovery.isConfirmed = true
  const thief = visitor(provider.url)
  const theirs = await stepUpFrom(thief)
  expect((await thief.send(theirs.page.replace(/passkey$/, 'new-passkey'))).headers.get('location')).toMatch(/\/passkey$/)
  const { verifier, page } = await stepUpFrom(person)
  expect(page).toMatch(/\/new-passkey$/)
  const fresh = createPasskey(provider.url)
  const tokens = await finish(person, await answer(person, page, (options) => fresh.register(options)), verifier)
  expect(readClaims(tokens.access_token).amr).toEqual(['pop', 'user'])
  expect(await provider.storage.listPasskeys(provider.account.id)).toHaveLength(1)
  expect(kinds().filter((kind) => kind.startsWith('recovery'))).toEqual(['recoveryRequested', 'recoveryUsed'])
  expect((await stepUpFrom(visitor(provider.url))).page).toMatch(/\/passkey$/)
})

test('[SES-05] a recovery that nobody can confirm is not asked for; a sign-in with a passkey takes one back', async () => {
  const { passkey } = await newcomer()
  const person = visitor(provider.url)
  const { page } = await stepUpFrom(person)
  managers = null
  expect((await person.submit(page.replace(/passkey$/, 'lost-passkey'), {})).status).toBe(409)
  managers = 'Ada Example'
  await person.submit(page.replace(/passkey$/, 'lost-passkey'), {})
  expect(recovery.isUsed).toBe(false)
  await answer(person, page, (options) => passkey.use(options))
  expect(recovery.isUsed).toBe(true)
})

test('pages with a passkey run the provider’s own scripts, and no other page runs any', async () => {
  const person = visitor(provider.url)
  const { page } = await openSignIn(provider, person)
  const policy = async (path: string) => (await person.send(path)).headers.get('content-security-policy') ?? ''
  expect(await policy(page)).toContain(';script-src;')
  expect(await policy(`${page}/passkey`)).toContain(";script-src 'self';")
  const html = await (await person.send(`${page}/passkey`)).text()
  const sources = [...html.matchAll(/<script src="([^"]+)" defer>/g)].map(([, source = '']) => source)
  expect(sources.map((source) => source.split('?')[0])).toEqual(['/login/assets/webauthn.js', '/login/assets/passkey.js'])
  for (const source of sources) expect((await person.send(source)).headers.get('content-type')).toBe('text/javascript; charset=utf-8')
})
