import { expect, test } from 'vitest'
import { readSources, type Sources } from './imports.ts'
import { findMissingSheets, findStraySheets } from './styles.ts'

test('a style sheet is beside the one component that imports it', () => {
  expect(findStraySheets(readSources())).toEqual([])
})

const zone = `import './zone.css'\nexport const Zone = () => <p className="zone-note" />`
const sheet = '.zone-note {\n  color: red;\n}\n'
const rules = (...files: [path: string, text: string][]): Sources =>
  new Map([['web/src/zones/zone.tsx', zone], ['web/src/zones/zone.css', sheet], ...files])

test.each([
  ['a sheet without its component', rules(['web/src/zones/zones.css', sheet])],
  ['a second reader', rules(['web/src/zones/zones-page.tsx', `import './zone.css'`])],
  ['a class that nothing has', rules(['web/src/zones/zone.css', `${sheet}.zone-mark {\n}\n`])],
  ['a class of another noun', rules(['web/src/ads/ad.tsx', 'export const Ad = () => <p className="mt-4 zone-note" />'])],
  [
    'a sheet of ui that its component does not import',
    rules(
      ['web/src/ui/badge.tsx', `export const Badge = () => <b className="badge" />`],
      ['web/src/ui/badge.css', '.badge {\n}\n'],
      ['web/src/styles.css', '@import "./ui/badge.css";'],
    ),
  ],
])('refuses %s', (_, sources) => {
  expect(findStraySheets(sources)).toHaveLength(1)
})

test('allows a class whose end is computed, those of packages, and what ui declares', () => {
  const mark = `export const Mark = () => <p className={\`zone-mark-\${state} badge\`} />`
  const files = rules(
    ['web/src/zones/zone.css', `${sheet}.zone-mark-done .lucide, .zone-note .badge {\n}\n`],
    ['web/src/zones/mark.tsx', mark],
    ['web/src/ui/badge.tsx', `import './badge.css'\nexport const Badge = () => <b className="badge" />`],
    ['web/src/ui/badge.css', '.badge {\n}\n'],
    ['web/src/ads/ad.tsx', `import '../ui/badge.css'\nexport const Ad = () => <p className="badge" />`],
  )
  expect(findStraySheets(files)).toEqual([])
})

test('every component brings the sheets of the classes that it uses', () => {
  expect(findMissingSheets(readSources())).toEqual([])
})

test('a sheet is brought by an import of an import, and missing where none brings it', () => {
  const files = rules(
    ['web/src/ui/badge.tsx', `import './badge.css'\nexport const Badge = () => <b className="badge" />`],
    ['web/src/ui/badge.css', '.badge {\n}\n.badge .icon {\n}\n'],
    ['web/src/ads/ad.tsx', 'export const Ad = () => <p className="badge icon" />'],
    ['web/src/ads/mark.tsx', `import { Badge } from '../ui/badge.tsx'\nexport const Mark = () => <p className="badge">{Badge}</p>`],
  )
  expect(findMissingSheets(files)).toEqual(['web/src/ads/ad.tsx: badge needs web/src/ui/badge.css'])
})
