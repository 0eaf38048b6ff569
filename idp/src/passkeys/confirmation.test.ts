import { afterAll, beforeEach, expect, onTestFinished, test, vi } from 'vitest'
import { hashPassword } from '../sign-in/passwords.ts'
import { createPasskey, readOptions } from '../testing/authenticator.ts'
import { startWithMail } from '../testing/mailbox.ts'
import { hiddenFields, openSignIn, signIn, type Visitor } from '../testing/test-provider.ts'
import { noPasskeyRules } from './rules.ts'

let isRequired = false
const { provider, mailTo, linkIn, person, listMailed } = await startWithMail({
  host: 'localhost',
  passkeyRules: { ...noPasskeyRules, isRequired: async () => isRequired },
})
afterAll(() => provider.close())

beforeEach(() => {
  isRequired = false
  vi.useFakeTimers({ toFake: ['Date'] })
  onTestFinished(() => void vi.useRealTimers())
})

const pass = (minutes: number) => vi.setSystemTime(Date.now() + minutes * 60_000)
const password = 'correct horse'
const confirming = '<h1>Confirm it is you</h1>'

async function newcomer(email: string) {
  // Cheaper than those of people.
  const passwordHash = await hashPassword(password, { N: 1_024, r: 8, p: 1 })
  const account = await provider.storage.createAccount({ email, emailVerified: true, passwordHash, permissions: [] })
  const owner = person()
  await signIn(provider, owner, { email, password })
  return { email, owner, list: () => provider.storage.listPasskeys(account!.id) }
}

const read = async (visits: Visitor, page = '/passkeys') => (await visits.send(page)).text()

async function register(visits: Visitor, page = '/passkeys', html?: string) {
  const passkey = createPasskey(provider.url)
  const form = html ?? (await read(visits, page))
  const answer = await visits.post(page, { ...hiddenFields(form), action: 'add', response: passkey.register(readOptions(form)) })
  return { passkey, status: answer.status, target: answer.headers.get('location') }
}

test('[SES-05 MAY-02] 5 minutes after the sign-in, passkeys are added and removed only after the password, for 5 minutes more', async () => {
  const { owner, list } = await newcomer('thorough@northfield.example')
  pass(5)
  expect((await register(owner)).status).toBe(303)
  const before = await read(owner)
  pass(1)
  expect(await read(owner)).toContain(confirming)
  // A page that was open already.
  expect((await register(owner, '/passkeys', before)).status).toBe(403)
  const [{ id = '' } = {}] = await list()
  const removed = await owner.post('/passkeys', { ...hiddenFields(before), action: 'remove', id })
  expect([removed.status, (await list()).length]).toEqual([403, 1])
  expect((await owner.fill('/passkeys', { password: 'not this one' })).text).toContain('This is not your password.')
  expect((await owner.fill('/passkeys', { password })).answer.status).toBe(303)
  expect((await register(owner)).status).toBe(303)
  expect(await list()).toHaveLength(2)
  pass(6)
  expect(await read(owner)).toContain(confirming)
})

test('[SES-05] the owner may confirm with one of their passkeys, and with nobody else’s', async () => {
  const { owner } = await newcomer('keyed@northfield.example')
  const stranger = await newcomer('stranger@northfield.example')
  const [{ passkey }, { passkey: theirs }] = [await register(owner), await register(stranger.owner)]
  pass(6)
  expect(await read(owner)).toContain('href="/passkeys?passkey"')
  const use = async (one: typeof passkey) => {
    const html = await read(owner, '/passkeys?passkey')
    return (await owner.post('/passkeys?passkey', { ...hiddenFields(html), response: one.use(readOptions(html)) })).status
  }
  expect(await use(theirs)).toBe(400)
  expect(await read(owner)).toContain(confirming)
  expect(await use(passkey)).toBe(303)
  expect(await read(owner)).toContain('<h1>Your passkeys</h1>')
})

test('[SES-05] where a passkey is required, the password confirms nothing', async () => {
  const { owner, email } = await newcomer('guarded@northfield.example')
  const { passkey } = await register(owner)
  const { page } = await openSignIn(provider, owner, { prompt: 'login' })
  const html = await read(owner, `${page}/passkey`)
  await owner.follow(await owner.post(`${page}/passkey`, { ...hiddenFields(html), response: passkey.use(readOptions(html)) }))
  isRequired = true
  pass(6)
  expect(await read(owner)).not.toContain('type="password"')
  expect((await owner.fill('/passkeys', { email, password })).answer.status).toBe(400)
  expect(await read(owner)).toContain(confirming)
})

