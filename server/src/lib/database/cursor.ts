import { type Expression, type RawBuilder, sql } from 'kysely'
import type { Database } from './database.ts'

const batchSize = 500

// An open transaction keeps every old row from vacuum. A whole list or file takes a minute, and some more over a bad line.
export const longestReadMs = 30 * 60_000

export const tooSlow = (): Error => new Error('The reader of a list or file is too slow.')

// Reads batch by batch. Uses an SQL cursor, since a driver's cursor waits for ever on a lost connection.
export async function* streamRows<Row>(db: Database, query: Expression<Row>): AsyncGenerator<Row> {
  const transaction = await db.startTransaction().setAccessMode('read only').execute()
  try {
    // A reader that stops must not keep the transaction open, which keeps every old row from vacuum.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(transaction)
    await sql`declare list no scroll cursor for ${query}`.execute(transaction)
    const next = sql`fetch ${sql.lit(batchSize)} from list` as RawBuilder<Row>
    const startedAt = performance.now()
    for (;;) {
      if (performance.now() - startedAt > longestReadMs) throw tooSlow()
      const { rows } = await next.execute(transaction)
      if (rows.length === 0) return
      yield* rows
    }
  } finally {
    await transaction.rollback().execute()
  }
}
