import type { Sources } from './imports.ts'
import { isProduction } from './sizes.ts'
import { type Node, parse } from './syntax.ts'

/** The field's word for each word that the project does not use (docs/glossary.md). */
export const oldWords: Readonly<Record<string, string>> = {
  begun: 'in progress',
  bell: 'wakeup',
  bringing: 'update',
  brought: 'update result',
  enrol: 'enroll',
  enrolment: 'enrollment',
  farewell: 'drain',
  former: 'previous',
  license: 'licence',
  licenses: 'licences',
  meanwhile: 'in the meantime, or what happened',
  nobody: 'no user, or unknown caller',
  said: 'what it is: stated, given, described',
  shall: 'must',
  somebody: 'another user',
  told: 'notified',
  wanted: 'desired',
}

/** Turns of phrase that a reader has to read twice, in texts that people see. */
const oldPhrases: Readonly<Record<string, string>> = {
  'has not got': 'does not have',
  'once more': 'again',
  'readers a zone': 'readers per zone',
}

export interface OldWord {
  path: string
  /** The identifier or the text. */
  found: string
  use: string
}

const wordsIn = (name: string): string[] => name.match(/[A-Z]?[a-z]+|[A-Z]+(?![a-z])/g)?.map((word) => word.toLowerCase()) ?? []

/** The fields of the API: those that the specification names keep its words. */
function fieldsOfContract(sources: Sources): Set<string> {
  const fields = [...sources]
    .filter(([path]) => path.startsWith('contract/src/') && isProduction(path))
    .flatMap(([path, text]) => propertiesIn(path, text))
  return new Set(fields)
}

const propertiesIn = (path: string, text: string): string[] =>
  parse(path, text).nodes.flatMap(([node]) => {
    const key = node.key as Node | undefined
    return node.type === 'Property' && key?.type === 'Identifier' ? [String(key.name)] : []
  })

const declares: Readonly<Record<string, string>> = {
  FunctionDeclaration: 'id',
  VariableDeclarator: 'id',
  TSInterfaceDeclaration: 'id',
  TSTypeAliasDeclaration: 'id',
  ClassDeclaration: 'id',
  TSPropertySignature: 'key',
  TSMethodSignature: 'key',
  PropertyDefinition: 'key',
  MethodDefinition: 'key',
}

function declaredNames(path: string, text: string): { name: string; isFunction: boolean }[] {
  return parse(path, text).nodes.flatMap(([node]) => {
    const named = node[declares[node.type] ?? ''] as Node | undefined
    if (named?.type !== 'Identifier') return []
    const init = node.init as Node | null | undefined
    return [{ name: String(named.name), isFunction: node.type === 'FunctionDeclaration' || init?.type === 'ArrowFunctionExpression' }]
  })
}

/** Names that are not the field's: an old word in them, or a function that is called after what it is "of". */
export function findOldNames(sources: Sources): OldWord[] {
  const fixed = fieldsOfContract(sources)
  return production(sources).flatMap(([path, text]) =>
    declaredNames(path, text).flatMap(({ name, isFunction }) => {
      if (fixed.has(name)) return []
      const old = wordsIn(name).find((word) => Object.hasOwn(oldWords, word))
      if (old) return [{ path, found: name, use: oldWords[old] as string }]
      return isFunction && /[a-z]Of$/.test(name) && name !== 'oneOf' ? [{ path, found: name, use: 'a verb' }] : []
    }),
  )
}

const isSentence = (text: string) => /\p{L}.* /u.test(text.trim())
const phrases: Readonly<Record<string, string>> = { ...oldWords, ...oldPhrases }
const oldPhrase = new RegExp(`\\b(${Object.keys(phrases).join('|')})\\b`, 'i')

/** Texts that people may read, an old word in them. */
export function findOldTexts(sources: Sources): OldWord[] {
  return production(sources).flatMap(([path, text]) =>
    parse(path, text).nodes.flatMap(([node, parent]) => {
      const found = shownText(node, parent)?.trim() ?? ''
      const old = isSentence(found) ? oldPhrase.exec(found)?.[1]?.toLowerCase() : undefined
      return old === undefined ? [] : [{ path, found, use: phrases[old] as string }]
    }),
  )
}

/** SQL is read by machines. */
function shownText(node: Node, parent: Node | undefined): string | undefined {
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'JSXText') return String(node.value)
  if (node.type !== 'TemplateLiteral' || parent?.type === 'TaggedTemplateExpression') return undefined
  return (node.quasis as { value: { cooked: string | null } }[]).map(({ value }) => value.cooked ?? '').join('…')
}

/** `account.ts` names the user of the operating system. */
const production = (sources: Sources) =>
  [...sources].filter(([path]) => isProduction(path) && !path.startsWith('scripts/house/') && path !== 'server/src/postgres/account.ts')

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

/** Doc blocks that say with other words nothing but the name below them. */
export function findEmptyDocs(sources: Sources): EmptyDoc[] {
  return production(sources).flatMap(([path, text]) => {
    const { nodes, comments } = parse(path, text)
    const declared = nodes.map(([node]) => node).filter(({ type }) => type in declares || type === 'Property')
    return comments
      .filter(({ start }) => text.startsWith('/**', start))
      .flatMap(({ end, value }) => {
        const below = declared
          .filter(({ start }) => start >= end && /^\s*(export |async |const |let |readonly )*$/.test(text.slice(end, start)))
          .sort((a, b) => a.start - b.start)[0]
        const named = below && ((below[declares[below.type] ?? 'key'] as Node | undefined) ?? undefined)
        if (named?.type !== 'Identifier') return []
        const name = String(named.name)
        const nameWords = new Set(wordsIn(name).map(stem))
        const words = (value.toLowerCase().match(/[a-z]+/g) ?? []).filter((word) => !stopWords.has(word))
        return words.length > 0 && words.every((word) => nameWords.has(stem(word)))
          ? [{ path, name, doc: value.replace(/\s*\*\s*/g, ' ').trim() }]
          : []
      })
  })
}
