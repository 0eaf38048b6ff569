import { parseFeatureFlags } from '@lectern/contract/feature-flags.ts'
import { expect, test } from 'vitest'
import { collectScreens, missingPermissions, type ScreenHandle, screenFor } from './screens.ts'

const parseFlags = (list: string) => parseFeatureFlags([list], () => undefined)
const holding = (...permissions: string[]) => ({ permissions, flags: parseFlags(''), isLimited: false })

test('screens are the full paths of the routes that show something, with what each says of itself', () => {
  const routes = [
    {
      children: [
        { index: true as const },
        { path: '/codedm/zones', handle: { upcoming: true } },
        { path: 'admin', children: [{ path: 'organizations' }, { index: true as const }] },
      ],
    },
    { path: '*' },
  ]
  expect([...collectScreens(routes)]).toEqual([
    ['/', {}],
    ['/codedm/zones', { upcoming: true }],
    ['/admin/organizations', {}],
    ['/admin', {}],
    ['/*', {}],
  ])
})

test('[PER-02] of several permissions that a screen needs, all must be held', () => {
  const both = { needs: ['manage:cfg', 'manage:firmware'] }
  const screens = { screens: new Map([['/both', both]]), hasOrganization: true }
  expect(missingPermissions(both, holding())).toEqual(['manage:cfg', 'manage:firmware'])
  expect(missingPermissions(both, holding('manage:cfg'))).toEqual(['manage:firmware'])
  expect(screenFor(screens, '/both', holding('manage:cfg'))).toBeNull()
  expect(screenFor(screens, '/both', holding('manage:firmware'))).toBeNull()
  expect(screenFor(screens, '/both', holding('manage:firmware', 'manage:cfg'))).toBe(both)
})

test('a screen behind a flag is found while the flag is on; one that no route has, never', () => {
  const screens = { screens: new Map([['/flagged', { flag: 'showActivityStream' as const }]]), hasOrganization: true }
  const holdings = { permissions: [], flags: parseFlags('showActivityStream'), isLimited: false }
  expect(screenFor(screens, '/flagged', holding())).toBeNull()
  expect(screenFor(screens, '/flagged', holdings)).not.toBeNull()
  expect(screenFor(screens, '/other', holdings)).toBeNull()
})

test('[WAY-02] without an organization only those screens are found that can do without', () => {
  const screens = new Map<string, ScreenHandle>([
    ['/own', {}],
    ['/any', { withoutOrganization: true }],
    ['/analysts', { withoutOrganization: 'global:access:analytics' }],
  ])
  const found = (hasOrganization: boolean, ...permissions: string[]) =>
    [...screens.keys()].filter((path) => screenFor({ screens, hasOrganization }, path, holding(...permissions)) !== null)
  expect(found(true)).toEqual(['/own', '/any', '/analysts'])
  expect(found(false)).toEqual(['/any'])
  expect(found(false, 'global:access:analytics')).toEqual(['/any', '/analysts'])
})

test('[PPL-04] what is about the whole organization is not for a role that is limited to zones', () => {
  const screens = {
    screens: new Map([
      ['/whole', { ofWhole: true }],
      ['/zones', {}],
    ]),
    hasOrganization: true,
  }
  const limited = { ...holding('manage:cfg'), isLimited: true }
  expect([screenFor(screens, '/whole', limited), screenFor(screens, '/zones', limited)]).toEqual([null, {}])
  expect(screenFor(screens, '/whole', holding('manage:cfg'))).toEqual({ ofWhole: true })
})
