import { expect, test } from 'vitest'
import { findPasswordProblem, hashPassword, verifyPassword } from './passwords.ts'

test('a password belongs to its own hash only, and two hashes of it differ', async () => {
  const [one, two] = await Promise.all([hashPassword('lectern-demo'), hashPassword('lectern-demo')])
  expect(one).not.toBe(two)
  expect(await verifyPassword('lectern-demo', one)).toBe(true)
  expect(await verifyPassword('lectern-demo ', one)).toBe(false)
  expect(await verifyPassword('', null)).toBe(false)
  expect(await verifyPassword('lectern-demo', 'plain$lectern-demo')).toBe(false)
})

test('one character typed in two ways is one character', async () => {
  expect(await verifyPassword('cafe\u0301 noir', await hashPassword('caf\u00e9 noir'))).toBe(true)
})

test('no account costs as much time as a wrong password', async () => {
  const hash = await hashPassword('lectern-demo')
  const time = async (stored: string | undefined) => {
    const start = performance.now()
    await verifyPassword('wrong', stored)
    return performance.now() - start
  }
  const [known, unknown] = [await time(hash), await time(undefined)]
  expect(unknown).toBeGreaterThan(known / 4)
})

test('counts characters, not bytes, and has an upper bound', () => {
  expect(findPasswordProblem('1234567')).toBe('Use at least 8 characters.')
  expect(findPasswordProblem('éééééééé')).toBeUndefined()
  expect(findPasswordProblem('x'.repeat(257))).toBe('Use at most 256 characters.')
})
