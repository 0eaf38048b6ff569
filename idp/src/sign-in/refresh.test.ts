import { decodeJwt } from 'jose'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { scope, signIn, startProvider, type TestProvider, token, visitor } from '../testing/test-provider.ts'

let provider: TestProvider
beforeAll(async () => {
  provider = await startProvider({ trustProxy: 1 })
})
afterAll(async () => {
  await provider.close()
  expect(provider.errors.map((error) => String(error))).toEqual([])
})

const browser = { 'user-agent': 'A browser', 'x-forwarded-for': '192.0.2.7' }
const start = async () => (await signIn(provider, visitor(provider.url))).refresh_token
const renew = (refresh_token: string, from: Record<string, string> = browser) =>
  token(provider, { grant_type: 'refresh_token', refresh_token, scope, audience: 'urn:lectern:api' }, 'json', from)

/** Lets time pass since a refresh token was used. */
function age(refreshToken: string, seconds: number): void {
  const record = provider.records.get(`RefreshToken ${refreshToken}`)!
  record.consumed = Number(record.consumed) - seconds
}

/** Runs acts at once, so that all have read the stored refresh token before one marks it as used. */
async function atOnce<T>(...acts: (() => Promise<T>)[]): Promise<T[]> {
  const find = provider.storage.findRecord
  const looked = Promise.withResolvers<void>()
  let looks = 0
  provider.storage.findRecord = async (model, id) => {
    const record = await find(model, id)
    if (model !== 'RefreshToken' || looks === acts.length) return record
    looks += 1
    if (looks === acts.length) looked.resolve()
    await looked.promise
    return record
  }
  const results = await Promise.all(acts.map((act) => act()))
  provider.storage.findRecord = find
  return results
}

test('[SES-10] a refresh whose answer was lost is repeated, at another server too, and the session goes on', async () => {
  const first = await start()
  const lost = await renew(first)
  age(first, 27)
  await provider.restart()
  const again = await renew(first)
  expect(again.status).toBe(200)
  expect(again.refresh_token).toBe(lost.refresh_token)
  expect(decodeJwt(again.access_token).sub).toBe(provider.account.id)
  expect((await renew(first)).refresh_token).toBe(lost.refresh_token)
  const next = await renew(again.refresh_token)
  expect([next.status, next.refresh_token === again.refresh_token]).toEqual([200, false])
})

test('[SES-10] refreshes of one client at once all get the same successor', async () => {
  const first = await start()
  const all = await atOnce(...Array.from({ length: 5 }, () => () => renew(first)))
  expect(all.map(({ status }) => status)).toEqual([200, 200, 200, 200, 200])
  expect(new Set(all.map(({ refresh_token }) => refresh_token)).size).toBe(1)
  expect((await renew(all[0]!.refresh_token)).status).toBe(200)
})

test.for<[string, (first: string, second: string) => unknown, Record<string, string>?]>([
  ['after 30 seconds', (first) => age(first, 31)],
  ['once its successor was used', (_, second) => renew(second)],
  ['from another address', () => {}, { ...browser, 'x-forwarded-for': '192.0.2.8' }],
  ['from another program', () => {}, { ...browser, 'user-agent': 'curl' }],
])('[SES-10] the same refresh token ends its family %s', async ([, meanwhile, from]) => {
  const first = await start()
  const second = await renew(first)
  await meanwhile(first, second.refresh_token)
  expect(await renew(first, from)).toMatchObject({ status: 400, error: 'invalid_grant' })
  expect((await renew(second.refresh_token)).error_description).toContain('invalid refresh token')
  const { grant } = decodeJwt(second.access_token)
  expect([...provider.records.keys()].filter((key) => key === `Grant ${grant}`)).toEqual([])
})

test('[SES-10] of two at once from different addresses, one is refused and the family ends', async () => {
  const first = await start()
  const both = await atOnce(
    () => renew(first),
    () => renew(first, { ...browser, 'x-forwarded-for': '192.0.2.8' }),
  )
  expect(both.map(({ status }) => status).sort()).toEqual([200, 400])
  const winner = both.find(({ status }) => status === 200)!
  expect((await renew(winner.refresh_token)).status).toBe(400)
})
