/** A part of a SQL text to replace. `start` and `end` are offsets in the source file. */
export interface Edit {
  start: number
  end: number
  replacement: string
}

interface Token {
  text: string
  start: number
  end: number
  /** How many brackets and `case` are open around it. */
  depth: number
}

/** The token for an expression in the template. */
const hole = '$'

const words = /\s+|--[^\n]*|'(?:[^']|'')*'|"[^"]*"|::|[-+*/<>=~!@#%^&|?]+|[A-Za-z_][\w.]*|\d[\w.]*|[\s\S]/gy

/**
 * Tokens of a SQL template.
 * @param source the whole file
 * @param span the template in it, without its backticks
 * @param holes its expressions, from `${` to `}`
 */
function tokenize(source: string, span: readonly [number, number], holes: readonly (readonly [number, number])[]): Token[] {
  const tokens: Token[] = []
  let depth = 0
  const add = (text: string, start: number, end: number) => {
    if (/^\s|^--/.test(text)) return
    const word = text.toLowerCase()
    if ([')', ']'].includes(word) || (word === 'end' && depth > 0)) depth -= 1
    tokens.push({ text: word, start, end, depth })
    if (['(', '[', 'case'].includes(word)) depth += 1
  }
  let from = span[0]
  for (const [start, end] of [...holes, [span[1], span[1]] as const]) {
    for (const match of source.slice(from, start).matchAll(words)) add(match[0], from + match.index, from + match.index + match[0].length)
    if (end > start) add(hole, start, end)
    from = end
  }
  return tokens
}

const separators = new Set(
  'where on having and or when then else end group order limit offset union except intersect returning from join set values select with for window as by using do , ;'.split(
    ' ',
  ),
)
const sides = new Set(['left', 'right', 'inner', 'cross', 'full'])

/** Where a condition ends or begins: not `from` of `is distinct from`, not `left(…)`, not `and` of `between`. */
function isSeparator(tokens: readonly Token[], at: number, ofBetween: ReadonlySet<number>): boolean {
  const { text } = tokens[at]!
  const next = tokens[at + 1]?.text ?? ''
  if (sides.has(text)) return ['join', 'outer', 'lateral'].includes(next)
  if (text === 'from') return tokens[at - 1]?.text !== 'distinct'
  if (text === 'and') return !ofBetween.has(at)
  return separators.has(text)
}

function findBetweens(tokens: readonly Token[]): Set<number> {
  const found = new Set<number>()
  for (const [at, { text, depth }] of tokens.entries()) {
    if (text !== 'between') continue
    const and = tokens.findIndex((token, index) => index > at && token.depth === depth && token.text === 'and' && !found.has(index))
    if (and > 0) found.add(and)
  }
  return found
}

// Left out: row security replaces a statement's missing condition on the organization, so RLS-03 tests these.
const isOfOrganization = (text: string) => /organization_id|organizationId/.test(text)

const toText = (source: string, tokens: readonly Token[]) => tokens.map(({ start, end }) => source.slice(start, end)).join(' ')

const otherComparisons: Readonly<Record<string, string>> = { '<': '<=', '<=': '<', '>': '>=', '>=': '>', '<>': '=', '!=': '=' }

/** Makes each condition true, turns each `not` and `null`, and moves each comparison by one. */
export function mutateSql(source: string, span: readonly [number, number], holes: readonly (readonly [number, number])[]): Edit[] {
  const tokens = tokenize(source, span, holes)
  const ofBetween = findBetweens(tokens)
  return [...mutateConditions(source, tokens, ofBetween), ...mutateNots(tokens), ...mutateComparisons(source, tokens, ofBetween)]
}

/** The tokens of the condition around or behind a place, as far as the next separator of its depth. */
function* takeCondition(tokens: readonly Token[], from: number, step: 1 | -1, ofBetween: ReadonlySet<number>): Generator<Token> {
  const depth = tokens[from]!.depth
  for (let at = from + step; at >= 0 && at < tokens.length; at += step) {
    const token = tokens[at]!
    if (token.depth < depth) return
    // A bracket has the depth of what is around it: what it opens or ends does not belong to the condition around it.
    if (token.depth === depth && isSeparator(tokens, at, ofBetween)) return
    yield token
  }
}

function mutateConditions(source: string, tokens: readonly Token[], ofBetween: ReadonlySet<number>): Edit[] {
  const edits = new Map<number, Edit>()
  const add = (condition: readonly Token[]) => {
    if (condition.length === 0) return
    const [start, end] = [Math.min(...condition.map((token) => token.start)), Math.max(...condition.map((token) => token.end))]
    const depth = Math.min(...condition.map((token) => token.depth))
    const own = condition.filter((token) => token.depth === depth)
    const isConflict = condition.some(({ text }) => text === 'conflict')
    if (source.slice(start, end) !== 'true' && !isConflict && !isOfOrganization(toText(source, own)))
      edits.set(start, { start, end, replacement: 'true' })
  }
  for (const [at, { text }] of tokens.entries()) {
    if (!['where', 'on', 'having', 'and'].includes(text) || ofBetween.has(at)) continue
    add([...takeCondition(tokens, at, 1, ofBetween)])
    if (text === 'and') add([...takeCondition(tokens, at, -1, ofBetween)])
  }
  return [...edits.values()]
}

function mutateNots(tokens: readonly Token[]): Edit[] {
  return tokens.flatMap(({ text, start, end }, at): Edit[] => {
    const [before, next, second] = [tokens[at - 1]?.text, tokens[at + 1], tokens[at + 2]?.text]
    if (text === 'not' && next && !['materialized', 'valid'].includes(next.text)) return [{ start, end: next.start, replacement: '' }]
    if (text === 'is' && (next?.text === 'null' || (next?.text === 'distinct' && second === 'from')))
      return [{ start, end, replacement: 'is not' }]
    return before === 'is' && text === 'true' ? [{ start, end, replacement: 'false' }] : []
  })
}

function mutateComparisons(source: string, tokens: readonly Token[], ofBetween: ReadonlySet<number>): Edit[] {
  return tokens.flatMap(({ text, start, end }, at): Edit[] => {
    const replacement = otherComparisons[text]
    if (replacement === undefined) return []
    const around = [...takeCondition(tokens, at, -1, ofBetween), ...takeCondition(tokens, at, 1, ofBetween)]
    return isOfOrganization(toText(source, around)) ? [] : [{ start, end, replacement }]
  })
}
