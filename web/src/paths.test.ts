import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { expect, test } from 'vitest'
import { paths } from './paths.ts'

test('a path has its parameters encoded and its query behind it', () => {
  expect(paths.zones()).toBe('/codedm/zones')
  expect(paths.builder({ device: 'A271/2' })).toBe('/codedm/create-configuration/A271%2F2')
  expect(paths.device({ serialNumber: '../x?y' }, { tab: 'a b' })).toBe('/codedm/devices/%2E%2E%2Fx%3Fy?tab=a+b')
  expect(paths.groupDetails({ organizationId: 'north', groupId: 7 })).toBe('/admin/organizations/north/groups/id/7/details')
  expect(paths.licences(new URLSearchParams())).toBe('/licences')
})

test('no other file spells a path', () => {
  const spelled = /['"`]\/(?:product|data|profile|group|licences|readers|support|codedm|admin|register|join)(?=[/'"`?$])/
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file !== 'paths.ts' && !file.startsWith(join('ui', 'sheet')),
  )
  expect(files.length).toBeGreaterThan(300)
  const spelling = files.filter((file) =>
    readFileSync(join(import.meta.dirname, file), 'utf8')
      .split('\n')
      .some((line) => !/^\s*(\/\*\*|\/\/|\*)/.test(line) && spelled.test(line)),
  )
  expect(spelling).toEqual([])
})
