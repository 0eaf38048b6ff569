import { readFile } from 'node:fs/promises'

/** Every route of the web app, as its list of addresses has them. */
export async function readRoutePatterns(): Promise<string[]> {
  const text = await readFile(new URL('../../web/src/paths.ts', import.meta.url), 'utf8')
  const [, list = ''] = /export const patterns = \{([\s\S]*?)\} as const/.exec(text) ?? []
  const patterns = [...list.matchAll(/: '(\/[^']*)'/g)].map(([, pattern = '']) => pattern)
  if (patterns.length === 0) throw new Error('No routes were found in web/src/paths.ts.')
  return patterns
}

/** What an address must match to belong to a route. */
export const toExpression = (pattern: string): RegExp => new RegExp(`^${pattern.replace(/:\w+/g, '[^/]+')}$`)
