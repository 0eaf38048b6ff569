import { setImmediate as turn } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { createLookups } from './lookups.ts'

/** Look-ups that the test ends: `finish` ends the oldest one under way. */
function open() {
  const lookups = createLookups()
  const begun: { account: string; end: () => void }[] = []
  const find = (credential: string, account: string, address = '192.0.2.1') =>
    lookups.find(
      { kind: 'person', credential, address },
      () => new Promise<string>((resolve) => begun.push({ account, end: () => resolve(account) })),
      (found) => found,
    )
  const finish = async () => {
    begun.shift()!.end()
    await settle()
  }
  const finishAll = async () => {
    while (begun.length > 0) await finish()
  }
  const accounts = () => begun.map(({ account }) => account)
  return { find, finish, finishAll, accounts }
}

// No timer and no network is waited for.
async function settle() {
  for (let turns = 0; turns < 5; turns++) await turn()
}

test('[FAI-02] credentials that nobody has seen have two places per address, and a known one does not wait for them', async () => {
  const { find, finish, finishAll, accounts } = open()
  const first = find('good', 'ann')
  await settle()
  await finish()
  expect(await first).toBe('ann')
  const invented = Array.from({ length: 50 }, (_, index) => find(`invented ${index}`, 'nobody'))
  const known = find('good', 'ann')
  const elsewhere = find('new', 'bob', '192.0.2.2')
  await settle()
  expect(accounts()).toEqual(['nobody', 'nobody', 'ann', 'bob'])
  await finishAll()
  await Promise.all([...invented, known, elsewhere])
})

test('[FAI-02] all known tokens of an account have two places together', async () => {
  const { find, finishAll, accounts } = open()
  const tokens = Array.from({ length: 100 }, (_, index) => `token ${index}`)
  const first = tokens.map((token) => find(token, 'ann'))
  await settle()
  await finishAll()
  await Promise.all(first)
  const again = tokens.map((token) => find(token, 'ann'))
  await settle()
  expect(accounts()).toEqual(['ann', 'ann'])
  await finishAll()
  expect(new Set(await Promise.all(again))).toEqual(new Set(['ann']))
})

test('[FAI-02] calls with the same token share a look-up that begins after all of them have come', async () => {
  const { find, finish, accounts } = open()
  const first = find('token', 'as it was')
  await settle()
  const later = Array.from({ length: 1_000 }, () => find('token', 'as it is'))
  await settle()
  expect(accounts()).toEqual(['as it was'])
  await finish()
  expect(await first).toBe('as it was')
  expect(accounts()).toEqual(['as it is'])
  await finish()
  expect(new Set(await Promise.all(later))).toEqual(new Set(['as it is']))
})

test('[FAI-02] calls share the next look-up of their token also while it waits for a place of their account', async () => {
  const { find, finish, finishAll, accounts } = open()
  const ask = (token: string) => find(token, 'ann')
  const known = ['one', 'two', 'three'].map(ask)
  await settle()
  await finishAll()
  await Promise.all(known)
  const asked = ['one', 'two', 'three'].map(ask)
  await settle()
  asked.push(ask('one'))
  await settle()
  // The third has the first one's place, so the second look-up of the same token waits.
  await finish()
  asked.push(ask('one'))
  await settle()
  await finish()
  await finish()
  expect(accounts()).toEqual(['ann'])
  await finishAll()
  await Promise.all(asked)
})

test('[FAI-02] the next call after a look-up that failed looks up anew, and a thousand wait at most', async () => {
  const lookups = createLookups()
  const find = (credential: string, look: () => Promise<string>) =>
    lookups.find({ kind: 'person', credential, address: '192.0.2.1' }, look, (found) => found)
  const fail = () => Promise.reject(new Error('unknown'))
  await expect(find('token', fail)).rejects.toThrow('unknown')
  expect(await find('token', async () => 'ann')).toBe('ann')
  const { promise, resolve } = Promise.withResolvers<string>()
  const asked = Array.from({ length: 1_003 }, (_, index) => find(`other ${index}`, () => promise))
  await expect(asked.at(-1)).rejects.toMatchObject({ status: 429 })
  resolve('bob')
  expect(await Promise.all(asked.slice(0, -1))).toHaveLength(1_002)
})
