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

const spelled =
  /['"`]\/(?:product|data|profile|group|licences|readers|support|codedm|admin|register|join)(?=[/'"`?$])|(?:\bto=|navigate\()['"`]\/['"`]/

/** Whether a source has an address of a screen of its own, or adds to one of `paths`. */
function spellsPath(text: string): boolean {
  const code = text.replace(/^ *(\/\*\*|\/\/|\*).*$/gm, '')
  const kept = [...code.matchAll(/const (\w+) = paths\.\w+\(/g)].map(([, name]) => name)
  const continued = new RegExp(
    [String.raw`paths\.\w+\([^\x60]*?\)`, ...kept].map((path) => String.raw`\$\{(?:${path})\}(?!\x60)`).join('|'),
  )
  return spelled.test(code) || continued.test(code)
}

test.each([
  ['<Link to="/codedm/zones" />', true],
  ['navigate(`/licences?${query}`)', true],
  ['<Navigate to="/" />', true],
  ["navigate('/')", true],
  ['navigate(`${paths.builder({ device })}${search}`)', true],
  ['navigate(`${paths.zones()}/1`)', true],
  ['const chooser = paths.createConfiguration()\nnavigate(`${chooser}/success`)', true],
  ['const chooser = paths.createConfiguration()\nnavigate(`${origin}${chooser}`)', false],
  ['open(`${location.origin}${paths.join({ groupId }, { invitation })}`)', false],
  ["const parts = text.split('/')", false],
  ['// as in "/codedm/zones"', false],
])('a source that spells a path: %s', (text, spells) => {
  expect(spellsPath(text)).toBe(spells)
})

test('no other file spells a path', () => {
  const files = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' }).filter(
    (file) => /\.tsx?$/.test(file) && !/\.test\.tsx?$/.test(file) && file !== 'paths.ts' && !file.startsWith(join('ui', 'sheet')),
  )
  expect(files.length).toBeGreaterThan(300)
  expect(files.filter((file) => spellsPath(readFileSync(join(import.meta.dirname, file), 'utf8')))).toEqual([])
})
