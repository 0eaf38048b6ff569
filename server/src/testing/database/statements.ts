import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import pg from 'pg'
import { afterAll, vi } from 'vitest'
import { createPool } from '../../lib/database/database.ts'
import type { DB } from '../../lib/database/schema.ts'
import { createDatabase } from './database.ts'

export type Statement = Pick<CompiledQuery, 'sql' | 'parameters'>

/** Records its statements; dropped after the tests of the file. */
export async function notifiedDatabase() {
  const database = await createDatabase()
  const pool = createPool(database.url, { max: 4 })
  let sent: Statement[] = []
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void sent.push(query) })
  afterAll(async () => {
    await db.destroy()
    await database.drop()
  }, 60_000)
  return {
    db,
    pool,
    async statementsOf(work: () => Promise<unknown>): Promise<Statement[]> {
      sent = []
      await work()
      return sent
    },
  }
}

/** Statements of all servers in this process during `ask`. */
export async function statementsDuring(ask: () => Promise<unknown>): Promise<Statement[]> {
  const spy = vi.spyOn(pg.Client.prototype, 'query')
  try {
    await ask()
    const statements = (spy.mock.calls as unknown as [string | { text: string; values: unknown[] }, unknown[]?][]).map(([sent, values]) =>
      typeof sent === 'string' ? { sql: sent, parameters: values ?? [] } : { sql: sent.text, parameters: sent.values },
    )
    return statements.filter((_, index) => !isBracket(statements, index))
  } finally {
    spy.mockRestore()
  }
}

// What a statement that is alone has around it comes in its round trip.
const isBracket = (statements: readonly Statement[], index: number): boolean =>
  statements[index]?.sql === 'end' ||
  (statements[index]?.sql.startsWith('begin; set local') === true && statements[index + 2]?.sql === 'end')
