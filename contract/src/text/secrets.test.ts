import { expect, test } from 'vitest'
import { withoutSecrets } from './secrets.ts'

const token = `eyJ${'hbGciOiJSUzI1NiJ9'}.${'eyJzdWIiOiJ1MSJ9'}.c2ln-bmF0_dXJl`

test.each([
  ['http://portal.example/?code=abc&state=x%2By&page=2', 'http://portal.example/?code=[removed]&state=[removed]&page=2'],
  ['/register?invitation=q9_-x', '/register?invitation=[removed]'],
  ['/logout?id_token_hint=abc.def', '/logout?id_token_hint=[removed]'],
  ['/join/12#q9_-x', '/join/12#[removed]'],
  ['it was /join#q9_-x', 'it was /join#[removed]'],
  ['http://portal.example/join/12#q9', 'http://portal.example/join/12#[removed]'],
  ['GET https://portal.example/join/12#q9 failed', 'GET https://portal.example/join/12#[removed] failed'],
  ['/sign-in?returnTo=%2Fjoin%3Finvitation%3Dq9%26page%3D2', '/sign-in?returnTo=%2Fjoin%3Finvitation%3D[removed]%26page%3D2'],
  ['authorization: Bearer 0123456789abcdef==', 'authorization: Bearer [removed]'],
  ['Bearer  0123456789abcdef', 'Bearer  [removed]'],
  [`it was ${token}, then`, 'it was [removed], then'],
  [
    '{"href":"https://portal.example/?code=abc#def","next":"\\"?token=abc\\""}',
    '{"href":"https://portal.example/?code=[removed]#[removed]","next":"\\"?token=[removed]\\""}',
  ],
])('%s', (text, left) => {
  expect(withoutSecrets(text)).toBe(left)
  expect(withoutSecrets(left)).toBe(left)
})

test.each([
  '/codedm/device-dashboard?textFilter=icu&PageNumber=2',
  'The code is wrong: state unknown',
  'a { color: #fff; background: url(#mask) } b#c { margin: 0 }',
  'either/or#1',
  'Bearer tokens are refused',
  '/codedm/create-configuration/CR2700?encode=utf8&statement=1',
])('leaves: %s', (text) => {
  expect(withoutSecrets(text)).toBe(text)
})

test('reaches into lists and objects, and leaves what is neither text nor plain', () => {
  const bytes = new Uint8Array([1])
  const value = { request: { url: '/?code=abc' }, crumbs: [{ data: { from: '/?code=abc', status: 200 } }], bytes, none: null }
  expect(withoutSecrets(value)).toEqual({
    request: { url: '/?code=[removed]' },
    crumbs: [{ data: { from: '/?code=[removed]', status: 200 } }],
    bytes,
    none: null,
  })
  expect(value.request.url).toBe('/?code=abc')
  expect(withoutSecrets(undefined)).toBeUndefined()
})
