import { parseSync } from 'oxc-parser'
import type { Sources } from './imports.ts'

const DRAWERS = /^(utils?|helpers?|common|misc|shared|types|constants|hooks)$/
/** Pages, for lazy routes, and files that a tool loads by their default export. */
const MAY_EXPORT_DEFAULT = /(-page\.tsx|\.config\.ts|^server\/src\/testing\/database\/test-cluster\.ts)$/

/** What breaks the house rules on names (CONTRIBUTING, "The house"), as sentences. */
export function findMisnomers(sources: Sources): string[] {
  return [...sources].flatMap(([path, text]) => [...pathRules(path), ...(path.endsWith('.css') ? [] : codeRules(path, text))])
}

function pathRules(path: string): string[] {
  const parts = path.split('/').map((part) => part.replace(/\..*$/, ''))
  return parts.filter((part) => DRAWERS.test(part)).map((part) => `${path}: "${part}" says nothing; name the thing`)
}

function codeRules(path: string, text: string): string[] {
  const declared = [...text.matchAll(/^(?:export )?(?:abstract )?(?:interface|type|class) (\w+)/gm)].map((match) => match[1] ?? '')
  const decorated = declared.filter((name) => /^I[A-Z][a-z]|(Dto|Service|Manager)$/.test(name))
  const isDefault = parseSync(path, text).module.staticExports.some(({ entries }) =>
    entries.some((entry) => entry.exportName.kind === 'Default'),
  )
  return [
    ...decorated.map((name) => `${path}: ${name} is named after a pattern; name it after the field`),
    ...(isDefault && !MAY_EXPORT_DEFAULT.test(path) ? [`${path}: only pages have a default export`] : []),
  ]
}
