import { type Expression, sql } from 'kysely'
import type { Database } from './database.ts'

const batch = 500

/** The rows of a query, read in batches as they are taken. The cursor is SQL's own: one of the driver waits for ever where its connection is lost. */
export async function* streamRows<Row>(db: Database, query: Expression<Row>): AsyncGenerator<Row> {
  const transaction = await db.startTransaction().setAccessMode('read only').execute()
  try {
    // A caller who stops reading must not hold the transaction, and with it every old row, for ever.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(transaction)
    await sql`declare list no scroll cursor for ${query}`.execute(transaction)
    for (;;) {
      const { rows } = await sql<Row>`fetch ${sql.lit(batch)} from list`.execute(transaction)
      if (rows.length === 0) return
      yield* rows
    }
  } finally {
    await transaction.rollback().execute()
  }
}
