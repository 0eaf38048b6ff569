import { type Node, parse } from '../../house/syntax.ts'
import { type Found, type Mutant, toMutants } from './mutant.ts'

/** All mutants of a source file of the web app: what disables an action, what enables a read, and what the key of a read holds. */
export function listWebMutants(file: string, source: string): Mutant[] {
  const { nodes } = parse(file, source)
  const found = nodes.flatMap(([node, parent]) => {
    if (node.type === 'JSXAttribute') return mutateAttribute(source, node)
    return node.type === 'Property' && parent?.type === 'ObjectExpression' ? mutateProperty(node, parent) : []
  })
  const isChange = ({ start, end, replacement }: Found) => source.slice(start, end) !== replacement
  return toMutants(file, source, found.filter(isChange))
}

/** What takes the place of an attribute that disables. */
const withoutIt: Readonly<Record<string, string>> = { disabled: 'false', 'aria-disabled': 'undefined', disabledReason: 'undefined' }

function mutateAttribute(source: string, { name, value }: Node): Found[] {
  const replacement = withoutIt[source.slice((name as Node).start, (name as Node).end)]
  const container = value as Node | null
  if (replacement === undefined || container?.type !== 'JSXExpressionContainer') return []
  const expression = container.expression as Node
  return [toFound('disabled', expression, replacement), ...mutateOperands('disabled', expression)]
}

const neutral: Readonly<Record<string, string>> = { '||': 'false', '&&': 'true', '??': 'undefined' }

/** Leaves out each operand of a condition, however deep. */
function mutateOperands(kind: 'disabled' | 'enabled', { type, operator, left, right }: Node): Found[] {
  const replacement = type === 'LogicalExpression' ? neutral[String(operator)] : undefined
  if (replacement === undefined) return []
  return [left as Node, right as Node].flatMap((side) => {
    const inner = mutateOperands(kind, side)
    return inner.length > 0 ? inner : [toFound(kind, side, replacement)]
  })
}

function mutateProperty({ key, value, shorthand }: Node, { properties }: Node): Found[] {
  const name = (key as Node).name
  const all = properties as Node[]
  const isRead = all.some((one) => one.type === 'SpreadElement' || (one.key as Node | undefined)?.name === 'queryKey')
  if (shorthand || !isRead) return []
  if (name === 'enabled')
    return [
      toFound('enabled', value as Node, 'true'),
      toFound('enabled', value as Node, 'false'),
      ...mutateOperands('enabled', value as Node),
    ]
  return name === 'queryKey' ? mutateKey(value as Node) : []
}

/** Leaves each value out of a key, not its name. */
function mutateKey(value: Node): Found[] {
  if (value.type !== 'ArrayExpression') return [toFound('key', value, "['of no read']")]
  return (value.elements as Node[]).filter(({ type }) => type !== 'Literal').map((element) => toFound('key', element, 'null'))
}

const toFound = (kind: 'disabled' | 'enabled' | 'key', { start, end }: Node, replacement: string): Found => ({
  class: kind,
  start,
  end,
  replacement,
})

/**
 * The source with all its mutants, so that the web app is built once. The call of `isMutant` before each returns true for at most one of them,
 * and shows that a test passed the place.
 */
export function switchSource(source: string, mutants: readonly Mutant[]): string {
  const places = [...Map.groupBy(mutants, ({ start, end }) => `${start} ${end}`).values()]
  const inserts = places.flatMap((own) => {
    const { start, end } = own[0]!
    const choices = own.map(({ id, replacement }) => `globalThis.isMutant?.('${id}') ? ${replacement} : `).join('')
    return [
      { at: start, length: end - start, text: `(${choices}(` },
      { at: end, length: 0, text: '))' },
    ]
  })
  // From the end to the start. Where two begin together, the longer one is around the other.
  inserts.sort((a, b) => b.at - a.at || a.length - b.length)
  return inserts.reduce((text, { at, text: insert }) => text.slice(0, at) + insert + text.slice(at), source)
}
