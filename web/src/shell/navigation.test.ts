import { expect, test } from 'vitest'
import type { ScreenHandle } from '../lib/screens.ts'
import { built, isDeviceManagement, offered } from './navigation.ts'

const labels = (entries: readonly { label: string }[]) => entries.map(({ label }) => label)
const finding = (screens: Record<string, ScreenHandle>) => (path: string) => screens[path] ?? null
const entries = [
  { to: '/here', label: 'Here' },
  { to: '/soon', label: 'Soon' },
  { to: '/nowhere', label: 'Nowhere' },
]

test('a bar offers the entries whose screen can be found, a strip only those that are built', () => {
  const find = finding({ '/here': {}, '/soon': { upcoming: true } })
  expect(labels(offered(entries, find))).toEqual(['Here', 'Soon'])
  expect(labels(built(entries, find))).toEqual(['Here'])
})

test('what lies below /codedm belongs to Device Management, and what only begins like it does not', () => {
  expect(['/codedm', '/codedm/', '/codedm/zones', '/codedmx', '/data'].filter(isDeviceManagement)).toEqual([
    '/codedm',
    '/codedm/',
    '/codedm/zones',
  ])
})
