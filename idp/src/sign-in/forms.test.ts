import { afterAll, describe, expect, test } from 'vitest'
import { startWithMail } from '../testing/mailbox.ts'
import { hiddenFields, manager, openSignIn, renew, signIn, visitor } from '../testing/test-provider.ts'

const { provider, mailTo, linkIn, person, signUp, listMailed } = await startWithMail({ signInAttempts: { perAccount: 3, perAddress: 5 } })
afterAll(() => provider.close())

describe('the sign-in form', () => {
  test('a wrong password and an unknown e-mail get the same words', async () => {
    for (const email of [manager.email, 'nobody@northfield.example']) {
      const someone = person()
      const { page } = await openSignIn(provider, someone)
      const { answer, text } = await someone.fill(page, { email, password: 'not this one' })
      expect(answer.status).toBe(400)
      expect(text).toContain('The e-mail or the password is wrong.')
      expect(text).toContain(`value="${email}"`)
      expect(text).not.toContain('not this one')
    }
  })

  test('empty fields are named at the field', async () => {
    const someone = person()
    const { page } = await openSignIn(provider, someone)
    const { text } = await someone.fill(page, { email: ' ', password: '' })
    expect(text).toContain('Enter your e-mail.')
    expect(text).toContain('Enter your password.')
  })

  test('the e-mail may be typed in capitals and with spaces around it', async () => {
    const tokens = await signIn(provider, visitor(provider.url), { email: ` ${manager.email.toUpperCase()} `, password: manager.password })
    expect(tokens.status).toBe(200)
  })

  test('what is typed comes back as text, never as markup', async () => {
    const someone = person()
    const { page } = await openSignIn(provider, someone, { login_hint: '"><script>alert(1)</script>' })
    expect(await (await someone.send(page)).text()).not.toContain('<script')
    const { text } = await someone.fill(page, { email: '"><img src=x onerror=alert(1)>', password: 'x' })
    expect(text).not.toContain('<img')
    expect(text).toContain('&#34;&#62;&#60;img src=x')
  })

  test('too many wrong passwords lock an account for a while, from every address, and the page shows the wait', async () => {
    await signUp('locked@northfield.example')
    const someone = person()
    const { page } = await openSignIn(provider, someone)
    const fields = { email: 'locked@northfield.example', password: 'wrong' }
    for (let attempt = 0; attempt < 3; attempt += 1) expect((await someone.fill(page, fields)).answer.status).toBe(400)
    const other = person()
    const { answer, text } = await other.fill((await openSignIn(provider, other)).page, { ...fields, password: 'correct horse' })
    expect(answer.status).toBe(429)
    expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(text).toContain('Too many attempts. Try again in 60 minutes.')
    // Others go on as before.
    expect((await signIn(provider, visitor(provider.url))).status).toBe(200)
  })

  test('too many wrong passwords from one address lock the address, for all accounts', async () => {
    const someone = person()
    const { page } = await openSignIn(provider, someone)
    const attempts = Array.from({ length: 5 }, (_, index) =>
      someone.fill(page, { email: `${index}@northfield.example`, password: 'wrong' }),
    )
    expect((await Promise.all(attempts)).map(({ answer }) => answer.status)).toEqual(Array(5).fill(400))
    expect((await someone.fill(page, manager as never)).answer.status).toBe(429)
  })

  test('a sign-in that succeeds does not count', async () => {
    await signUp('often@northfield.example')
    for (let time = 0; time < 4; time += 1) {
      const tokens = await signIn(provider, visitor(provider.url), { email: 'often@northfield.example', password: 'correct horse' })
      expect(tokens.status).toBe(200)
    }
  })

  test('a form without the proof, with a foreign one, or from another site is refused', async () => {
    const [someone, attacker] = [person(), person()]
    const { page } = await openSignIn(provider, someone)
    const { proof = '' } = hiddenFields(await (await someone.send(page)).text())
    const foreign = hiddenFields(await (await attacker.send((await openSignIn(provider, attacker)).page)).text()).proof ?? ''
    const fields = { email: manager.email, password: manager.password }
    expect((await someone.post(page, fields)).status).toBe(403)
    expect((await someone.post(page, { ...fields, proof: foreign })).status).toBe(403)
    expect((await someone.post(page, { ...fields, proof }, { origin: 'https://evil.example' })).status).toBe(403)
    expect((await someone.post(page, { ...fields, proof })).status).toBe(303)
  })

  test("another user's sign-in page and an invented one show that the sign-in has expired", async () => {
    const { page } = await openSignIn(provider, person())
    for (const path of [page, '/login/made-up']) {
      const answer = await person().send(path)
      expect([answer.status, (await answer.text()).includes('Sign-in has expired')]).toEqual([400, true])
    }
  })
})

