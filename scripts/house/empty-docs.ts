import type { Sources } from './imports.ts'
import { isProduction } from './sizes.ts'
import { declares, type Node, parse } from './syntax.ts'
import { toKebab } from './words.ts'

const stopWords = new Set(
  'a an all and any are as at be by for from has have how if in into is it its kind list of on one or own that the their them they this to what when where which who with'.split(
    ' ',
  ),
)
const stem = (word: string) => word.replace(/(ies|y)$/, 'i').replace(/(?:ing|ed|es|s|e|er|or)$/, '')

export interface EmptyDoc {
  path: string
  name: string
  doc: string
}

/** Doc blocks that say nothing but the name below them in other words. */
export function findEmptyDocs(sources: Sources): EmptyDoc[] {
  return [...sources]
    .filter(([path]) => isProduction(path))
    .flatMap(([path, text]) => {
      const { nodes, comments } = parse(path, text)
      const declared = nodes.map(([node]) => node).filter(({ type }) => type in declares || type === 'Property')
      return comments
        .filter(({ start }) => text.startsWith('/**', start))
        .flatMap(({ end, value }) => {
          const below = declared
            .filter(({ start }) => start >= end && /^\s*(export |async |const |let |readonly )*$/.test(text.slice(end, start)))
            .sort((a, b) => a.start - b.start)[0]
          const named = below && (below[declares[below.type] ?? 'key'] as Node | undefined)
          if (named?.type !== 'Identifier') return []
          const name = String(named.name)
          const nameWords = new Set(toKebab(name).split('-').map(stem))
          const words = (value.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !stopWords.has(word))
          return words.length > 0 && words.every((word) => nameWords.has(stem(word)))
            ? [{ path, name, doc: value.replace(/\s*\*\s*/g, ' ').trim() }]
            : []
        })
    })
}
