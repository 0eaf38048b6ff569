import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import type { DB } from './schema.ts'

/** A connection or a transaction: SQL functions take either. */
export type Database = Kysely<DB>

const { builtins } = pg.types
// Whole numbers here stay below 2^53; a calendar day has no time zone.
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [builtins.DATE, String],
])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
}

/** A pool of connections. Holds no session state, so that a pooler in transaction mode may stand between. */
export function createPool(connectionString: string, max = 20): pg.Pool {
  const pool = new pg.Pool({ connectionString, max, connectionTimeoutMillis: 10_000, idleTimeoutMillis: 30_000, types })
  // A lost connection is replaced at the next query, and the query it broke off fails; neither must end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => client.on('error', () => {}))
  return pool
}

/** Typed queries over a pool. Destroying the result ends the pool. */
export const createDatabase = (pool: pg.Pool): Database => new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })

/** PostgreSQL's SQLSTATE of an error, or undefined. */
export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** Whether the database was not reached, is starting or stopping, or broke off: nobody's request is wrong, and it may be sent again. */
export function isUnavailable(error: unknown): boolean {
  const { code, message, syscall } = (error ?? {}) as { code?: unknown; message?: unknown; syscall?: unknown }
  if (/^(08|57P|53300)/.test(sqlState(error) ?? '')) return true
  if (/^Connection terminated|timeout exceeded when trying to connect/.test(String(message))) return true
  return syscall === 'connect' || code === 'ECONNREFUSED' || code === 'ECONNRESET'
}

export const uniqueViolation = '23505'
export const foreignKeyViolation = '23503'
/** Serialization failure and deadlock: the transaction may be run again. */
export const retryable = new Set(['40001', '40P01'])
