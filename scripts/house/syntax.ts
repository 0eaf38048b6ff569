import { type Comment, parseSync } from 'oxc-parser'

/** A node of the parsed source: its kind, where it is, and its parts. */
export interface Node {
  type: string
  start: number
  end: number
  [part: string]: unknown
}

export interface Parsed {
  /** Every node, each with the node around it. */
  nodes: readonly (readonly [node: Node, parent: Node | undefined])[]
  comments: readonly Comment[]
}

/** The part that has the name, by kind of declaration. */
export const declares: Readonly<Record<string, string>> = {
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

const parsed = new Map<string, Parsed>()

/** Parses a source. The same source is parsed once, as that takes most of the time. */
export function parse(path: string, text: string): Parsed {
  const key = `${path}\0${text}`
  const known = parsed.get(key)
  if (known) return known
  const { program, comments } = parseSync(path, text)
  const nodes = [...walk(program as unknown as Node)]
  const result = { nodes, comments }
  parsed.set(key, result)
  return result
}

const isNode = (value: unknown): value is Node => typeof value === 'object' && value !== null && typeof (value as Node).type === 'string'

function* walk(node: Node, parent?: Node): Generator<[node: Node, parent: Node | undefined]> {
  yield [node, parent]
  for (const part of Object.values(node)) {
    for (const child of Array.isArray(part) ? part : [part]) if (isNode(child)) yield* walk(child, node)
  }
}
