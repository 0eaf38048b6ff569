import fc from 'fast-check'
import { expect, test } from 'vitest'
import { Address } from './addresses.ts'
import { isSafeAddress } from './safe-address.ts'

const portal = 'https://portal.example'

test.for([
  'https://example.com',
  'https://example.com/a%20b?c=d#e',
  'HTTPS://EXAMPLE.COM',
  '/',
  '/assets/picture.png',
  '/product/id/2/details',
])('lets a browser be led to %j', (address) => {
  expect(isSafeAddress(address)).toBe(true)
})

test.for([
  '',
  'example.com',
  'http://example.com',
  'http://localhost',
  'http://localhost:3000/x',
  'http://127.0.0.1/x',
  'http://[::1]:8080/',
  'http://localhost.evil.example',
  'http://localhost@evil.example',
  'javascript:alert(1)',
  'JavaScript:alert(1)',
  'java\nscript:alert(1)',
  ' javascript:alert(1)',
  'data:text/html,<script>alert(1)</script>',
  'vbscript:x',
  'blob:https://example.com/1',
  'file:///etc/passwd',
  'ftp://example.com',
  '//evil.example',
  '/\\evil.example',
  '\\\\evil.example',
  '/\t/evil.example',
  '\t//evil.example',
  'https:example.com',
  'https:/example.com',
  'https://',
  'https://example.com/\0',
  'https://example.com/ ',
  'https://exam\nple.com',
  'https://example.com\\@evil.example',
  '/\0',
  '../x',
  'x',
])('[MAY-06] leads no browser to %j', (address) => {
  expect(isSafeAddress(address)).toBe(false)
})

const part = fc.constantFrom(
  ...['http', 'https', 'HTTPS', 'javascript', 'data', ':', '/', '//', '\\', '@', '.', '..', '?', '#', '%2F', '%5C', ' ', '\t', '\n', '\0'],
  ...[
    'localhost',
    '127.0.0.1',
    '127.1',
    '[::1]',
    'evil.example',
    'portal.example',
    ':80',
    'x',
    'ä',
    '\u2028',
    '\u200b',
    '\ufeff',
    '｡',
    '／',
  ],
)
const address = fc.oneof(
  fc.array(part, { maxLength: 8 }).map((parts) => parts.join('')),
  fc.string({ unit: 'binary' }),
  fc.webUrl({ withFragments: true, withQueryParameters: true }),
)

test('whatever is let through leads over TLS or back to the portal, and can be kept', () => {
  fc.assert(
    fc.property(address, (text) => {
      fc.pre(isSafeAddress(text))
      const { protocol, origin } = new URL(text, portal)
      expect(protocol).toBe('https:')
      if (text.startsWith('/')) expect(origin).toBe(portal)
      expect(text).not.toMatch(/[\0\s]/)
    }),
    { numRuns: 5_000, seed: 20_261_121, maxSkipsPerRun: 1_000 },
  )
})

test('an address has at most so many characters, and no half of one', () => {
  const schema = Address(30)
  const start = 'https://example.com/'
  expect(schema.safeParse(start.padEnd(30, 'x')).success).toBe(true)
  expect(schema.safeParse(start.padEnd(31, 'x')).error?.issues).toMatchObject([{ message: 'must have at most 30 characters' }])
  expect(schema.safeParse(`${start}\ud800`).error?.issues).toMatchObject([{ message: 'must be an https:// address' }])
})
