export type SalesforceRecord = Record<string, string | null>

export interface Query {
  object: string
  /** Empty for COUNT(). */
  fields: string[]
  matches: (record: SalesforceRecord) => boolean
  order: { field: string; descending: boolean }[]
  limit: number
  offset: number
}

const token = /\s*(?:('(?:\\.|[^'\\])*')|([A-Za-z_]\w*|\d+)|(<=|>=|!=|[(),=<>]))/y

function tokenize(soql: string): string[] {
  const tokens: string[] = []
  token.lastIndex = 0
  while (token.lastIndex < soql.trimEnd().length) {
    const match = token.exec(soql)
    if (!match) throw new SyntaxError(`unexpected token in ${soql}`)
    tokens.push(match[1] ?? match[2] ?? match[3] ?? '')
  }
  return tokens
}

const escapes: Record<string, string> = { n: '\n', r: '\r', t: '\t', "'": "'", '"': '"', '\\': '\\', '%': '\uE000', _: '\uE001' }

/** Makes an escaped wildcard a private-use character, for LIKE. An unknown escape is an error, as in SOQL. */
function parseLiteral(text: string): string {
  return text.slice(1, -1).replace(/\\(.)/gs, (_, one: string) => {
    const character = escapes[one]
    if (character === undefined) throw new SyntaxError(`Invalid string literal ${text}`)
    return character
  })
}

/** A part of SOQL: SELECT fields or COUNT(), FROM, WHERE with =, LIKE, AND, OR, ORDER BY, LIMIT, OFFSET. */
export function parseSoql(soql: string): Query {
  const tokens = tokenize(soql)
  const peek = () => tokens[0]?.toUpperCase()
  const next = (expected?: string): string => {
    const one = tokens.shift()
    if (one === undefined || (expected !== undefined && one.toUpperCase() !== expected)) throw new SyntaxError(`unexpected token: ${one}`)
    return one
  }
  const accept = (word: string) => peek() === word && next() !== ''

  function comparison(): Query['matches'] {
    if (accept('(')) {
      const inner = either()
      next(')')
      return inner
    }
    const field = next()
    const operator = next().toUpperCase()
    const operand = next()
    if (operator === '=' && operand.toUpperCase() === 'NULL') return (record) => (record[field] ?? null) === null
    if (!operand.startsWith("'")) throw new SyntaxError(`unexpected token: ${operand}`)
    const value = parseLiteral(operand)
    if (operator === '=') return (record) => record[field]?.toLowerCase() === plain(value).toLowerCase()
    if (operator === 'LIKE') return (record) => like(value).test(record[field] ?? '')
    throw new SyntaxError(`unexpected token: ${operator}`)
  }
  // As in SOQL, AND and OR do not mix without parentheses.
  function either(): Query['matches'] {
    const parts = [comparison()]
    const word = peek()
    if (word !== 'AND' && word !== 'OR') return parts[0]!
    while (accept(word)) parts.push(comparison())
    if (peek() === 'AND' || peek() === 'OR') throw new SyntaxError(`unexpected token: ${peek()}`)
    return word === 'AND' ? (record) => parts.every((part) => part(record)) : (record) => parts.some((part) => part(record))
  }

  next('SELECT')
  const fields: string[] = []
  if (accept('COUNT')) {
    next('(')
    next(')')
  } else
    do fields.push(next())
    while (accept(','))
  next('FROM')
  const object = next()
  const matches = accept('WHERE') ? either() : () => true
  const order: Query['order'] = []
  if (accept('ORDER')) {
    next('BY')
    do order.push({ field: next(), descending: accept('DESC') })
    while (accept(','))
  }
  const limit = accept('LIMIT') ? Number(next()) : 50_000
  const offset = accept('OFFSET') ? Number(next()) : 0
  if (tokens.length > 0) throw new SyntaxError(`unexpected token: ${tokens[0]}`)
  return { object, fields, matches, order, limit, offset }
}

const plain = (text: string): string => text.replaceAll('\uE000', '%').replaceAll('\uE001', '_')

function like(pattern: string): RegExp {
  const source = [...pattern].map((one) => (one === '%' ? '.*' : one === '_' ? '.' : plain(one).replace(/[.*+?^${}()|[\]\\]/, '\\$&')))
  return new RegExp(`^${source.join('')}$`, 'isu')
}
