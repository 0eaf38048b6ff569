import { parseFeatureFlags } from '@lectern/contract/feature-flags.ts'
import { expect, test } from 'vitest'
import { collectScreens, missingPermissions, screenFor } from './screens.ts'

const parseFlags = (list: string) => parseFeatureFlags([list], () => undefined)
const holding = (...permissions: string[]) => ({ permissions, flags: parseFlags('') })

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
  const screens = new Map([['/both', both]])
  expect(missingPermissions(both, holding())).toEqual(['manage:cfg', 'manage:firmware'])
  expect(missingPermissions(both, holding('manage:cfg'))).toEqual(['manage:firmware'])
  expect(screenFor(screens, '/both', holding('manage:cfg'))).toBeNull()
  expect(screenFor(screens, '/both', holding('manage:firmware'))).toBeNull()
  expect(screenFor(screens, '/both', holding('manage:firmware', 'manage:cfg'))).toBe(both)
})

test('a screen behind a flag is found while the flag is on; one that no route has, never', () => {
  const screens = new Map([['/flagged', { flag: 'showActivityStream' as const }]])
  const holdings = { permissions: [], flags: parseFlags('showActivityStream') }
  expect(screenFor(screens, '/flagged', holding())).toBeNull()
  expect(screenFor(screens, '/flagged', holdings)).not.toBeNull()
  expect(screenFor(screens, '/other', holdings)).toBeNull()
})
