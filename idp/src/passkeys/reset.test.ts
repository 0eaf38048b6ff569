import { afterAll, expect, test } from 'vitest'
import { createPasskey, readOptions } from '../testing/authenticator.ts'
import { startWithMail } from '../testing/mailbox.ts'
import { hiddenFields, manager, openSignIn, signIn, type Visitor, visitor } from '../testing/test-provider.ts'
import { noPasskeyRules } from './rules.ts'

let isRequired = false
const { provider, mailTo, linkIn, person, signUp } = await startWithMail({
  host: 'localhost',
  passkeyRules: { ...noPasskeyRules, isRequired: async () => isRequired },
})
afterAll(() => provider.close())

async function addPasskey(thief: Visitor): Promise<void> {
  const html = await (await thief.send('/passkeys')).text()
  const response = createPasskey(provider.url).register(readOptions(html))
  expect((await thief.post('/passkeys', { ...hiddenFields(html), response })).status).toBe(303)
}

async function reset(email: string): Promise<string> {
  const owner = person()
  await owner.fill('/reset-password', { email })
  return (await owner.fill(linkIn(await mailTo(email, 'Choose a new')), { password: 'a new password' })).text
}

test('[SES-01 SES-05] a new password by a mailed link ends the passkeys that a thief of the old one may have added', async () => {
  const who = { email: 'robbed@northfield.example', password: 'correct horse' }
  await signUp(who.email)
  const thief = visitor(provider.url)
  await signIn(provider, thief, who)
  await addPasskey(thief)
  expect(await reset(who.email)).toContain('Its passkeys are removed: add yours again.')
  const account = await provider.storage.findAccountByEmail(who.email)
  expect(await provider.storage.listPasskeys(account!.id)).toEqual([])
})

test('[SES-05] where an organization asks for a passkey, a mailed link ends none', async () => {
  const who = { email: 'careful@northfield.example', password: 'correct horse' }
  await signUp(who.email)
  const owner = visitor(provider.url)
  await signIn(provider, owner, who)
  await addPasskey(owner)
  isRequired = true
  expect(await reset(who.email)).not.toContain('passkeys')
  const account = await provider.storage.findAccountByEmail(who.email)
  expect(await provider.storage.listPasskeys(account!.id)).toHaveLength(1)
})

test('a blocked account gets a new password, and no sign-in with it', async () => {
  provider.accounts.get(provider.account.id)!.blocked = true
  expect(await reset(manager.email)).toContain('Password saved')
  const owner = person()
  const { answer, text } = await owner.fill((await openSignIn(provider, owner)).page, { email: manager.email, password: 'a new password' })
  expect([answer.status, text]).toEqual([403, expect.stringContaining('This account is blocked.')])
})
