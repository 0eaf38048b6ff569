import { splitTokens, type Token } from './tokens.ts'

/** A table in a statement. */
interface Reference {
  alias: string
  /** The columns that say whose rows they are; none where that does not matter. */
  keys: readonly string[]
  isNamed: boolean
  /** References whose organization its own must equal. */
  equals: Reference[]
}

const tenantKeys = ['organization_id']
const organizationKeys = ['id', 'public_id']

interface Query {
  outer: Query | undefined
  tables: Reference[]
  hasBegun: boolean
}

/** What a "where" or "on" has, or parentheses in it. */
interface Condition {
  outer?: Condition
  hasOr: boolean
  /** The right table of an outer join, the only one that its condition limits. */
  limited?: Reference | undefined
}

interface Place {
  query: Query
  clause: string
  condition: Condition
  isOuterJoin: boolean
}

const newQuery = (outer?: Query): Query => ({ outer, tables: [], hasBegun: false })
const value: Reference = { alias: '', keys: [], isNamed: true, equals: [] }

/**
 * Finds the aliases of tenants' tables whose organization a statement does not name. It is named by a condition that compares
 * `organization_id` with a value or with that of a named table, or by a column of an insert. A condition beside an "or" does not count, nor
 * one on the left table of an outer join. Grants read no rows.
 */
export function findUnnamed(statement: string, tenants: ReadonlySet<string>): string[] {
  if (/^\s*grant\s/.test(statement)) return []
  const references = new StatementReader(splitTokens(statement), tenants).read()
  for (let hasChanged = true; hasChanged; ) {
    const next = references.filter(({ isNamed, equals }) => !isNamed && equals.some((other) => other.isNamed))
    for (const reference of next) reference.isNamed = true
    hasChanged = next.length > 0
  }
  return references.filter(({ keys, isNamed }) => keys === tenantKeys && !isNamed).map(({ alias }) => alias)
}

class StatementReader {
  private readonly tokens: readonly Token[]
  private readonly tenants: ReadonlySet<string>
  private readonly references: Reference[] = []
  private readonly comparisons: (Place & { at: number })[] = []
  private readonly withNames = new Set<string>()
  private readonly opened: (Place & { withName: string | undefined })[] = []
  private place: Place = { query: newQuery(), clause: '', condition: { hasOr: false }, isOuterJoin: false }

  constructor(tokens: readonly Token[], tenants: ReadonlySet<string>) {
    this.tokens = tokens
    this.tenants = tenants
  }

  read(): Reference[] {
    for (let at = 0; at < this.tokens.length; at++) this.readToken(at)
    for (const comparison of this.comparisons) this.compare(comparison)
    return this.references
  }

  private is(at: number, ...texts: string[]): boolean {
    const token = this.tokens[at]
    return token !== undefined && token.kind !== 'name' && texts.includes(token.text)
  }

  private findName(at: number): string | undefined {
    const token = this.tokens[at]
    return token?.kind === 'name' ? token.text : undefined
  }

  private readToken(at: number): void {
    const { place } = this
    const { text, kind } = this.tokens[at]!
    if (this.is(at, '(')) this.open(at)
    else if (this.is(at, ')')) this.close(at)
    else if (place.clause === 'columns') this.references.at(-1)!.isNamed ||= text === 'organization_id'
    else if (place.clause === 'arguments') return
    else if (this.is(at, ';')) place.query = newQuery()
    else if (this.is(at, ',') && (place.clause === 'from' || place.clause === 'on')) this.readTable(at, 'from')
    else if (this.is(at, '=') || (this.is(at, 'in') && !this.is(at - 1, 'not'))) this.comparisons.push({ ...place, at })
    else if (this.is(at, 'or')) place.condition.hasOr = true
    else if (kind === 'keyword') this.readKeyword(at, text)
  }

  private open(at: number): void {
    const { place } = this
    const as = [at - 1, at - 2, at - 3].find((before) => !this.is(before, 'materialized', 'not')) ?? at
    this.opened.push({ ...place, withName: this.is(as, 'as') ? this.findName(as - 1) : undefined })
    this.place = { ...place, condition: { outer: place.condition, hasOr: false } }
    if (this.beginsQuery(at)) {
      const clause = this.is(at + 1, '(') ? place.clause : ''
      this.place = { query: newQuery(place.query), clause, condition: { hasOr: false }, isOuterJoin: false }
    } else if (place.clause === 'into') this.place.clause = 'columns'
    else if (this.findName(at - 1) !== undefined || this.is(at - 1, 'using')) this.place.clause = 'arguments'
  }

  private beginsQuery(bracket: number): boolean {
    let at = bracket
    while (this.is(at, '(')) at++
    return this.is(at, 'select', 'with', 'values', 'insert', 'update', 'delete')
  }

