import { channel } from 'node:diagnostics_channel'
import { type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

type Sql = RawBuilder<unknown>

// The cast makes PostgreSQL return what the type says. It costs nothing where the expression has that type.
const cast = <Value>(expression: Sql, type: string) => sql<Value>`(${expression})::${sql.raw(type)}`

export const text = <Value extends string = string>(expression: Sql) => cast<Value>(expression, 'text')
export const texts = (expression: Sql) => cast<string[]>(expression, 'text[]')
export const integer = (expression: Sql) => cast<number>(expression, 'integer')
export const integers = (expression: Sql) => cast<number[]>(expression, 'integer[]')
export const bigint = (expression: Sql) => cast<number>(expression, 'bigint')
export const bigints = (expression: Sql) => cast<number[]>(expression, 'bigint[]')
export const float = (expression: Sql) => cast<number>(expression, 'float8')
// The fewest digits that say the same number; `float` has more.
export const real = (expression: Sql) => cast<number>(expression, 'real')
export const boolean = (expression: Sql) => cast<boolean>(expression, 'boolean')
export const instant = (expression: Sql) => cast<Date>(expression, 'timestamptz')
// `YYYY-MM-DD`.
export const day = (expression: Sql) => cast<string>(expression, 'date')
// The shape of the JSON is not checked.
export const json = <Value>(expression: Sql) => cast<Value>(expression, 'json')

/**
 * SQL: a value that is computed once, before the rows are read that it is compared with. Under row security an index serves no condition
 * with a function that is not leakproof, such as coalesce, and all rows would be read (decision 51). It serves this one.
 */
export const once = <Value>(expression: RawBuilder<Value>) => sql<Value>`(select ${expression})`

const nullable = new WeakSet<Sql>()

export function orNull<Value>(expression: RawBuilder<Value>): RawBuilder<Value | null> {
  // A new object, as the expression may be used elsewhere as never null.
  const copy = sql<Value | null>`${expression}`
  nullable.add(copy)
  return copy
}

// The named columns of a statement. The casts of their expressions give the types of its rows.
export type Columns<Row> = { readonly [Name in keyof Row]: RawBuilder<Row[Name]> }
export type RowOf<Some> = Some extends Columns<infer Row> ? Row : never

// SQL for after `select` or `returning`.
export const list = <Row>(columns: Columns<Row>): Sql =>
  sql.join(Object.entries<Sql>(columns).map(([name, expression]) => sql`${expression} as ${sql.ref(name)}`))

// For tests, which refuse a null in a column without `orNull`.
export const rowsRead = channel('lectern:rows-read')
export interface RowsRead {
  rows: readonly object[]
  neverNull: readonly string[]
}

/**
 * A statement for `streamRows`.
 * @param write puts the list of columns into the statement
 */
export const statement = <Row extends object>(columns: Columns<Row>, write: (list: Sql) => Sql): RawBuilder<Row> =>
  write(list(columns)) as RawBuilder<Row>

/**
 * Runs a statement.
 * @param write puts the list of columns into the statement
 */
export async function read<Row extends object>(db: Database, columns: Columns<Row>, write: (list: Sql) => Sql): Promise<Row[]> {
  const { rows } = await statement(columns, write).execute(db)
  if (rowsRead.hasSubscribers) {
    const neverNull = Object.entries<Sql>(columns).flatMap(([name, expression]) => (nullable.has(expression) ? [] : [name]))
    rowsRead.publish({ rows, neverNull } satisfies RowsRead)
  }
  return rows
}
