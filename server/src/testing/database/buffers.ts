import { type CompiledQuery, Kysely, PostgresDialect } from 'kysely'
import { createPool } from '../../lib/database/database.ts'
import type { DB } from '../../lib/database/schema.ts'
import { createDatabase } from './database.ts'
import { countBuffers, explain } from './plans.ts'

/** A database that counts its statements and the buffers that they read. */
export async function measuredDatabase() {
  const database = await createDatabase()
  const pool = createPool(database.url, { max: 4 })
  let sent: CompiledQuery[] = []
  const db = new Kysely<DB>({ dialect: new PostgresDialect({ pool }), log: ({ query }) => void sent.push(query) })

  /** Counts the statements of `work` and the buffers that they read, as PostgreSQL does. */
  async function measureCost(work: () => Promise<unknown>): Promise<{ buffers: number; statements: number }> {
    sent = []
    await work()
    const statements = sent
    let buffers = 0
    for (const statement of statements) {
      // The first run on a connection reads the catalogue too, so it is not counted.
      await explain(pool, statement)
      buffers += countBuffers(await explain(pool, statement))
    }
    return { buffers, statements: statements.length }
  }

  async function close(): Promise<void> {
    await db.destroy()
    await database.drop()
  }
  return { db, pool, measureCost, close }
}
