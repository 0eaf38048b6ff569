import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import {
  authorization,
  openSignIn,
  redeem,
  renew,
  signIn,
  startProvider,
  type TestProvider,
  type Visitor,
  visitor,
} from '../testing/test-provider.ts'

const hour = 3_600_000
let provider: TestProvider
let start: number

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  start = Date.now()
  provider = await startProvider()
})
afterEach(async () => {
  vi.useRealTimers()
  await provider.close()
})

const goToDay = (days: number, hours = 0) => vi.setSystemTime(start + days * 24 * hour + hours * hour)

/** Signs in without a screen, by the session. */
async function signInSilently(person: Visitor) {
  const { path, verifier } = authorization(provider.url, { prompt: 'none', response_mode: 'web_message' })
  const page = await (await person.send(path)).text()
  const { response } = JSON.parse(/var data = (.*);/.exec(page)?.[1] ?? '{}') as { response: Record<string, string> }
  return response.code === undefined ? response.error : redeem(provider, response.code, verifier)
}

test('a sign-in ends after 30 days, however often it is renewed and used meanwhile', async () => {
  const person = visitor(provider.url)
  let [tokens, used] = [await signIn(provider, person), '']
  for (const day of [10, 20, 29]) {
    goToDay(day)
    used = tokens.refresh_token
    tokens = await renew(provider, tokens.refresh_token)
    expect([tokens.status, await signInSilently(person)]).toEqual([200, expect.objectContaining({ status: 200 })])
  }
  // Using a refresh token again ends what was granted, so the session must grant anew.
  await renew(provider, tokens.refresh_token)
  expect((await renew(provider, used)).error).toBe('invalid_grant')
  const granted = [await signInSilently(person), await signInSilently(person)] as (typeof tokens)[]
  expect((await renew(provider, granted[0]!.refresh_token)).status).toBe(200)
  goToDay(30, 1)
  expect((await renew(provider, granted[1]!.refresh_token)).error).toBe('invalid_grant')
  expect(await signInSilently(person)).toBe('login_required')
  expect((await openSignIn(provider, person)).page).toMatch(/^\/login\//)
})

test('14 days without use end a sign-in, and a minute ends a code', async () => {
  const person = visitor(provider.url)
  const tokens = await signIn(provider, person)
  const { path, verifier } = authorization(provider.url, { prompt: 'none' })
  const code = new URL((await person.send(path)).headers.get('location') ?? '', provider.url).searchParams.get('code') ?? ''
  vi.setSystemTime(start + 61_000)
  expect((await redeem(provider, code, verifier)).error).toBe('invalid_grant')
  goToDay(14, 1)
  expect((await renew(provider, tokens.refresh_token)).error).toBe('invalid_grant')
  expect(await signInSilently(person)).toBe('login_required')
})

test('who signs in again meanwhile has 30 days from then on, and a setting says how many', async () => {
  const person = visitor(provider.url)
  await signIn(provider, person)
  goToDay(29)
  const { page, verifier } = await openSignIn(provider, person, { prompt: 'login' })
  const end = await person.follow(await person.submit(page, { email: 'manager@northfield.example', password: 'lectern-demo' }))
  const code = new URL(end.headers.get('location') ?? '', provider.url).searchParams.get('code') ?? ''
  const tokens = await redeem(provider, code, verifier)
  goToDay(42)
  const renewed = await renew(provider, tokens.refresh_token)
  expect([renewed.status, await signInSilently(person)]).toEqual([200, expect.objectContaining({ status: 200 })])
  await provider.restart({ lifetimes: { grant: 13 * 24 * 3600 } })
  expect(await signInSilently(person)).toBe('login_required')
})
