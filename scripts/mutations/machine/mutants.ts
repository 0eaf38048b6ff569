import { createHash } from 'node:crypto'
import { type Node, parse } from '../../house/syntax.ts'
import { type Edit, mutateSql } from './sql-mutants.ts'

export type MutantClass = 'sql' | 'builder' | 'refusal'

/** A change of the product by machine. */
export interface Mutant extends Edit {
  /** Stays the same as long as the code around it does. */
  id: string
  class: MutantClass
  file: string
  line: number
  /** The line it begins in, without the blanks around it. */
  text: string
  original: string
  /** Fixed text of the SQL around it, which identifies a statement that has it. Absent: the place is marked (`mark`). */
  statement?: string
  /** The expression that gets a mark, so that it shows which tests pass here. */
  mark?: { start: number; end: number; isOfBlock?: boolean }
}

/** All mutants of a source file of the server. */
export function listMutants(file: string, source: string): Mutant[] {
  const found = parse(file, source).nodes.flatMap(([node, parent]) => mutateNode(source, node, parent))
  const counts = new Map<string, number>()
  return found.map((mutant) => {
    const original = source.slice(mutant.start, mutant.end)
    const text = source
      .slice(source.lastIndexOf('\n', mutant.start - 1) + 1)
      .split('\n', 1)[0]!
      .trim()
    const key = [file, text, original, mutant.replacement].join('\0')
    const count = counts.get(key) ?? 0
    counts.set(key, count + 1)
    const id = createHash('sha256').update(`${key}\0${count}`).digest('hex').slice(0, 12)
    return { ...mutant, id, file, line: source.slice(0, mutant.start).split('\n').length, text, original }
  })
}

type Found = Edit & Pick<Mutant, 'class' | 'statement' | 'mark'>

function mutateNode(source: string, node: Node, parent: Node | undefined): Found[] {
  switch (node.type) {
    case 'TaggedTemplateExpression':
      return mutateTemplate(source, node)
    case 'CallExpression':
      return mutateCall(source, node)
    case 'IfStatement':
      return mutateRefusal(node)
    case 'ExpressionStatement':
      return mutateRequirement(node, parent)
    default:
      return []
  }
}

function mutateTemplate(source: string, { tag, quasi }: Node): Found[] {
  if ((tag as Node).name !== 'sql') return []
  const { start, end, expressions } = quasi as Node & { expressions: Node[] }
  const span = [start + 1, end - 1] as const
  const holes = expressions.map((each) => [source.lastIndexOf('${', each.start), source.indexOf('}', each.end) + 1] as const)
  return mutateSql(source, span, holes).map((edit) => ({ ...edit, class: 'sql', statement: findStatement(source, edit, span, holes) }))
}

const longestStatement = 160

/** The fixed text that the edit begins or ends in; where it replaces only an expression, the longest one beside it. */
function findStatement(
  source: string,
  { start, end }: Edit,
  span: readonly [number, number],
  holes: readonly (readonly [number, number])[],
): string {
  const edges = [span[0], ...holes.flat(), span[1]]
  const parts = Array.from({ length: edges.length / 2 }, (_, index) => [edges[2 * index]!, edges[2 * index + 1]!] as const)
  const touched = parts.filter(([from, to]) => from <= end && to >= start)
  const texts = touched.map(([from, to]) =>
    source
      .slice(Math.max(from, start - longestStatement), Math.min(to, end + longestStatement))
      .replace(/\s+/g, ' ')
      .trim(),
  )
  return texts.sort((a, b) => b.length - a.length)[0] ?? ''
}

const operators: Readonly<Record<string, string>> = {
  '<': '<=',
  '<=': '<',
  '>': '>=',
  '>=': '>',
  '!=': '=',
  '<>': '=',
  is: 'is not',
  'is not': 'is',
  in: 'not in',
  'not in': 'in',
  'is distinct from': 'is not distinct from',
  'is not distinct from': 'is distinct from',
}

function mutateCall(source: string, node: Node): Found[] {
  const { callee, arguments: parts, end } = node as Node & { callee: Node; arguments: Node[] }
  const [first, second] = parts
  if (!first || /organization_id|organizationId/.test(source.slice(callee.end, end))) return []
  const mark = { start: first.start, end: first.end }
  const found: Found[] = []
  const name = callee.type === 'MemberExpression' ? (callee.property as Node).name : undefined
  if (typeof name === 'string' && /^(where|having)/.test(name)) {
    const object = callee.object as Node
    found.push({ class: 'builder', start: object.end, end, replacement: '', mark })
  }
  const operator = second?.type === 'Literal' && parts.length > 2 ? operators[String(second.value)] : undefined
  if (second && operator) found.push({ class: 'builder', start: second.start, end: second.end, replacement: `'${operator}'`, mark })
  return found
}

/** A condition that throws counts as never true. */
function mutateRefusal({ test, consequent }: Node): Found[] {
  const body = consequent as Node & { body?: Node[] }
  const last = body.type === 'BlockStatement' ? body.body!.at(-1) : body
  if (last?.type !== 'ThrowStatement') return []
  const { start, end } = test as Node
  const thrown = last.argument as Node
  return [{ class: 'refusal', start, end, replacement: 'false', mark: { start: thrown.start, end: thrown.end } }]
}

/** Leaves out a call of `require…`, which throws where something is missing. */
function mutateRequirement({ start, end, expression }: Node, parent: Node | undefined): Found[] {
  const awaited = (expression as Node).type === 'AwaitExpression' ? ((expression as Node).argument as Node) : (expression as Node)
  const callee = awaited.type === 'CallExpression' ? (awaited.callee as Node) : undefined
  const isRequirement = callee?.type === 'Identifier' && /^require[A-Z]/.test(String(callee.name))
  const isOfBlock = parent?.type === 'BlockStatement' || parent?.type === 'Program'
  return isRequirement ? [{ class: 'refusal', start, end, replacement: ';', mark: { start, end, isOfBlock } }] : []
}

/** The source with a mark in front of each place that has one. */
export function markSource(source: string, mutants: readonly Mutant[]): string {
  const ids = Map.groupBy(
    mutants.filter(({ mark }) => mark),
    ({ mark }) => `${mark!.start} ${mark!.end}`,
  )
  const places = [...ids.values()].map((own) => ({ ...own[0]!.mark!, ids: own.map(({ id }) => id) }))
  const inserts = places.flatMap(({ start, end, isOfBlock, ids: own }) => [
    // A line that begins with a bracket would continue the one before.
    { at: start, order: 1, text: `${isOfBlock ? ';' : ''}(globalThis.seenByTest?.add('${own.join(' ')}'), ` },
    { at: end, order: 0, text: ')' },
  ])
  inserts.sort((a, b) => b.at - a.at || b.order - a.order)
  return inserts.reduce((text, { at, text: insert }) => text.slice(0, at) + insert + text.slice(at), source)
}
