import type { Sources } from './imports.ts'
import { isProduction } from './sizes.ts'
import { declares, type Node, parse } from './syntax.ts'
import { type Rule, vocabulary } from './vocabulary.ts'

export interface OldWord {
  path: string
  /** The identifier or the text. */
  found: string
  use: string
}

export const toKebab = (name: string): string => (name.match(/[A-Z]?[a-z\d]+|[A-Z]+(?![a-z])/g) ?? []).join('-').toLowerCase()

/**
 * Field names and values that schemas fix: the contract's, with the specification's own words, and those of files that an agent has stored.
 */
function listFixedNames(sources: Sources): Set<string> {
  const schemas = [...sources].filter(([path]) => /^(contract\/src|agent\/src\/state)\//.test(path) && isProduction(path))
  return new Set(schemas.flatMap(([path, text]) => parse(path, text).nodes.flatMap(([node]) => listSchemaNames(node))))
}

function listSchemaNames({ type, callee, arguments: given }: Node): string[] {
  if (type !== 'CallExpression' || ((callee as Node).object as Node | undefined)?.name !== 'z') return []
  return (given as Node[]).flatMap(({ properties = [], elements = [] }) => [
    ...(properties as Node[]).flatMap(({ key }) => getName(key) ?? []),
    ...(elements as (Node | null)[]).flatMap((element) => (typeof element?.value === 'string' ? element.value : [])),
  ])
}

interface Name {
  name: string
  kind: 'function' | 'type' | 'value'
  returns?: string
}

const getName = (node: unknown): string | undefined =>
  /^(Private)?Identifier$/.test((node as Node | undefined)?.type ?? '') ? String((node as Node).name) : undefined
const isFunction = (node: unknown): boolean => /Function/.test((node as Node | null | undefined)?.type ?? '')

/** Every name that a source declares: of a value, a type, a field or a parameter. */
function listNames(path: string, text: string): Name[] {
  return parse(path, text).nodes.flatMap(([node, parent]): Name[] => {
    const isKey = node.type === 'Property' && parent?.type === 'ObjectExpression' && node.shorthand !== true
    const names = listBindings(isKey ? node.key : node[declares[node.type] ?? ''])
    const params = isFunction(node) ? (node.params as Node[]).flatMap(listBindings) : []
    return [
      ...names.map((name) => ({ name, kind: findKind(node), returns: readReturnType(node, text) })),
      ...params.map((name): Name => ({ name, kind: 'value' })),
    ]
  })
}

function findKind(node: Node): Name['kind'] {
  if (/^(TSInterface|TSTypeAlias|Class)Declaration$/.test(node.type)) return 'type'
  return isFunction(node) || isFunction(node.init) || isFunction(node.value) || node.type === 'TSMethodSignature' ? 'function' : 'value'
}

function readReturnType(node: Node, text: string): string | undefined {
  const { start, end } = (node.returnType ?? (node.init as Node | null | undefined)?.returnType ?? {}) as Partial<Node>
  return start === undefined ? undefined : text.slice(start, end)
}

/** The names in a binding. `{ name }` takes one that is declared elsewhere. */
function listBindings(binding: unknown): string[] {
  const node = binding as Node | null | undefined
  const name = getName(node)
  if (name !== undefined) return [name]
  switch (node?.type) {
    case 'ObjectPattern':
      return (node.properties as Node[])
        .filter(({ shorthand }) => shorthand !== true)
        .flatMap(({ value, argument }) => listBindings(value ?? argument))
    case 'ArrayPattern':
      return (node.elements as unknown[]).flatMap(listBindings)
    case 'AssignmentPattern':
      return listBindings(node.left)
    case 'RestElement':
      return listBindings(node.argument)
    default:
      return []
  }
}

const appliesTo = ({ path: only }: Rule, path: string): boolean => only?.test(path) ?? true

/** Names with words that the field does not use. */
export function findOldNames(sources: Sources): OldWord[] {
  const fixed = listFixedNames(sources)
  return listProduction(sources).flatMap(([path, text]) =>
    listNames(path, text).flatMap(({ name, kind, returns = '' }) => {
      if (fixed.has(name)) return []
      const kebab = toKebab(name)
      const matches = (rule: Rule) =>
        rule.name?.test(kebab) && (rule.kind ?? kind) === kind && (rule.returns?.test(returns) ?? true) && appliesTo(rule, path)
      const rule = vocabulary.find(matches)
      return rule ? [{ path, found: name, use: rule.use }] : []
    }),
  )
}

const isSentence = (text: string) => /\p{L}.* /u.test(text.trim())

/** Shown texts with words that the field does not use. */
export function findOldTexts(sources: Sources): OldWord[] {
  return listProduction(sources).flatMap(([path, text]) =>
    parse(path, text).nodes.flatMap(([node, parent]) => {
      const found = findShownText(node, parent)?.trim() ?? ''
      const rule = findTextRule(found, path)
      return rule ? [{ path, found, use: rule.use }] : []
    }),
  )
}

/** Comments with words that the field does not use. */
export function findOldComments(sources: Sources): OldWord[] {
  return listProduction(sources).flatMap(([path, text]) =>
    parse(path, text).comments.flatMap(({ value }) => {
      const found = value
        .replace(/\s*\n\s*\*?\s*/g, ' ')
        .replace(/^\*/, '')
        .trim()
      const rule = findTextRule(found, path)
      return rule ? [{ path, found, use: rule.use }] : []
    }),
  )
}

function findTextRule(text: string, path: string): Rule | undefined {
  const prose = text.replace(/`[^`]*`/g, '')
  return isSentence(prose) ? vocabulary.find((one) => one.text?.test(prose) && appliesTo(one, path)) : undefined
}

/** Undefined for SQL and class names, which people do not read. */
function findShownText(node: Node, parent: Node | undefined): string | undefined {
  if (parent?.type === 'JSXAttribute' && (parent.name as Node).name === 'className') return undefined
  if (node.type === 'Literal' && typeof node.value === 'string') return node.value
  if (node.type === 'JSXText') return String(node.value)
  if (node.type !== 'TemplateLiteral' || (parent?.type === 'TaggedTemplateExpression' && (parent.tag as Node).name !== 'html'))
    return undefined
  return (node.quasis as { value: { cooked: string | null } }[]).map(({ value }) => value.cooked ?? '').join('…')
}

/** `account.ts` names a user of the operating system. */
const listProduction = (sources: Sources) =>
  [...sources].filter(
    ([path]) => isProduction(path) && !/^scripts\/(house|mutations\/list)\//.test(path) && path !== 'server/src/postgres/account.ts',
  )