  private close(at: number): void {
    const { withName, ...place } = this.opened.pop()!
    this.place = place
    if (withName !== undefined) this.withNames.add(withName)
    const alias = this.findName(this.is(at + 1, 'as') ? at + 2 : at + 1)
    if (place.clause === 'from' && alias !== undefined) this.add(alias, [])
  }

  private readKeyword(at: number, word: string): void {
    const { place } = this
    if (word === 'select') {
      if (place.query.hasBegun) place.query = newQuery(place.query.outer)
      place.query.hasBegun = true
      place.clause = word
    } else if (word === 'into' || (word === 'update' && !['for', 'key', 'do'].includes(this.tokens[at - 1]?.text ?? ''))) {
      place.query.hasBegun = true
      this.readTable(at, word)
    } else if (word === 'using' && this.is(at + 1, '(') && !this.beginsQuery(at + 1)) this.joinUsing(at)
    else if (word === 'from' || word === 'using') {
      if (!(this.is(at - 1, 'distinct') && this.is(at - 2, 'is', 'not'))) this.readTable(at, 'from')
    } else if (word === 'join') {
      place.isOuterJoin = this.is(at - 1, 'left', 'outer')
      this.readTable(at, 'from')
    } else if (word === 'where' || (word === 'on' && !this.is(at + 1, 'conflict'))) {
      place.condition = { hasOr: false, limited: word === 'on' && place.isOuterJoin ? place.query.tables.at(-1) : undefined }
      place.clause = word
    } else if (['on', 'set', 'values', 'group', 'having', 'order', 'limit', 'offset', 'returning', 'for', 'window'].includes(word))
      place.clause = ''
  }

  private readTable(before: number, clause: string): void {
    this.place.clause = clause
    let at = before + 1
    while (this.is(at, 'only', 'lateral')) at++
    if (this.is(at + 1, '.')) at += 2
    const table = this.findName(at)
    if (table === undefined || (clause !== 'into' && this.is(at + 1, '('))) return
    const alias = this.findName(this.is(at + 1, 'as') ? at + 2 : at + 1)
    this.add(alias ?? table, this.listKeys(table))
  }

  private listKeys(table: string): readonly string[] {
    if (this.withNames.has(table)) return []
    return table === 'organization' ? organizationKeys : this.tenants.has(table) ? tenantKeys : []
  }

  private add(alias: string, keys: readonly string[]): void {
    const reference: Reference = { alias, keys, isNamed: keys.length === 0, equals: [] }
    this.references.push(reference)
    this.place.query.tables.push(reference)
  }

  private joinUsing(at: number): void {
    const end = this.tokens.findIndex((_, index) => index > at && this.is(index, ')'))
    const columns = this.tokens.slice(at, end).map(({ text }) => text)
    const { tables } = this.place.query
    if (columns.includes('organization_id')) for (const table of tables.slice(0, -1)) this.link(table, tables.at(-1)!)
  }

  private compare({ query, clause, condition, at }: Place & { at: number }): void {
    if (clause !== 'where' && clause !== 'on') return
    let limited: Reference | undefined
    for (let one: Condition | undefined = condition; one; one = one.outer) {
      if (one.hasOr) return
      limited ??= one.limited
    }
    const left = this.findOperand(query, at - 1, this.is(at - 2, '.') ? at - 3 : undefined)
    const isQualified = this.is(at + 2, '.')
    const right = this.is(at, 'in') ? value : this.findOperand(query, isQualified ? at + 3 : at + 1, isQualified ? at + 1 : undefined)
    if (left && right) this.link(left, right, limited)
  }

  private link(left: Reference, right: Reference, limited?: Reference): void {
    if (left !== value && (limited ?? left) === left) left.equals.push(right)
    if (right !== value && (limited ?? right) === right) right.equals.push(left)
  }

  /** Returns undefined for a column that does not say whose a row is, and where its table is not clear. */
  private findOperand(query: Query, at: number, alias: number | undefined): Reference | undefined {
    const column = this.is(at - 1, '::') ? '' : (this.findName(at) ?? '')
    if (alias === undefined) return findOwner(query, column)
    const table = findTable(query, this.tokens[alias]!.text)
    return table.keys.length === 0 || table.keys.includes(column) ? table : undefined
  }
}

function findTable({ tables, outer }: Query, alias: string): Reference {
  return tables.find((table) => table.alias === alias) ?? (outer ? findTable(outer, alias) : value)
}

function findOwner({ tables, outer }: Query, column: string): Reference | undefined {
  if (tables.length === 0 && outer) return findOwner(outer, column)
  const owners = tables.filter(({ keys }) => keys.includes(column))
  if (owners.length === 1) return owners[0]
  return column === '' || tables.every(({ keys }) => keys.length === 0) ? value : undefined
}