test('[SES-05] on the way in, an old sign-in adds a first passkey only after the password', async () => {
  const { owner, email, list } = await newcomer('late@northfield.example')
  const open = async () => {
    const { page } = await openSignIn(provider, owner, { acr_values: 'phr' })
    return (await owner.send(`${page}/passkey`)).headers.get('location') ?? ''
  }
  const early = await open()
  const form = await read(owner, early)
  pass(6)
  const { status, target } = await register(owner, early, form)
  expect([status, target]).toEqual([302, early.replace('/new-passkey', '?signin=again')])
  expect(await list()).toEqual([])
  expect(await read(owner, target!)).toContain('You signed in more than 5 minutes ago.')
  await owner.follow(await owner.submit(target!, { email, password }))
  const next = await open()
  expect(await read(owner, next)).toContain('<h1>Add a passkey</h1>')
})

test('[MAY-02] a passkey is removed by a factor that remains: neither by itself, nor by a link that somebody sends', async () => {
  const { owner, list } = await newcomer('remaining@northfield.example')
  const [{ passkey: lost }, { passkey: kept }] = [await register(owner), await register(owner)]
  const [{ id = '' } = {}] = await list()
  pass(6)
  const page = `/passkeys?removes=${id}`
  const use = async (one: typeof lost) => {
    const html = await read(owner, `${page}&passkey`)
    return owner.post(`${page}&passkey`, { ...hiddenFields(html), response: one.use(readOptions(html)) })
  }
  const refused = await use(lost)
  expect([refused.status, (await list()).length]).toEqual([400, 2])
  expect(await refused.text()).toContain('Use another passkey than the one that you remove.')
  expect([(await use(kept)).status, (await list()).length]).toEqual([303, 1])
  const [{ id: last = '' } = {}] = await list()
  expect(await read(owner, `/passkeys?removes=${last}`)).toContain(confirming)
  expect((await owner.fill(`/passkeys?removes=${last}`, { password })).answer.status).toBe(303)
  expect(await list()).toEqual([])
})

test('[MAY-02] an account with a passkey changes its password after a passkey of the last 5 minutes, beside the present password', async () => {
  const { owner, email } = await newcomer('both@northfield.example')
  const { passkey } = await register(owner)
  const fields = { current: password, password: 'a new password' }
  expect((await owner.fill('/change-password', fields)).text).toContain(confirming)
  const html = await read(owner, '/change-password')
  expect(html).not.toContain('type="password"')
  const used = await owner.post('/change-password', { ...hiddenFields(html), response: passkey.use(readOptions(html)) })
  expect(used.status).toBe(303)
  pass(6)
  expect(await read(owner, '/change-password')).toContain(confirming)
  const again = await read(owner, '/change-password')
  await owner.post('/change-password', { ...hiddenFields(again), response: passkey.use(readOptions(again)) })
  expect((await owner.fill('/change-password', fields)).text).toContain('Password saved')
  await signIn(provider, person(), { email, password: 'a new password' })
})

test('[SES-05] a mail tells the owner of each passkey that is added or removed, and of a new password', async () => {
  const { owner, email, list } = await newcomer('told@northfield.example')
  vi.setSystemTime(Date.UTC(2026, 10, 25, 21, 54))
  await owner.follow(await owner.submit((await openSignIn(provider, owner, { prompt: 'login' })).page, { email, password }))
  await register(owner)
  const added = await mailTo(email)
  expect(added.subject).toBe('A passkey was added to your Lectern account')
  expect(added.text).toContain('A passkey was added to your account on 25 November 2026 at 21:54 UTC, from the address 127.0.0.1.')
  expect(linkIn(added)).toBe('/reset-password')
  const [{ id = '' } = {}] = await list()
  await owner.fill('/passkeys', { action: 'remove', id })
  expect((await mailTo(email)).subject).toBe('A passkey was removed from your Lectern account')
  await owner.fill('/passkeys', { action: 'remove', id })
  await owner.fill('/change-password', { current: password, password: 'a new password' })
  expect((await mailTo(email)).subject).toBe('Your Lectern password was changed')
  await owner.fill('/reset-password', { email })
  await owner.fill(linkIn(await mailTo(email)), { password: 'a third password' })
  expect((await mailTo(email)).subject).toBe('Your Lectern password was changed')
  expect(listMailed().filter(({ to }) => to === email)).toEqual([])
})
