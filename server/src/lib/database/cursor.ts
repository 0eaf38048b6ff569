import { type Expression, type RawBuilder, sql } from 'kysely'
import { type Database, queryCanceled, sqlState } from './database.ts'

const batchSize = 500

// A whole list or file takes a minute, longer over a bad line. An open transaction keeps every old row from vacuum.
export const longestReadMs = 30 * 60_000

export const tooSlow = (): Error => new Error('The reader of a list or file is too slow.')

/** PostgreSQL's time for one whole list (FAI-06). */
const mostDatabaseMs = 120_000

const tookTooLong = (ms: number) =>
  new Error(`A whole list was ended, as it took ${Math.round(ms / 1_000)} s of the database. Its client may ask for pages instead.`)

/**
 * Counts the time of all statements of a whole list. `spend` throws an Error with a sentence for the log where they took more than
 * `mostMs`.
 */
export function databaseTime(mostMs = mostDatabaseMs) {
  let spent = 0
  return {
    left: () => mostMs - spent,
    async spend<Result>(work: () => Promise<Result>): Promise<Result> {
      const sentAt = performance.now()
      const result = await work().catch((error: unknown) => {
        throw sqlState(error) === queryCanceled ? tookTooLong(mostMs) : error
      })
      spent += performance.now() - sentAt
      if (spent > mostMs) throw tookTooLong(mostMs)
      return result
    },
  }
}

/**
 * Reads batch by batch. It uses an SQL cursor, as a driver's cursor waits for ever on a lost connection. Throws an Error with a sentence
 * for the log where the batches took more than `mostMs` of the database's time, or the reader of the list is too slow.
 */
export async function* streamRows<Row>(db: Database, query: Expression<Row>, mostMs = mostDatabaseMs): AsyncGenerator<Row> {
  const transaction = await db.startTransaction().setAccessMode('read only').execute()
  const time = databaseTime(mostMs)
  const spend = async <Result>(work: () => Promise<Result>): Promise<Result> => {
    await sql`set local statement_timeout = ${sql.lit(Math.max(1, Math.ceil(time.left())))}`.execute(transaction)
    return time.spend(work)
  }
  try {
    // A reader that stops must not keep the transaction open, which would keep every old row from vacuum.
    await sql`set local idle_in_transaction_session_timeout = '5min'`.execute(transaction)
    await spend(() => sql`declare list no scroll cursor for ${query}`.execute(transaction))
    const next = sql`fetch ${sql.lit(batchSize)} from list` as RawBuilder<Row>
    const startedAt = performance.now()
    for (;;) {
      if (performance.now() - startedAt > longestReadMs) throw tooSlow()
      const { rows } = await spend(() => next.execute(transaction))
      if (rows.length === 0) return
      yield* rows
    }
  } finally {
    await transaction.rollback().execute()
  }
}