describe('changing a password', () => {
  const who = { email: 'careful@northfield.example', password: 'correct horse' }
  const page = '/change-password'

  test('[SES-02] takes the present one, and signs the account out everywhere', async () => {
    await signUp(who.email)
    const someone = person()
    const tokens = await signIn(provider, someone, who)
    expect((await someone.fill(page, { current: '', password: 'a new password' })).text).toContain('Enter your password.')
    const wrong = await someone.fill(page, { current: 'not this one', password: 'a new password' })
    expect([wrong.answer.status, wrong.text]).toEqual([400, expect.stringContaining('This is not your password.')])
    expect((await someone.fill(page, { current: who.password, password: 'Password123' })).text).toContain('most common')
    expect((await renew(provider, tokens.refresh_token)).error_description).toBeUndefined()
    expect((await someone.fill(page, { current: who.password, password: 'a new password' })).text).toContain('Password saved')
    expect((await renew(provider, tokens.refresh_token)).error_description).toContain('invalid refresh token')
    expect((await someone.send(page)).status).toBe(401)
    expect((await signIn(provider, visitor(provider.url), { ...who, password: 'a new password' })).status).toBe(200)
  })

  test('[SES-02] nobody changes it without a session, or by a form of another site', async () => {
    expect((await person().send(page)).status).toBe(401)
    const someone = person()
    const { id_token } = await signIn(provider, someone, manager)
    const fields = { ...hiddenFields(await (await someone.send(page)).text()), current: manager.password, password: 'a new password' }
    expect((await someone.post(page, { ...fields, proof: 'another' })).status).toBe(403)
    expect((await someone.post(page, fields, { origin: 'https://evil.example' })).status).toBe(403)
    const ended = await someone.send(`/v2/logout?id_token_hint=${id_token}`)
    expect(ended.status).toBe(303)
    expect((await someone.post(page, fields)).status).toBe(401)
  })

  test('guesses of the present one are counted as those of a sign-in', async () => {
    await signUp('guessed@northfield.example')
    const someone = person()
    await signIn(provider, someone, { ...who, email: 'guessed@northfield.example' })
    const guess = async () => (await someone.fill(page, { current: 'not this one', password: 'a new password' })).answer.status
    const statuses = []
    // First the guesses that a known browser has, then those of an unknown one: six, then 429.
    for (let time = 0; time < 7; time += 1) statuses.push(await guess())
    expect(statuses).toEqual([400, 400, 400, 400, 400, 400, 429])
  })
})

describe('resetting a password', () => {
  const who = { email: 'forgetful@northfield.example', password: 'correct horse' }

  test('a mailed link sets a new password once, and ends every other sign-in of the account', async () => {
    await signUp(who.email)
    const before = await signIn(provider, visitor(provider.url), who)
    const someone = person()
    expect((await someone.fill('/reset-password', { email: who.email })).text).toContain('we have sent it a link')
    const link = linkIn(await mailTo(who.email))
    expect((await someone.fill(link, { password: 'short' })).text).toContain('Use at least 10 characters.')
    expect((await someone.fill(link, { password: 'so forgetful am I' })).text).toContain('without your e-mail address')
    expect((await someone.fill(link, { password: 'a new password' })).text).toContain('Password saved')
    expect((await someone.send(link)).status).toBe(410)
    expect((await renew(provider, before.refresh_token)).error_description).toContain('invalid refresh token')
    const { page } = await openSignIn(provider, someone)
    expect((await someone.fill(page, who)).answer.status).toBe(400)
    expect((await signIn(provider, visitor(provider.url), { ...who, password: 'a new password' })).status).toBe(200)
  })

  test('the form responds the same for an unknown address, and sends nothing', async () => {
    const someone = person()
    const known = await someone.fill('/reset-password', { email: manager.email })
    await mailTo(manager.email)
    const unknown = await someone.fill('/reset-password', { email: 'nobody@northfield.example' })
    expect(unknown.text).toBe(known.text)
    expect(listMailed().filter(({ subject }) => subject.startsWith('Choose'))).toEqual([])
  })

  test('only three links an hour go to one address', async () => {
    const email = 'flooded@northfield.example'
    for (let time = 0; time < 3; time += 1) expect((await person().fill('/reset-password', { email })).answer.status).toBe(200)
    expect((await person().fill('/reset-password', { email })).answer.status).toBe(429)
  })
})

test('an internal error shows a page without details and goes to the log', async () => {
  const find = provider.storage.findAccountByEmail
  provider.storage.findAccountByEmail = async () => {
    throw new Error('connection to 10.0.0.5 refused')
  }
  const someone = person()
  const { answer, text } = await someone.fill((await openSignIn(provider, someone)).page, manager as never)
  provider.storage.findAccountByEmail = find
  expect(answer.status).toBe(500)
  expect(text).toContain('Something went wrong')
  expect(text).not.toContain('10.0.0.5')
  expect(provider.errors.map(String)).toContain('Error: connection to 10.0.0.5 refused')
})
