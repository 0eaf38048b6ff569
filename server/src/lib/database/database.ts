import { Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { createNaming } from './prepared.ts'
import type { DB } from './schema.ts'

export type Database = Kysely<DB>

const { builtins } = pg.types
const INT8_ARRAY = 1016
// Integers here are below 2^53, so they are numbers. A date has no time zone, so it stays text.
const parsers = new Map<number, (text: string) => unknown>([
  [builtins.INT8, Number],
  [INT8_ARRAY, (text) => JSON.parse(`[${text.slice(1, -1)}]`)],
  [builtins.DATE, String],
])
const types: pg.CustomTypesConfig = {
  getTypeParser: (oid, format) => (format === 'binary' ? undefined : parsers.get(oid)) ?? pg.types.getTypeParser(oid, format),
}

interface PoolOptions {
  max?: number
  /** Whether connections keep prepared statements, their only state. Without them a pooler in transaction mode works. */
  prepares?: boolean
  /** Whether its statements are COPY. */
  copies?: boolean
  /** Whether statements walk indexes in order and keep the plan of their first run, for every organization. */
  walksIndexes?: boolean
}

// PostgreSQL makes a kept plan for an organization of average size. Where most are small, that plan would read and sort all readers for a
// page, which is all readers of a large one (SCL-08).
const walkIndexes = [
  'plan_cache_mode = force_generic_plan',
  ...['bitmapscan', 'seqscan', 'hashjoin', 'mergejoin', 'sort'].map((way) => `enable_${way} = off`),
]
  .map((setting) => `set ${setting}`)
  .join('; ')

export function createPool(
  connectionString: string,
  { max = 20, prepares = false, copies = false, walksIndexes = false }: PoolOptions = {},
): pg.Pool {
  const name = prepares ? createNaming() : undefined
  const pool = new pg.Pool({
    connectionString,
    max,
    connectionTimeoutMillis: 10_000,
    idleTimeoutMillis: 30_000,
    types,
    // Statements that are sent without waiting for the reply before share a round trip. COPY cannot be sent so.
    pipeline: !copies,
  })
  // A lost connection fails its query and is replaced at the next one. Without this listener it would end the process.
  pool.on('error', () => {})
  pool.on('connect', (client) => {
    client.on('error', () => {})
    name?.(client)
    // Statements that are sent later run after it. Where it fails, so has the connection.
    if (walksIndexes) client.query(walkIndexes).catch(() => {})
  })
  return pool
}

const pools = new WeakMap<Database, pg.Pool>()

export function createDatabase(pool: pg.Pool): Database {
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }) })
  pools.set(db, pool)
  return db
}

export function findPool(db: Database): pg.Pool {
  const pool = pools.get(db)
  if (!pool) throw new Error('An organization is entered from the database itself.')
  return pool
}

export function sqlState(error: unknown): string | undefined {
  const code = (error as { code?: unknown } | null)?.code
  return typeof code === 'string' && /^[0-9A-Z]{5}$/.test(code) ? code : undefined
}

/** SQLSTATE of a statement that took longer than allowed. */
export const queryCanceled = '57014'
export const uniqueViolation = '23505'
// Serialization failure and deadlock.
const retryable = new Set(['40001', '40P01'])
const maxAttempts = 4

/** Repeats `work` after a serialization failure or a deadlock, so it must have no other lasting effect. */
export async function inTransaction<T>(db: Database, work: (transaction: Database) => Promise<T>): Promise<T> {
  for (let attempt = 1; ; attempt++) {
    try {
      return await db.transaction().execute(work)
    } catch (error) {
      if (attempt === maxAttempts || !retryable.has(sqlState(error) ?? '')) throw error
    }
  }
}
