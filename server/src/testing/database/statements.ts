import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, vi } from 'vitest'
import { createPool } from '../../lib/database/database.ts'
import type { DB } from '../../lib/database/schema.ts'
import { createDatabase } from './database.ts'

export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** A statement and the pool that it was sent to. */
export type Sent = Statement & { pool: pg.Pool }

/**
 * A database that records its statements; dropped after the tests of the file. `lists` and `listsPool` keep plans of first pages, as the
 * server's do.
 */
export async function notifiedDatabase() {
  const database = await createDatabase()
  let sent: Sent[] = []
  const record = (pool: pg.Pool) =>
    new Kysely<DB>({
      dialect: new PostgresDialect({ pool }),
      log: ({ query: { sql, parameters } }) => void sent.push({ sql, parameters, pool }),
    })
  const pool = createPool(database.url, { max: 4 })
  const listsPool = createPool(database.url, { max: 1, walksIndexes: true })
  const [db, lists] = [record(pool), record(listsPool)]
  afterAll(async () => {
    await Promise.all([db.destroy(), lists.destroy()])
    await database.drop()
  }, 60_000)
  return {
    db,
    pool,
    lists,
    listsPool,
    async statementsOf(work: () => Promise<unknown>): Promise<Sent[]> {
      sent = []
      await work()
      return sent
    },
  }
}

/** Statements that a server sends every 10 s. */
const ofBeat = /server_beat|check_in_outage|stream_server/

/** Returns the statements of all servers in this process during `ask`. */
export async function statementsDuring(ask: () => Promise<unknown>): Promise<Statement[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await ask()
    const statements = (spy.mock.calls as unknown as [string | { text: string; values: unknown[] }, unknown[]?][]).map(
      ([sent, values], index) => ({
        ...(typeof sent === 'string' ? { sql: sent, parameters: values ?? [] } : { sql: sent.text, parameters: sent.values }),
        client: spy.mock.contexts[index],
      }),
    )
    // By client, as statements of several connections mix.
    const perClient = [...Map.groupBy(statements, ({ client }) => client).values()]
    const brackets = new Set(perClient.flatMap((own) => own.filter((_, index) => isBracket(own, index))))
    return statements
      .filter((statement) => !brackets.has(statement) && !ofBeat.test(statement.sql))
      .map(({ sql, parameters }) => ({ sql, parameters }))
  } finally {
    spy.mockRestore()
  }
}

// Statements around a single one are sent in its round trip, so they do not count.
const isBracket = (statements: readonly Statement[], index: number): boolean =>
  statements[index]?.sql === 'end' ||
  (statements[index]?.sql.startsWith('begin; set local') === true && statements[index + 2]?.sql === 'end')
