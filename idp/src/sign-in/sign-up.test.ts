import { decodeJwt } from 'jose'
import { afterAll, describe, expect, test } from 'vitest'
import { startWithMail } from '../testing/mailbox.ts'
import { openSignIn, signIn, visitor } from '../testing/test-provider.ts'

const { provider, mailTo, linkIn, person, signUp } = await startWithMail()
afterAll(() => provider.close())

describe('signing up', () => {
  test('mails a link that makes a confirmed account with the default permissions, and goes on with the sign-in', async () => {
    const who = { email: 'new@newcomer.example', password: 'correct horse' }
    const { someone, page, link, text } = await signUp(who.email, who.password)
    expect(text).toContain(`href="${page}?created"`)
    expect((await someone.fill(`${page}?created`, who)).answer.status).toBe(303)
    const tokens = await signIn(provider, visitor(provider.url), who)
    expect(decodeJwt(tokens.access_token)).toMatchObject({ permissions: ['manage:cfg'], email_verified: true, email: who.email })
    expect((await someone.send(link)).status).toBe(410)
    // In another browser the sign-in begins anew.
    expect((await person().send(`${page}?created`)).headers.get('location')).toBe(`${provider.url}/`)
  })

  test('says the same and takes the same way for an address with an account: only the mail says it', async () => {
    const [someone, other] = [person(), person()]
    const [known, unknown] = ['known@northfield.example', 'unknown@northfield.example']
    await provider.storage.createAccount({ ...provider.account, email: known })
    const accounts = provider.accounts.size
    const first = await someone.fill(`${(await openSignIn(provider, someone)).page}/signup`, { email: known })
    const second = await other.fill(`${(await openSignIn(provider, other)).page}/signup`, { email: unknown })
    const neutral = (text: string, email: string) => text.replaceAll(email, 'EMAIL').replace(/\/login\/[\w-]+/g, '/login/UID')
    expect(neutral(first.text, known)).toBe(neutral(second.text, unknown))
    expect([first.answer.status, second.answer.status]).toEqual([200, 200])
    const told = await mailTo(known)
    expect(told.subject).toBe('You have a Lectern account')
    expect(told.text).not.toContain('token=')
    expect((await mailTo(unknown)).subject).toBe('Create your Lectern account')
    expect(provider.accounts.size).toBe(accounts)
    // Nor do limits tell it.
    for (const email of [known, unknown]) {
      const statuses = []
      for (let time = 0; time < 3; time += 1) {
        const asking = person()
        statuses.push((await asking.fill(`${(await openSignIn(provider, asking)).page}/signup`, { email })).answer.status)
      }
      expect(statuses).toEqual([200, 200, 429])
    }
  })

  test('of two links to one address the first makes the account', async () => {
    const email = 'twice@northfield.example'
    const someone = person()
    const { page } = await openSignIn(provider, someone)
    const links = []
    for (let time = 0; time < 2; time += 1) {
      await someone.fill(`${page}/signup`, { email })
      links.push(linkIn(await mailTo(email)))
    }
    expect((await someone.fill(links[1]!, { password: 'correct horse' })).text).toContain('Account created')
    const late = await someone.fill(links[0]!, { password: 'battery staple' })
    expect([late.answer.status, late.text]).toEqual([410, expect.stringContaining('no longer valid')])
    expect((await signIn(provider, visitor(provider.url), { email, password: 'correct horse' })).status).toBe(200)
  })

  test('an account that was never confirmed is by a mailed link, whose opening alone does nothing', async () => {
    const email = 'older@newcomer.example'
    await provider.storage.createAccount({ ...provider.account, email, emailVerified: false })
    const someone = person()
    await someone.fill('/verify-email', { email })
    const link = linkIn(await mailTo(email))
    // Mail programs open links by themselves.
    expect(await (await someone.send(link)).text()).toContain(`Is ${email} your address?`)
    expect((await provider.storage.findAccountByEmail(email))?.emailVerified).toBe(false)
    expect((await someone.fill(link, {})).text).toContain('E-mail confirmed')
    expect((await provider.storage.findAccountByEmail(email))?.emailVerified).toBe(true)
    expect((await someone.send(link)).status).toBe(410)
    expect((await someone.send(link.replace('verify-email', 'reset-password'))).status).toBe(410)
  })

  test('keeps no password in the clear', async () => {
    await signUp('hashed@northfield.example', 'a very secret one')
    const account = await provider.storage.findAccountByEmail('hashed@northfield.example')
    expect(account?.passwordHash).toMatch(/^scrypt\$/)
    expect(JSON.stringify([...provider.accounts.values(), ...provider.records.values()])).not.toContain('a very secret one')
  })

  test('refuses a malformed e-mail and a short password, in words at the field', async () => {
    const someone = person()
    const { page } = await openSignIn(provider, someone)
    expect((await someone.fill(`${page}/signup`, { email: 'not-an-address' })).text).toContain('Enter an e-mail address')
    const email = 'short@northfield.example'
    await someone.fill(`${page}/signup`, { email })
    const link = linkIn(await mailTo(email))
    expect((await someone.fill(link, { password: '1234567' })).text).toContain('Use at least 10 characters.')
    expect(await provider.storage.findAccountByEmail(email)).toBeUndefined()
  })

  test('screen_hint=signup opens the sign-up form, and the way back is open', async () => {
    const someone = person()
    const { page } = await openSignIn(provider, someone, { screen_hint: 'signup' })
    expect((await someone.send(page)).headers.get('location')).toBe(`${page}/signup`)
    expect(await (await someone.send(`${page}?signin`)).text()).toContain('>Sign in</button>')
  })

  test('a message that cannot be mailed is kept for the operator', async () => {
    const someone = person()
    const { page } = await openSignIn(provider, someone)
    await someone.fill(`${page}/signup`, { email: 'unreachable@northfield.example' })
    await expect.poll(() => provider.messages.map(({ to }) => to)).toEqual(['unreachable@northfield.example'])
    expect(provider.messages[0]?.text).toContain(`${provider.url}/create-account?token=`)
    expect(provider.errors.map(String)).toEqual(['Error: no such mailbox'])
  })
})
