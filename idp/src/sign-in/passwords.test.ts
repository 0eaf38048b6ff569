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

test.each([
  ['123456789', 'Use at least 10 characters.'],
  ['\u{1f511}'.repeat(9), 'Use at least 10 characters.'],
  ['\u{1f511}'.repeat(10), undefined],
  ['x'.repeat(256), undefined],
  ['x'.repeat(257), 'Use at most 256 characters.'],
  ['1234567890', 'This is one of the most common passwords. Choose another.'],
  ['P@ssw0rd123', 'This is one of the most common passwords. Choose another.'],
  ['Pa$$w0rd!!!', 'This is one of the most common passwords. Choose another.'],
  ['Password123', 'This is one of the most common passwords. Choose another.'],
  ['qwertyuiop', 'This is one of the most common passwords. Choose another.'],
  ['my Maya.Okafor 1', 'Choose a password without your e-mail address.'],
  ['maya okafor walks', undefined],
  ['correct horse', undefined],
  ['aaaaaaaaaab', undefined],
])('[SES-02] %j: %s', (password, problem) => expect(findPasswordProblem(password, 'maya.okafor@northfield.example')).toBe(problem))

test('[SES-02] a name of three letters may be in a password', () => {
  expect(findPasswordProblem('elisabethan', 'eli@northfield.example')).toBeUndefined()
})
