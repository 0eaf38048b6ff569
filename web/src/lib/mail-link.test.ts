import { expect, test } from 'vitest'
import { mailLink } from './mail-link.ts'

test('a link to an address has nothing but the address', () => {
  expect(mailLink('a.person+portal@example.org')).toBe('mailto:a.person%2Bportal@example.org')
  const { pathname, search, hash } = new URL(mailLink('a?bcc=b&c#d@example.org'))
  expect([decodeURIComponent(pathname), search, hash]).toEqual(['a?bcc=b&c#d@example.org', '', ''])
})
