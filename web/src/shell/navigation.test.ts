import { expect, test } from 'vitest'
import { areas, deviceManagement, homeOf, offered, screensOf } from './navigation.ts'

const labels = (entries: readonly { label: string }[]) => entries.map(({ label }) => label)

test('screens are the full paths of the routes that show something', () => {
  const routes = [
    { children: [{ index: true }, { path: '/codedm/zones' }, { path: 'admin', children: [{ path: 'organizations' }, { index: true }] }] },
    { path: '*' },
  ]
  expect(screensOf(routes)).toEqual(new Set(['/', '/codedm/zones', '/admin/organizations', '/admin', '/*']))
})

test('a bar offers only entries whose screen exists', () => {
  const screens = new Set(['/codedm', '/codedm/zones'])
  expect(labels(offered(areas, screens, []))).toEqual(['Device Management'])
  expect(labels(offered(deviceManagement, screens, []))).toEqual(['Overview', 'Zones'])
})

test('an entry that needs a permission is offered only with it', () => {
  const screens = new Set([...areas, ...deviceManagement].map(({ to }) => to))
  expect(labels(offered(areas, screens, []))).toEqual(['Products', 'Data', 'Device Management'])
  expect(labels(offered(areas, screens, ['global:access:organizations']))).toContain('All Organizations')
  expect(labels(offered(deviceManagement, screens, ['manage:firmware']))).not.toContain('Configure')
  expect(labels(offered(deviceManagement, screens, ['manage:cfg']))).toContain('Configure')
})

test('home is the products, or Device Management while there are none', () => {
  expect(homeOf(new Set(['/product', '/codedm']))).toBe('/product')
  expect(homeOf(new Set(['/codedm']))).toBe('/codedm')
})
