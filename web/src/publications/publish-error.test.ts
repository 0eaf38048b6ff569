import fc from 'fast-check'
import { expect, test } from 'vitest'
import { CallError } from '../lib/api/call-error.ts'
import { formatPublishError } from './publish-error.ts'

const answered = (answer: { status: unknown; error?: unknown; data?: unknown }) => Object.assign(new Error('the error itself'), answer)

test('[PUB-05] a failure with a status says its error text', () => {
  expect(formatPublishError(answered({ status: 400, error: 'The file is not text.', data: { message: 'other' } }))).toBe(
    'The file is not text.',
  )
})

test("[PUB-05] the error text of a server's problem is its sentence; that of a lost connection says so", () => {
  const problem = { type: 'about:blank', title: 'Bad request', status: 400 }
  expect(formatPublishError(new CallError(400, { data: { ...problem, detail: 'The file a.js is empty.' } }))).toBe(
    'The file a.js is empty.',
  )
  expect(formatPublishError(new CallError(400, { data: problem }))).toBe('Bad request')
  expect(formatPublishError(new CallError('FETCH_ERROR'))).toBe('The server could not be reached.')
  expect(formatPublishError(new CallError(500, { data: { reason: 7 } }))).toBe('{"reason":7}')
})

test("[PUB-05] without error text it says the data's message", () => {
  expect(formatPublishError(answered({ status: 400, error: { code: 7 }, data: { message: 'No such zone.' } }))).toBe('No such zone.')
  expect(formatPublishError(answered({ status: 400, data: { message: 'No such zone.' } }))).toBe('No such zone.')
})

test.each([
  [{ code: 7 }, '{"code":7}'],
  [{ message: '' }, '{"message":""}'],
  [{ message: 3 }, '{"message":3}'],
  ['plain', '"plain"'],
  [null, 'null'],
])('[PUB-05] without a message it says the data serialised: %j', (data, text) => {
  expect(formatPublishError(answered({ status: 500, data }))).toBe(text)
})

test('with a status and nothing else the error speaks for itself', () => {
  expect(formatPublishError(answered({ status: 502 }))).toBe('the error itself')
})

test("[PUB-06] a failure without a status says the error's message", () => {
  expect(formatPublishError(new TypeError('Failed to fetch'))).toBe('Failed to fetch')
  expect(formatPublishError(answered({ status: undefined, error: 'not this' }))).toBe('the error itself')
  expect(formatPublishError(Object.assign(new Error('the error itself'), { error: 'not this', data: { message: 'nor this' } }))).toBe(
    'the error itself',
  )
})

test('[PUB-07] a failure that is no Error is thrown again, the same', () => {
  fc.assert(
    fc.property(
      fc.anything().filter((value) => !(value instanceof Error)),
      (failure) => {
        try {
          formatPublishError(failure)
        } catch (thrown) {
          return Object.is(thrown, failure)
        }
        return false
      },
    ),
  )
})
